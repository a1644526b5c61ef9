import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultyGateway, faultyGateway } from '../support/faulty-gateway.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
const ASYNC = { prefer: 'respond-async' }

describe('an idempotency key', () => {
  let service: TestService
  let merchant: Merchant
  let card: string
  let gateway: FaultyGateway
  let isSlow = false
  let keys = 0

  beforeAll(async () => {
    const fault = () => (isSlow ? 'slow' : 'none') as 'slow' | 'none'
    service = await openTestService({
      withGateway: (real) => {
        gateway = faultyGateway(real, { fault, slowMs: 300 })
        return gateway
      },
    })
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  const newKey = () => {
    keys += 1
    return { 'idempotency-key': `key-${keys}` }
  }

  const charge = (body: object, headers: Record<string, string> = {}) =>
    service.charge(merchant, { total: 12.5, payment_method_id: card, ...body }, headers)

  const chargesWith = async (key: string) => {
    const [row] = await service.world.db.query(
      'SELECT count(*)::integer AS count FROM transaction WHERE account_id = $1 AND idempotency_id = $2',
      [merchant.accountId, key],
    )
    return row?.count
  }

  it('gives the same answer again, with a header that says so', async () => {
    const key = newKey()
    const first = await charge({}, key)
    const again = await charge({}, key)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(first.body).toMatchObject({ status: 'SUCCESS', idempotency_id: key['idempotency-key'] })
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(gateway.orders.filter((order) => order === first.body.id)).toHaveLength(1)
  })

  it('can be sent in the header, in the body, or in both', async () => {
    const key = newKey()
    const field = { idempotency_id: key['idempotency-key'] }
    const first = await charge({}, key)
    for (const again of [await charge(field), await charge(field, key)]) {
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['idempotent-replayed']).toBe('true')
    }
  })

  it('must be the same in both', async () => {
    const answer = await charge({ idempotency_id: 'one' }, { 'idempotency-key': 'other' })
    expectRefusal(answer, 400, 'invalid_request', ['idempotency_id'])
    expect([await chargesWith('one'), await chargesWith('other')]).toEqual([0, 0])
  })

  it.each([
    ['letters of other languages', Buffer.from('clé-😀').toString('latin1'), 'clé-😀'],
    // Not UTF-8: a client that writes its headers in Latin-1.
    ['one byte each', 'cl\u00e9', 'clé'],
    ['no spaces around it', 'spaced', ' spaced\t'],
  ])('is the same as header and as field, with %s', async (_what, header, field) => {
    const first = await charge({}, { 'idempotency-key': header })
    const again = await charge({ idempotency_id: field })
    expect([again.status, again.text]).toEqual([200, first.text])
    const both = await charge({ idempotency_id: field }, { 'idempotency-key': header })
    expect([both.status, both.text]).toEqual([200, first.text])
  })

  it('is not blank', async () => {
    for (const idempotency_id of [' ', '\t ']) {
      expectRefusal(await charge({ idempotency_id }), 400, 'invalid_request', ['idempotency_id'])
    }
  })

  it('can have 255 characters, and no more', async () => {
    const most = 'k'.repeat(255)
    expect((await charge({}, { 'idempotency-key': most })).status).toBe(200)
    expect((await charge({ idempotency_id: most })).headers['idempotent-replayed']).toBe('true')
    expectRefusal(await charge({}, { 'idempotency-key': `${most}k` }), 400, 'invalid_request')
    const field = await charge({ idempotency_id: `${most}k` })
    expectRefusal(field, 400, 'invalid_request', ['idempotency_id'])
  })

  it('has as many characters in the header as in the field, whatever their bytes', async () => {
    const most = '😀'.repeat(255)
    const header = (key: string) => ({
      'idempotency-key': Buffer.from(key, 'utf8').toString('latin1'),
    })
    const first = await charge({ idempotency_id: most })
    const again = await charge({ idempotency_id: most }, header(most))
    expect([again.status, again.text]).toEqual([200, first.text])
    expectRefusal(await charge({}, header(`${most}k`)), 400, 'invalid_request')
  })

  it('must not be an empty header, which may be a lost key', async () => {
    const refused = await charge({}, { 'idempotency-key': '' })
    expectRefusal(refused, 400, 'invalid_request', ['Idempotency-Key'])
  })

  it('is optional, and a charge without it is a new one', async () => {
    const [one, other] = [await charge({}), await charge({})]
    expect(one.body.id).not.toBe(other.body.id)
  })

  it('gives the first answer again, whatever became of the payment since', async () => {
    const key = newKey()
    const first = await charge({ meta: { a: 1 } }, key)
    const url = `/transaction/${first.body.id}`
    await call(service.app, 'POST', `${url}/void`, merchant.headers)
    const now = await call(service.app, 'GET', url, merchant.headers)
    expect(now.body.is_voided).toBe(true)
    expect((await charge({ meta: { a: 1 } }, key)).text).toBe(first.text)
  })

  it('compares parsed requests', async () => {
    const key = newKey()
    const first = await charge({ total: 12.5, pre_auth: false }, key)
    const texts = [
      `{"total":"12.50","payment_method_id":"${card}"}`,
      `{ "payment_method_id": "${card.toUpperCase()}", "total": 1.25e1, "pre_auth": "0" }`,
      `{"total":12.5,"payment_method_id":"${card}","meta":{},"currency":"USD","unknown":1}`,
    ]
    for (const payload of texts) {
      const headers = { ...merchant.headers, ...JSON_TYPE, ...key }
      const again = await send(service.app, { method: 'POST', url: '/charge', headers, payload })
      expect([again.status, again.text]).toEqual([200, first.text])
    }
  })

  it('compares meta as JSON: the order of its keys does not matter', async () => {
    const key = newKey()
    const first = await charge({ meta: { a: 1, b: [{ c: 2, d: 3 }], n: 0 } }, key)
    const headers = { ...merchant.headers, ...JSON_TYPE, ...key }
    const meta = '{"n":-0,"b":[{"d":3,"c":2}],"a":1}'
    const payload = `{"total":12.5,"payment_method_id":"${card}","meta":${meta}}`
    const again = await send(service.app, { method: 'POST', url: '/charge', headers, payload })
    expect(again.text).toBe(first.text)
    const other = await charge({ meta: { a: 1, b: [{ c: 2, d: 4 }], n: 0 } }, key)
    expectRefusal(other, 409, 'idempotency_conflict', ['meta'])
  })

  it.each([
    [{ total: 12.51 }, ['total']],
    [{ pre_auth: true }, ['pre_auth']],
    [{ channel: 'web' }, ['channel']],
    [{ total: 1, meta: { a: 1 } }, ['meta', 'total']],
    [{ payment_method_id: UNKNOWN }, ['payment_method_id']],
  ])('of another request is a conflict that names %j', async (change, fields) => {
    const key = newKey()
    const first = await charge({}, key)
    expectRefusal(await charge(change, key), 409, 'idempotency_conflict', fields)
    expect((await charge({}, key)).text).toBe(first.text)
  })

  it('of another operation is a conflict as well', async () => {
    const [charged, named] = [newKey(), newKey()]
    const post = (headers: object) =>
      call(
        service.app,
        'POST',
        '/customer',
        { ...merchant.headers, ...headers },
        { firstname: 'A' },
      )
    await charge({}, charged)
    expectRefusal(await post(charged), 409, 'idempotency_conflict')
    expect((await post(named)).status).toBe(200)
    expectRefusal(await charge({}, named), 409, 'idempotency_conflict')
  })

  it.each([
    ['failed validation', 400, { total: -1 }],
    ['named an unknown payment method', 404, { payment_method_id: UNKNOWN }],
    ['named an unknown invoice', 404, { invoice_id: UNKNOWN }],
    ['wanted what is not enabled', 403, { funding: [{ account_id: 'a', amount: 12.5 }] }],
  ])('is not used up by a request that %s', async (_, status, wrong) => {
    const key = newKey()
    expect((await charge(wrong, key)).status).toBe(status)
    const right = await charge({}, key)
    expect(right.status).toBe(200)
    expect(right.headers).not.toHaveProperty('idempotent-replayed')
  })

  it('is not used up by a request without permission', async () => {
    const key = newKey()
    await setTeam(service.world, merchant.teamId, ['enabled=false'])
    expect((await charge({}, key)).status).toBe(403)
    await setTeam(service.world, merchant.teamId, ['enabled=true'])
    expect((await charge({}, key)).headers).not.toHaveProperty('idempotent-replayed')
  })

  it('ignores Prefer', async () => {
    const key = newKey()
    const first = await charge({}, key)
    const again = await charge({}, { ...key, ...ASYNC })
    expect([again.status, again.text]).toEqual([200, first.text])
  })

  it('of a declined charge gives the decline again', async () => {
    const key = newKey()
    const declined = { payment_method_id: await service.card(merchant, DECLINED_CARD) }
    const first = await charge(declined, key)
    const again = await charge(declined, key)
    expect(first.status).toBe(400)
    expect(first.body).toMatchObject({ status: 'FAILED', success: false })
    expect([again.status, again.text]).toEqual([400, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('of a charge in progress waits like the first, and one charge is made', async () => {
    const key = newKey()
    isSlow = true
    const answers = await Promise.all(Array.from({ length: 10 }, () => charge({}, key)))
    isSlow = false
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const [first] = answers
    expect(first?.body.status).toBe('SUCCESS')
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(
      9,
    )
    expect(await chargesWith(key['idempotency-key'])).toBe(1)
    expect(gateway.orders.filter((order) => order === first?.body.id)).toHaveLength(1)
  })

  it('of a charge in progress is answered at once if the caller prefers it', async () => {
    const key = newKey()
    isSlow = true
    const first = await charge({}, { ...key, ...ASYNC })
    const again = await charge({}, { ...key, ...ASYNC })
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const waited = await charge({}, key)
    isSlow = false
    expect([waited.status, waited.body.status]).toEqual([200, 'SUCCESS'])
    expect(waited.body.id).toBe(first.body.id)
  })

  it('conflicts while the first is in progress, too', async () => {
    const key = newKey()
    isSlow = true
    const first = charge({}, { ...key, ...ASYNC })
    await first
    expectRefusal(await charge({ total: 13 }, key), 409, 'idempotency_conflict', ['total'])
    isSlow = false
  })

  it('is bound to an account: another account can use the same', async () => {
    const key = newKey()
    const other = await service.merchant()
    const otherCard = await service.card(other)
    const first = await charge({}, key)
    const theirs = await service.charge(other, { total: 99, payment_method_id: otherCard }, key)
    expect([theirs.status, theirs.body.total]).toEqual([200, 99])
    expect(theirs.body.id).not.toBe(first.body.id)
    expect((await charge({}, key)).text).toBe(first.text)
  })

  it.each(['a b', 'ключ', '🕯', "'; --", 'a:b', '%00', '__proto__', 'null'])(
    'may be %j',
    async (idempotencyId) => {
      const first = await charge({ idempotency_id: idempotencyId })
      expect(first.body.idempotency_id).toBe(idempotencyId)
      const again = await charge({ idempotency_id: idempotencyId })
      expect([again.status, again.text]).toEqual([200, first.text])
    },
  )
})
