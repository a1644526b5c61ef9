import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const MIB = 1024 * 1024

/** Characters beyond ASCII, which take more bytes than characters. */
const NAME = 'Zoë Żółć 🕯'

describe('the conventions of every request', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const get = (url: string, headers = {}) =>
    send(service.app, { url, headers: { ...merchant.headers, ...headers } })

  const post = (url: string, payload?: string | Buffer, headers: object = JSON_TYPE) =>
    send(service.app, {
      method: 'POST',
      url,
      headers: { ...merchant.headers, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })

  describe('paths', () => {
    it.each(['/self', '/self/', '//self', '//self//', '/self///', '///self'])(
      'takes %s for /self, without a redirect',
      async (url) => {
        const { status, body } = await get(url)
        expect(status).toBe(200)
        expect(body.account.id).toBe(merchant.accountId)
      },
    )

    it.each(['/', '/nothing', '/charges', '/self/more', '/transactions', '/v1/charge', '/%20'])(
      'answers the unknown %s with 404',
      async (url) => expectRefusal(await get(url), 404, 'not_found'),
    )

    it.each([
      ['/charges', '/charge'],
      ['/Customers/x', '/customer/{id}'],
      ['/invoices/schedule?page=1', '/invoice/schedule'],
      ['/transaction/x/capturd', '/transaction/{id}/capture'],
    ])('says which path was probably meant by %s, to a caller with a key', async (url, meant) => {
      const said = `there is no such path: did you mean ${meant}?`
      expect((await get(url)).body.message).toBe(said)
      const { body } = await send(service.app, { url })
      expect(body.message).toBe('there is no such resource')
    })

    it('offers no path that is unlike the one asked for', async () => {
      expect((await get('/metricss')).body.message).toBe('there is no such path')
    })

    it.each([
      ['{"broken', JSON_TYPE],
      ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['x'.repeat(MIB + 1), JSON_TYPE],
    ])('answers an unknown path with 404 before it reads the body %.9s', async (payload, type) => {
      expectRefusal(await post('/charges', payload, type), 404, 'not_found')
    })

    it.each(['/transaction/%zz', '/%', '/customer/%c3'])(
      'answers %s, which is no address, with 400',
      async (url) => expectRefusal(await get(url), 400, 'invalid_request'),
    )

    it('answers a malformed id with 400, however long it is', async () => {
      for (const id of ['x', '1', '%00', '%F0%9F%95%AF', 'x'.repeat(101), 'a'.repeat(5_000)]) {
        expectRefusal(await get(`/transaction/${id}`), 400, 'invalid_id', ['id'])
      }
    })

    it.each([
      ['DELETE', '/charge', 'POST'],
      ['GET', '/charge', 'POST'],
      ['PATCH', '/customer', 'GET, HEAD, POST'],
      ['PUT', '/payment-method/', 'GET, HEAD, POST'],
      ['POST', '/transaction/01941f29-7c00-7000-8000-000000000001', 'GET, HEAD, PUT'],
      ['POST', '//self', 'GET, HEAD'],
      ['POST', '/%73elf', 'GET, HEAD'],
      ['DELETE', '/invoice/schedule', 'GET, HEAD, POST'],
      ['POST', '/healthz', 'GET, HEAD'],
      ['DELETE', '/readyz', 'GET, HEAD'],
      ['POST', '/openapi.json', 'GET, HEAD'],
      ['TRACE', '/self', 'GET, HEAD'],
      ['PROPFIND', '/self', 'GET, HEAD'],
      ['QUERY', '/transaction/01941f29-7c00-7000-8000-000000000001', 'GET, HEAD, PUT'],
    ])('answers %s %s with 405 and the allowed methods', async (method, url, allow) => {
      const answer = await send(service.app, { method, url, headers: merchant.headers })
      expectRefusal(answer, 405, 'method_not_allowed')
      expect(answer.headers.allow).toBe(allow)
    })

    it('refuses the method before it checks the key or the body', async () => {
      const sent = { method: 'PUT', url: '/charge', headers: JSON_TYPE, payload: '{"broken' }
      expectRefusal(await send(service.app, sent), 405, 'method_not_allowed')
    })
  })

  describe('queries', () => {
    it.each([
      ['/customer?firstnam=Ada', ['firstnam']],
      ['/customer?firstnam=Ada&limt=5', ['firstnam', 'limt']],
      ['/payment-method?customer=1', ['customer']],
      ['/self?verbose=1', ['verbose']],
      ['/transaction/01941f29-7c00-7000-8000-000000000001?expand=1', ['expand']],
      ['/customer?__proto__=1', ['__proto__']],
      ['/customer?constructor=1&toString=2', ['constructor', 'toString']],
      ['/customer?hasOwnProperty=1', ['hasOwnProperty']],
    ])('refuses unknown parameters of %s', async (url, fields) =>
      expectRefusal(await get(url), 400, 'invalid_request', fields),
    )

    it.each([
      ['/transaction', 'total_min', 'minTotal'],
      ['/transaction', 'min_total', 'minTotal'],
      ['/transaction', 'customerId', 'customer_id'],
      ['/customer', 'frist_name', 'firstname'],
      ['/invoice', 'id_customer', 'customer_id'],
      ['/batch', 'perPage', 'per_page'],
      ['/event', 'lmiit', 'limit'],
    ])('of %s suggest for %s what was probably meant', async (path, sent, meant) => {
      const { body } = await get(`${path}?${sent}=5`)
      expect(body.errors[sent]).toEqual([`is not known: did you mean ${meant}?`])
    })

    it('suggest something for ten at most, because each is compared with every known one', async () => {
      const sent = Array.from({ length: 30 }, (_, n) => `custmer_id${n}`)
      const { body } = await get(`/transaction?${sent.map((name) => `${name}=1`).join('&')}`)
      const texts = sent.map((name) => body.errors[name]?.[0])
      expect(
        texts.filter((text) => text === 'is not known: did you mean customer_id?'),
      ).toHaveLength(10)
      expect(texts.filter((text) => text === 'is not known')).toHaveLength(20)
    })

    it('list the known parameters if none is similar', async () => {
      const { body } = await get('/event?colour=red')
      expect(body.errors.colour[0]).toMatch(/^is not known: use .*\blimit\b/)
    })

    it('refuses them on a POST as well', async () => {
      const body = '{"firstname":"Ada"}'
      expectRefusal(await post('/customer?notify=1', body), 400, 'invalid_request', ['notify'])
      expectRefusal(await post('/charge?dry_run=1', '{}'), 400, 'invalid_request')
    })

    it.each(['page=1&page=2', 'sort=created_at&sort=email', 'firstname=a&firstname=b'])(
      'refuses %s: only one can be meant',
      async (query) => expectRefusal(await get(`/customer?${query}`), 400, 'invalid_request'),
    )
  })

  describe('bodies', () => {
    it.each([
      ['', '{'],
      ['a word', 'hello'],
      ['half a string', '"hello'],
      ['single quotes', "{'firstname':'Ada'}"],
      ['a trailing comma', '{"firstname":"Ada",}'],
      ['two documents', '{"firstname":"Ada"}{}'],
      ['NaN', '{"firstname":"Ada","meta":{"n":NaN}}'],
      ['a raw line break in a string', '{"firstname":"A\nda"}'],
      ['a form', 'firstname=Ada'],
    ])('answers malformed JSON (%s) with 400', async (_, payload) =>
      expectRefusal(await post('/customer', payload), 400, 'invalid_json'),
    )

    it('says what is wrong with a body that is JSON in another form', async () => {
      const latin1 = await post('/customer', Buffer.from('{"firstname":"José"}', 'latin1'))
      expect(latin1.body.message).toBe('the body is not encoded as UTF-8')
      const spaced = await post('/customer', '\u00a0{"firstname":"Ada"}')
      expectRefusal(spaced, 400, 'invalid_json')
      const marked = await post('/customer', '\ufeff{"__proto__":1}')
      expect(marked.body.message).toMatch(/__proto__/)
      const plain = await post('/customer', '{"firstname":"Ada"}', { 'content-type': 'text/plain' })
      expect(plain.body.message).toMatch(/with Content-Type: application\/json$/)
    })

    it.each([
      ['{"firstname":"Ada","firstname":"Grace"}', 'firstname'],
      ['{"phone":"1","ph\\u006fne":"2"}', 'ph\\u006fne'],
      ['{"firstname":"Ada","meta":{"a":1,"b":{"c":":","c":1}}}', 'meta.b.c'],
      ['{"firstname":"Ada","meta":{"a":[{"b":1},{"b":1,"b":2}]}}', 'meta.a.1.b'],
    ])('refuses %s: of two values under one name one would be lost', async (payload, field) => {
      const answer = await post('/customer', payload)
      expectRefusal(answer, 400, 'invalid_request', [field])
      expect(answer.body.errors[field]).toEqual(['must be sent once'])
    })

    it('takes one name in several objects, and in a text', async () => {
      const meta = { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }], c: '"a":1,"a":2', 'a:': 1 }
      const answer = await post('/customer', JSON.stringify({ firstname: 'Ada', meta }))
      expect(answer.body.meta).toEqual(meta)
    })

    it('answers bytes that are no UTF-8 with 400', async () => {
      const payload = Buffer.from([...Buffer.from('{"firstname":"'), 0xff, 0xfe, 0x22, 0x7d])
      expectRefusal(await post('/customer', payload), 400, 'invalid_json')
    })

    it.each(['[]', '[{"firstname":"Ada"}]', '1', 'true', '"firstname"'])(
      'answers %s, which is JSON and no object, with 400',
      async (payload) => expectRefusal(await post('/customer', payload), 400, 'invalid_request'),
    )

    it.each([undefined, '', ' ', '""', '{}', 'null'])(
      'takes %j for an empty object',
      async (payload) => {
        const answer = await post('/charge', payload)
        expectRefusal(answer, 400, 'invalid_request', ['payment_method_id', 'total'])
      },
    )

    it.each([
      ['application/json'],
      ['application/json; charset=utf-8'],
      ['application/json;charset=UTF-8'],
      ['Application/JSON'],
    ])('reads %s as JSON', async (type) => {
      const payload = JSON.stringify({ firstname: NAME })
      const answer = await post('/customer', payload, { 'content-type': type })
      expect(answer.status).toBe(200)
      expect(answer.body.firstname).toBe(NAME)
    })

    it('reads a body without a content type as JSON', async () => {
      const answer = await post('/customer', Buffer.from('{"firstname":"Ada"}'), {})
      expect([answer.status, answer.body.firstname]).toEqual([200, 'Ada'])
    })

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/xml',
      'json',
    ])('answers a body of type %s with 415', async (type) => {
      const answer = await post('/customer', '{"firstname":"Ada"}', { 'content-type': type })
      expectRefusal(answer, 415, 'unsupported_media_type')
    })

    it.each(['gzip', 'br', 'identity, gzip'])(
      'answers a body of encoding %s with 415',
      async (how) => {
        const answer = await post('/customer', '{"firstname":"Ada"}', { 'content-encoding': how })
        expectRefusal(answer, 415, 'unsupported_media_type')
        const plain = { 'content-encoding': 'Identity' }
        expect((await post('/customer', '{"firstname":"Ada"}', plain)).status).toBe(200)
      },
    )

    it('reads a body of 1 MiB, and answers one byte more with 413', async () => {
      const most = `{"firstname":"Ada","ignored":"${'x'.repeat(MIB - 32)}"}`
      expect(Buffer.byteLength(most)).toBe(MIB)
      expect((await post('/customer', most)).status).toBe(200)
      expectRefusal(await post('/customer', `${most} `), 413, 'body_too_large')
    })

    it.each(['GET', 'DELETE'])(
      'thinks nothing of a %s with a JSON type and no body',
      async (method) => {
        const headers = { ...merchant.headers, ...JSON_TYPE }
        const answer = await send(service.app, { method, url: '/self', headers })
        expect(answer.status).toBe(method === 'GET' ? 200 : 405)
      },
    )

    it('ignores keys that it does not know', async () => {
      const answer = await post('/customer', '{"firstname":"Ada","colour":"green","id":"mine"}')
      expect(answer.status).toBe(200)
      expect(answer.body).not.toHaveProperty('colour')
      expect(answer.body.id).not.toBe('mine')
    })

    it('reports every fault of a body at once, nested ones dotted', async () => {
      const answer = await post(
        '/customer',
        '{"email":"x","phone":"1","cc_emails":["a@b.example","y"]}',
      )
      expectRefusal(answer, 400, 'invalid_request', ['cc_emails.1', 'email', 'phone'])
    })
  })
})
