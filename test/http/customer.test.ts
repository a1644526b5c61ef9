import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL } from '../support/people.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const KIB = 1024

describe('a customer', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const create = (body: object, headers = {}) =>
    call(service.app, 'POST', '/customer', { ...merchant.headers, ...headers }, body)

  const eventsOf = (id: string) =>
    service.world.db.query(
      `SELECT e.type, e.sequence, e.snapshot, e.xmin = c.xmin AS same_commit
       FROM event e JOIN customer c ON c.id::text = e.resource_id WHERE e.resource_id = $1`,
      [id],
    )

  it('is answered with all fields that were sent', async () => {
    const { status, body } = await create(FULL)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...FULL,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    })
  })

  it('has an event in the same commit, with the same snapshot', async () => {
    const { body } = await create(FULL)
    expect(await eventsOf(body.id)).toEqual([
      { type: 'create_customer', sequence: 1, snapshot: body, same_commit: true },
    ])
  })

  it.each(['firstname', 'lastname', 'company', 'email'])(
    'may have nothing but its %s',
    async (name) => {
      const { status, body } = await create({ [name]: 'a@example.com' })
      expect(status).toBe(200)
      expect(body[name]).toBe('a@example.com')
      expect(body).toMatchObject({ phone: null, notes: null, cc_emails: [], cc_sms: [], meta: {} })
    },
  )

  it.each([
    {},
    { phone: '+12025550123' },
    { firstname: '', lastname: null, company: '', email: null },
    { meta: { firstname: 'Ada' } },
  ])('must have a name or an address: %j', async (body) => {
    expectRefusal(await create(body), 400, 'invalid_request', ['firstname'])
  })

  it('gets every fault at once, that of being empty included', async () => {
    const answer = await create({ phone: 'x', notes: 5, cc_sms: ['+12025550123', 'y'] })
    expectRefusal(answer, 400, 'invalid_request', ['cc_sms.1', 'firstname', 'notes', 'phone'])
  })

  it.each([
    ['+12025550123', '+12025550123'],
    ['2025550123', '+12025550123'],
    ['(202) 555-0123', '+12025550123'],
    ['202-555-0123', '+12025550123'],
    ['1 202 555 0123', '+12025550123'],
    ['+442079460123', '+442079460123'],
    ['+44 20 7946 0123', '+442079460123'],
  ])('with the phone %s has it stored as %s', async (phone, e164) => {
    const { body } = await create({ firstname: 'Ada', phone, cc_sms: [phone] })
    expect([body.phone, body.cc_sms]).toEqual([e164, [e164]])
  })

  it.each([
    '1',
    '555-0123',
    '+',
    '+1',
    '+1202555012345678',
    'call 2025550123',
    '2025550123 ext. 5',
    'phone',
  ])('cannot have the phone %j', async (phone) => {
    expectRefusal(await create({ firstname: 'A', phone }), 400, 'invalid_request', ['phone'])
    const copied = await create({ firstname: 'A', cc_sms: [phone] })
    expectRefusal(copied, 400, 'invalid_request', ['cc_sms.0'])
  })

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'a@b..c',
    'a@b@c',
    'a@b\r\nBcc: x@y',
    '',
  ])('cannot have the e-mail address %j', async (email) => {
    const copied = await create({ firstname: 'A', cc_emails: [email] })
    expectRefusal(copied, 400, 'invalid_request', ['cc_emails.0'])
  })

  it('keeps any meta as it was sent, in the answer, the row and the event', async () => {
    // Without numbers that are refused: whole ones beyond 2^53.
    const value = fc.jsonValue().filter((one) => !/(?<![.\d])\d{16}/.test(JSON.stringify(one)))
    const meta = fc.dictionary(fc.string({ unit: 'grapheme' }), value, { maxKeys: 5 })
    await fc.assert(
      fc.asyncProperty(meta.filter(isStorable), async (sent) => {
        const said = JSON.parse(JSON.stringify(sent))
        const { status, body } = await create({ firstname: 'Ada', meta: sent })
        expect([status, body.meta]).toEqual([200, said])
        const [event] = await eventsOf(body.id)
        expect(event?.snapshot.meta).toEqual(said)
        const list = await call(service.app, 'GET', '/customer?limit=1', merchant.headers)
        expect(list.body.data[0].meta).toEqual(said)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps 16 KiB of meta, and not a byte more', async () => {
    const most = { a: 'é'.repeat((16 * KIB - 8) / 2) }
    expect(Buffer.byteLength(JSON.stringify(most))).toBe(16 * KIB)
    const kept = await create({ firstname: 'Ada', meta: most })
    expect([kept.status, kept.body.meta]).toEqual([200, most])
    const more = await create({ firstname: 'Ada', meta: { a: `${most.a}x` } })
    expectRefusal(more, 400, 'invalid_request', ['meta'])
  })

  it.each([[[]], ['text'], [5], [true]])('cannot have the meta %j', async (meta) => {
    expectRefusal(await create({ firstname: 'A', meta }), 400, 'invalid_request', ['meta'])
  })
})

/** JSON that no database can store and no parser should accept is refused elsewhere. */
function isStorable(meta: object): boolean {
  const text = JSON.stringify(meta)
  return !/\\u0000|\\ud[89a-f]|__proto__/i.test(text)
}
