import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../support/events.ts'
import { openFurther } from '../support/further.ts'
import { FULL, OTHER } from '../support/people.ts'
import { expectRefusal, JSON_TYPE, send, withoutRequestId } from '../support/requests.ts'
import { rowOf } from '../support/resources.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

type Field = keyof typeof OTHER

const FIELDS = Object.keys(OTHER) as Field[]

describe('changing a customer', () => {
  let aheadMs = 0
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    const clock = { now: () => new Date(Date.now() + aheadMs) }
    const settings = { RATE_LIMIT_PER_MINUTE: '10000' }
    service = await openTestService({ queues: [], clock, settings })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'PUT', id: string, body?: object, whose = merchant) =>
    call(service.app, method, `/customer/${id}`, whose.headers, body)

  /** A customer that was made some time ago. */
  async function made(body: object = FULL) {
    const answer = await call(service.app, 'POST', '/customer', merchant.headers, body)
    expect(answer.status).toBe(200)
    aheadMs += 1_000
    return answer.body
  }

  it('finds it by its id, in upper case too', async () => {
    const before = await made()
    expect((await ask('GET', before.id)).body).toEqual(before)
    expect((await ask('GET', before.id.toUpperCase())).body).toEqual(before)
  })

  it('changes all fields that are sent, and writes its event in the same commit', async () => {
    const before = await made()
    const { status, body } = await ask('PUT', before.id.toUpperCase(), OTHER)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...OTHER, updated_at: body.updated_at })
    expect(body.updated_at > before.updated_at).toBe(true)
    expect((await ask('GET', before.id)).body).toEqual(body)
    expect(await eventsOf(service, 'customer', before.id)).toEqual([
      { type: 'create_customer', sequence: 1, snapshot: before, same_commit: false },
      { type: 'update_customer', sequence: 2, snapshot: body, same_commit: true },
    ])
  })

  it.each(FIELDS)('changes %s alone, and leaves it as it is for null', async (field) => {
    const before = await made()
    const changed = (await ask('PUT', before.id, { [field]: OTHER[field] })).body
    expect(changed).toEqual({ ...before, [field]: OTHER[field], updated_at: changed.updated_at })
    expect((await ask('PUT', before.id, { [field]: null })).body).toEqual(changed)
    expect((await ask('GET', before.id)).body).toEqual(changed)
  })

  const removable = FIELDS.filter((field) => typeof FULL[field] === 'string')

  it.each(removable)('empties %s if it is to be removed', async (field) => {
    const before = await made()
    const { body } = await ask('PUT', before.id, { remove: [field] })
    expect(body).toEqual({ ...before, [field]: null, updated_at: body.updated_at })
    expect((await ask('GET', before.id)).body).toEqual(body)
  })

  it('empties a list that is sent empty, and keeps one of the names', async () => {
    const { id } = await made()
    const lists = { cc_emails: [], cc_sms: [] }
    expect((await ask('PUT', id, lists)).body).toMatchObject(lists)
    const names = ['firstname', 'lastname', 'company', 'email']
    expectRefusal(await ask('PUT', id, { remove: names }), 400, 'invalid_request', ['firstname'])
    const set = { remove: ['phone'], phone: '+12025550177' }
    expectRefusal(await ask('PUT', id, set), 400, 'invalid_request', ['remove'])
    expectRefusal(await ask('PUT', id, { remove: ['meta'] }), 400, 'invalid_request', ['remove.0'])
  })

  it.each([
    ['nothing', {}],
    ['what it is already', FULL],
    ['a phone number in other words', { phone: '(202) 555-0123' }],
    [
      'unknown keys and what is not hers to change',
      { colour: 'red', id: UNKNOWN, created_at: 'x' },
    ],
  ])('does nothing if %s is sent: no event, no later updated_at', async (_, sent) => {
    const before = await made()
    const row = await rowOf(service, 'customer', before.id)
    const { status, body } = await ask('PUT', before.id, sent)
    expect([status, body]).toEqual([200, before])
    expect(await rowOf(service, 'customer', before.id)).toBe(row)
    expect(await eventsOf(service, 'customer', before.id)).toHaveLength(1)
  })

  it('does nothing if no body is sent at all', async () => {
    const before = await made()
    expect((await ask('PUT', before.id)).body).toEqual(before)
  })

  it.each(['-0', '1e21', '5e-324', '0.1'])('does nothing if %s comes again in meta', async (n) => {
    const { id } = await made({ firstname: 'Ada' })
    const headers = { ...merchant.headers, ...JSON_TYPE }
    const sent = {
      method: 'PUT',
      url: `/customer/${id}`,
      headers,
      payload: `{"meta":{"n":[${n}]}}`,
    }
    const first = await send(service.app, sent)
    aheadMs += 1_000
    const again = await send(service.app, sent)
    expect([first.status, again.text]).toEqual([200, first.text])
    expect(await eventsOf(service, 'customer', id)).toHaveLength(2)
  })

  it.each([
    [{ firstname: null, lastname: null, company: null, email: null }],
    [{ firstname: '', lastname: '', company: '', email: '', phone: '', notes: null }],
  ])('treats an empty field as an absent one: %j', async (nothing) => {
    const before = await made()
    const { status, body } = await ask('PUT', before.id, nothing)
    expect([status, body]).toEqual([200, before])
    expect(await eventsOf(service, 'customer', before.id)).toHaveLength(1)
  })

  it.each([
    [{ email: 'x', phone: '1', notes: 5 }, ['email', 'notes', 'phone']],
    [{ cc_emails: ['x'], cc_sms: ['+12025550123', '1'] }, ['cc_emails.0', 'cc_sms.1']],
    [{ meta: [] }, ['meta']],
    [{ firstname: 'x'.repeat(256) }, ['firstname']],
    [{ firstname: 'a\0b' }, ['firstname']],
  ])('refuses %j, every fault at once', async (wrong, fields) => {
    const before = await made()
    expectRefusal(await ask('PUT', before.id, wrong), 400, 'invalid_request', fields)
    expect((await ask('GET', before.id)).body).toEqual(before)
  })

  it('answers the same for an unknown and a foreign customer', async () => {
    const before = await made()
    const strangers = [await service.merchant(), await service.merchant('live')]
    for (const stranger of strangers) {
      for (const method of ['GET', 'PUT'] as const) {
        const foreign = await ask(method, before.id, undefined, stranger)
        const unknown = await ask(method, UNKNOWN, undefined, stranger)
        expectRefusal(foreign, 404, 'not_found')
        expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
      }
      expect((await ask('PUT', before.id, { notes: 'mine' }, stranger)).status).toBe(404)
    }
    expect((await ask('GET', before.id)).body).toEqual(before)
    expectRefusal(await ask('PUT', 'x', {}), 400, 'invalid_id', ['id'])
  })

  it('loses none of twenty simultaneous changes at two processes', async () => {
    const before = await made()
    await using further = await openFurther(service)
    const names = Array.from({ length: 20 }, (_, i) => `Ada ${i}`)
    const answers = await Promise.all(
      names.map((firstname, i) => {
        const app = i % 2 === 0 ? service.app : further.app
        return call(app, 'PUT', `/customer/${before.id}`, merchant.headers, { firstname })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    const events = await eventsOf(service, 'customer', before.id)
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 21 }, (_, i) => i + 1),
    )
    const shown = events.slice(1).map(({ snapshot }) => snapshot.firstname)
    expect([...shown].sort()).toEqual([...names].sort())
    expect((await ask('GET', before.id)).body).toEqual(events.at(-1)?.snapshot)
  })

  it('keeps two simultaneous changes of different fields', async () => {
    const before = await made()
    await Promise.all([
      ask('PUT', before.id, { company: 'One' }),
      ask('PUT', before.id, { notes: 'Two' }),
      ask('PUT', before.id, { address_zip: 'Three' }),
    ])
    expect((await ask('GET', before.id)).body).toMatchObject({
      company: 'One',
      notes: 'Two',
      address_zip: 'Three',
    })
  })
})
