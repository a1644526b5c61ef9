// Receipts on request: their recipients, their transactions, and their traces.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { openPaymentsApi, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import {
  apiWithRecipient,
  askReceipt,
  changeCustomer,
  EMAIL,
  messagesOf,
  PHONE,
  receiptsOf,
  recipientsOf,
} from '../support/receipts.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import { type Answer, call } from '../support/test-service.ts'

/** The sandbox gateway decides this amount only at the deadline. */
const UNDECIDED = 763.63

const many = (count: number) => Array.from({ length: count }, (_, i) => `copy${i}@example.com`)

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `+120255501${i + 10}`)

describe('a receipt', () => {
  let plain: PaymentsApi
  let api: PaymentsApi

  beforeAll(async () => {
    // No worker sends receipts here, so the test sees the due rows.
    plain = await openPaymentsApi({ queues: ['charge', 'refund', 'doubt'] })
    api = await apiWithRecipient(plain.service)
  })
  afterAll(() => plain.service.close())

  it.each([
    ['PUT', 'receipt/email', { ccEmails: ['b@example.com'] }, 'receipt_email_at'],
    ['POST', 'receipt/email', { ccEmails: ['b@example.com'] }, 'receipt_email_at'],
    ['PUT', 'receipt-email', { ccEmails: ['b@example.com'] }, 'receipt_email_at'],
    ['POST', 'receipt-email', { ccEmails: ['b@example.com'] }, 'receipt_email_at'],
    ['POST', 'receipt/email', { cc_emails: ['b@example.com'] }, 'receipt_email_at'],
    ['POST', 'receipt/sms', { cc_sms: ['+12025550199'] }, 'receipt_sms_at'],
    ['PUT', 'receipt/sms', { ccSms: ['+12025550199'] }, 'receipt_sms_at'],
    ['POST', 'receipt/sms', { ccSMS: ['+12025550199'] }, 'receipt_sms_at'],
    ['PUT', 'receipt-sms', { ccSMS: ['(202) 555-0199'] }, 'receipt_sms_at'],
    ['POST', 'receipt-sms', { ccSms: ['2025550199'] }, 'receipt_sms_at'],
  ] as const)('by %s /%s is accepted, and answers the transaction', async (...asked) => {
    const [method, path, body, stamp] = asked
    const id = await api.paid()
    const before = (await api.get(id)).body
    expect(before).toMatchObject({ receipt_email_at: null, receipt_sms_at: null })
    const url = `/transaction/${id}/${path}`
    const answer = await call(plain.service.app, method, url, api.merchant.headers, body)
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect([answer.status, answer.body]).toEqual([200, { ...before, [stamp]: at, updated_at: at }])
    expect((await api.get(id)).body).toEqual(answer.body)
    expect(await recipientsOf(api, id)).toEqual(
      stamp === 'receipt_email_at'
        ? [`email ${EMAIL}`, 'email b@example.com']
        : [`sms ${PHONE}`, 'sms +12025550199'],
    )
  })

  it.each([undefined, '', '""', '{}'])('needs no body: %j', async (payload) => {
    const id = await api.paid()
    for (const channel of ['email', 'sms']) {
      const url = `/transaction/${id}/receipt/${channel}`
      const headers = { ...api.merchant.headers, ...JSON_TYPE }
      const sent = { method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) }
      expect((await send(plain.service.app, sent)).status).toBe(200)
    }
    expect(await recipientsOf(api, id)).toEqual([`email ${EMAIL}`, `sms ${PHONE}`])
  })

  it('goes to the customer first, then to all copies, once each', async () => {
    const own = await apiWithRecipient(plain.service)
    await changeCustomer(own, {
      email: 'Ada@Example.com',
      cc_emails: ['Books@example.com', 'ADA@example.com'],
      cc_sms: ['+12025550124', '(202) 555-0123'],
    })
    const id = await own.paid()
    const ccEmails = ['BOOKS@EXAMPLE.COM', 'z@example.com', 'a@example.com', 'Z@example.com']
    expect((await askReceipt(own, id, 'email', { ccEmails })).status).toBe(200)
    const ccSms = ['202-555-0123', '+12025550125', '12025550125']
    const ccSMS = ['+12025550126', '+1 202 555 0124']
    expect((await askReceipt(own, id, 'sms', { ccSms, ccSMS })).status).toBe(200)
    expect((await recipientsOf(own, id)).map((line) => line.toLowerCase())).toEqual([
      'email ada@example.com',
      'email books@example.com',
      'email z@example.com',
      'email a@example.com',
      'sms +12025550123',
      'sms +12025550124',
      'sms +12025550125',
      'sms +12025550126',
    ])
  })

  it('goes once to an address that is named in several spellings', async () => {
    const own = await apiWithRecipient(plain.service)
    await changeCustomer(own, { email: 'ada@münchen.example', cc_emails: ['José@example.com'] })
    const id = await own.paid()
    const ccEmails = ['Ada@xn--mnchen-3ya.example', 'Jose\u0301@example.com', 'b@example.com']
    expect((await askReceipt(own, id, 'email', { ccEmails })).status).toBe(200)
    expect(await recipientsOf(own, id)).toEqual([
      'email ada@münchen.example',
      'email José@example.com',
      'email b@example.com',
    ])
  })

  it('goes to the copies in the request if the customer has no address', async () => {
    const own = await apiWithRecipient(plain.service, { email: null })
    const id = await own.paid()
    expect((await askReceipt(own, id, 'email', { ccEmails: ['b@example.com'] })).status).toBe(200)
    await changeCustomer(own, { cc_emails: ['books@example.com'] })
    expect((await askReceipt(own, id, 'email')).status).toBe(200)
    expect(await recipientsOf(own, id)).toEqual(['email b@example.com', 'email books@example.com'])
  })

  it("goes to the customer's present address, not to that of the charge", async () => {
    const own = await apiWithRecipient(plain.service)
    const id = await own.paid()
    await changeCustomer(own, { email: 'new@example.com' })
    await askReceipt(own, id, 'email')
    expect(await recipientsOf(own, id)).toEqual(['email new@example.com'])
  })

  it('is sent again by each request, whatever the log calls it', async () => {
    const id = await api.paid()
    const headers = { 'x-request-id': 'the same' }
    for (let i = 0; i < 2; i += 1) {
      expect((await askReceipt(api, id, 'email', {}, headers)).status).toBe(200)
    }
    expect(await recipientsOf(api, id)).toEqual([`email ${EMAIL}`, `email ${EMAIL}`])
  })

  it('writes the event of each acceptance in the commit of the due row', async () => {
    const id = await api.paid()
    const first = await askReceipt(api, id, 'email')
    const second = await askReceipt(api, id, 'sms')
    const rows = await plain.service.world.db.query(
      `SELECT e.type, e.sequence, e.snapshot, d.channel FROM event e
       LEFT JOIN delivery d ON d.account_id = e.account_id AND d.xmin = e.xmin
       WHERE e.resource_id = $1 ORDER BY e.sequence`,
      [id],
    )
    const base = rows[0]?.sequence
    expect(rows).toMatchObject([
      { type: 'create_transaction', channel: null },
      { type: 'update_transaction', sequence: base + 2, snapshot: first.body, channel: 'email' },
      { type: 'update_transaction', sequence: base + 4, snapshot: second.body, channel: 'sms' },
    ])
    expect(second.body.receipt_email_at).toBe(first.body.receipt_email_at)
    expect(second.body.updated_at >= first.body.updated_at).toBe(true)
  })

  it('works as one of many at once, beside a void', async () => {
    const id = await api.paid()
    const asked = ['email', 'sms', 'email', 'sms'] as const
    const answers = await Promise.all([
      ...asked.map((channel) => askReceipt(api, id, channel)),
      api.ask(id, 'void'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { body } = await api.get(id)
    const stamp = expect.any(String)
    expect(body).toMatchObject({ is_voided: true, receipt_email_at: stamp, receipt_sms_at: stamp })
    const events = await api.events(id)
    const base = events[0]?.sequence ?? 0
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => base + 2 * i))
    expect(events.at(-1)?.snapshot).toEqual(body)
    expect(events.length).toBeGreaterThanOrEqual(1 + asked.length + 1)
    expect(await recipientsOf(api, id)).toHaveLength(4)
  })

  it.each<[string, (api: PaymentsApi) => Promise<string>]>([
    ['an authorisation', (own) => own.authorised()],
    ['a capture', (own) => childOf(own, 'capture')],
    ['a void', (own) => childOf(own, 'void')],
    ['a refund', (own) => childOf(own, 'refund')],
    ['what was voided', voided],
    ['what was recorded by hand', recorded],
  ])('can be requested for %s', async (_, make) => {
    const id = await make(api)
    const answer = await askReceipt(api, id, 'email')
    expect([answer.status, answer.body.id]).toEqual([200, id])
    expect(answer.body.receipt_email_at).toEqual(expect.any(String))
    expect(await recipientsOf(api, id)).toEqual([`email ${EMAIL}`])
  })

  it.each([
    ['email', { ccEmails: ['nobody'] }, ['ccEmails.0']],
    ['email', { ccEmails: ['b@example.com', 'c@example.com\r\nBcc: d@example.com'] }, 1],
    ['email', { ccEmails: many(11) }, ['ccEmails']],
    ['email', { ccEmails: 'b@example.com' }, ['ccEmails']],
    ['email', { ccEmails: [5] }, ['ccEmails.0']],
    ['email', { idempotency_id: 'a'.repeat(256) }, ['idempotency_id']],
    ['sms', { ccSms: ['12'] }, ['ccSms.0']],
    ['sms', { ccSMS: ['+12025550125', 'phone'] }, ['ccSMS.1']],
    ['sms', { ccSms: ['x'], ccSMS: ['x'] }, ['ccSMS.0', 'ccSms.0']],
    ['sms', { ccSms: numbers(6), ccSMS: numbers(5) }, ['ccSMS']],
    ['sms', { ccSms: numbers(11) }, ['ccSms']],
    ['email', { ccEmails: many(6), cc_emails: many(5) }, ['cc_emails']],
    ['sms', { ccSms: numbers(4), ccSMS: numbers(4), cc_sms: numbers(3) }, ['cc_sms']],
  ] as const)('by %s is refused with %j, and nothing is written', async (channel, body, faults) => {
    const id = await api.paid()
    const fields = faults === 1 ? ['ccEmails.1'] : faults
    expectRefusal(await askReceipt(api, id, channel, body), 400, 'invalid_request', fields)
    await expectUntouched(api, id)
  })

  it('can have ten copies, and not more', async () => {
    const id = await api.paid()
    expect((await askReceipt(api, id, 'email', { ccEmails: many(10) })).status).toBe(200)
    expect(await recipientsOf(api, id)).toHaveLength(11)
  })

  it('is listed with the newest 1,000 of its transaction, the oldest of them first', async () => {
    const id = await api.paid()
    await askReceipt(api, id, 'email')
    await plain.service.world.db.query(
      `INSERT INTO delivery
       SELECT r.* FROM delivery d CROSS JOIN generate_series(1, 1000) n
       CROSS JOIN LATERAL jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(),
         'request', n, 'created_at', d.created_at + n * interval '1 s')) r
       WHERE d.subject_id = $1`,
      [id],
    )
    const { body: listed } = await receiptsOf(api, id)
    expect(listed).toHaveLength(1_000)
    const times: number[] = listed.map((one: { created_at: string }) => Date.parse(one.created_at))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    const [row] = await plain.service.world.db.query(
      'SELECT max(created_at) AS newest FROM delivery WHERE subject_id = $1',
      [id],
    )
    expect(times.at(-1)).toBe(row?.newest.getTime())
  })

  it.each([
    ['FAILED', () => declined(api)],
    ['PENDING', () => api.charge({ total: UNDECIDED }, { prefer: 'respond-async' })],
  ] as const)('of what is %s is refused', async (status, make) => {
    const { body } = await make()
    expect(body.status).toBe(status)
    for (const channel of ['email', 'sms'] as const) {
      const refusal = await askReceipt(api, body.id, channel)
      expectRefusal(refusal, 409, 'wrong_state')
      expect(refusal.body.message).toContain(`the transaction is ${status}`)
    }
    await expectUntouched(api, body.id)
  })

  it.each(['email', 'sms'] as const)('without a recipient is refused: by %s', async (channel) => {
    const own = await apiWithRecipient(plain.service)
    await changeCustomer(own, { email: null, phone: null })
    const id = await own.paid()
    expectRefusal(await askReceipt(own, id, channel), 400, 'no_recipient')
    const other = channel === 'email' ? 'sms' : 'email'
    await changeCustomer(own, other === 'email' ? { email: EMAIL } : { phone: PHONE })
    expectRefusal(await askReceipt(own, id, channel), 400, 'no_recipient')
    await expectUntouched(own, id)
    expect((await askReceipt(own, id, other)).status).toBe(200)
  })

  it('by text message needs a team with that feature', async () => {
    await changeCustomer(plain, { email: EMAIL, phone: PHONE })
    const id = await plain.paid()
    const ccSms = ['+12025550199']
    expectRefusal(await askReceipt(plain, id, 'sms'), 403, 'sms_not_enabled')
    expectRefusal(await askReceipt(plain, id, 'sms', { ccSms }), 403, 'sms_not_enabled')
    await expectUntouched(plain, id)
    expect((await askReceipt(plain, id, 'email')).status).toBe(200)
  })

  it('by text message is answered as before, though its team has lost the feature since', async () => {
    const own = await apiWithRecipient(api.service)
    const id = await own.paid()
    const keyed = { idempotency_id: 'a text' }
    const first = await askReceipt(own, id, 'sms', keyed)
    expect(first.status).toBe(200)
    await setTeam(own.service.world, own.merchant.teamId, ['sms_enabled=false'])
    expect((await askReceipt(own, id, 'sms', keyed)).text).toBe(first.text)
    expectRefusal(await askReceipt(own, id, 'sms'), 403, 'sms_not_enabled')
  })

  it('for an unknown transaction is 404', async () => {
    const id = await plain.paid()
    for (const channel of ['email', 'sms'] as const) {
      expectRefusal(await askReceipt(api, id, channel), 404, 'not_found')
    }
    expectRefusal(await receiptsOf(api, id), 404, 'not_found')
    await expectUntouched(plain, id)
  })

  it('is listed with all others of its transaction, the oldest first', async () => {
    const id = await api.paid()
    expect((await receiptsOf(api, id)).body).toEqual([])
    await askReceipt(api, id, 'email', { ccEmails: ['b@example.com'] })
    await askReceipt(api, id, 'sms')
    await askReceipt(api, id, 'email')
    const other = await api.paid()
    await askReceipt(api, other, 'email')
    const { status, body } = await receiptsOf(api, id)
    expect(status).toBe(200)
    const owed = { subject: 'transaction', subject_id: id, status: 'pending', attempts: 0 }
    const at = expect.any(String)
    const nothingYet = { history: [], provider_id: null, sent_at: null, delivered_at: null }
    const all = { ...owed, ...nothingYet, reason: null, last_error: null, created_at: at }
    const each = { ...all, id: at, updated_at: at, next_attempt_at: at }
    expect(body).toEqual([
      { ...each, channel: 'email', recipient: EMAIL },
      { ...each, channel: 'email', recipient: 'b@example.com' },
      { ...each, channel: 'sms', recipient: PHONE },
      { ...each, channel: 'email', recipient: EMAIL },
    ])
  })
})

/** Expects that the request left no trace. */
async function expectUntouched(api: PaymentsApi, id: string): Promise<void> {
  expect((await api.get(id)).body).toMatchObject({ receipt_email_at: null, receipt_sms_at: null })
  expect((await receiptsOf(api, id)).body).toEqual([])
  expect((await messagesOf(api)).filter((one) => one.subject_id === id)).toEqual([])
  const types = (await api.events(id)).map(({ type }) => type)
  expect(types.filter((type) => type === 'update_transaction')).toEqual([])
}

async function declined({ service, merchant, charge }: PaymentsApi): Promise<Answer> {
  return charge({ payment_method_id: await service.card(merchant, DECLINED_CARD) })
}

async function voided(api: PaymentsApi): Promise<string> {
  const id = await api.paid()
  expect((await api.ask(id, 'void')).status).toBe(200)
  return id
}

async function childOf(api: PaymentsApi, type: 'capture' | 'void' | 'refund'): Promise<string> {
  const id = await (type === 'capture' ? api.authorised() : api.paid())
  if (type === 'refund') await takeIntoBatch(api.service, [id])
  expect((await api.ask(id, type)).status).toBe(200)
  return (await api.childOf(id, type)).id
}

async function recorded(api: PaymentsApi): Promise<string> {
  const { service, merchant, card } = api
  const { customer_id } = (await paymentsApiOf(service, merchant, card).charge()).body
  const body = { total: 8, type: 'charge', method: 'cash', customer_id }
  return (await call(service.app, 'POST', '/transaction', merchant.headers, body)).body.id
}
