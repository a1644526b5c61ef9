// Automatic receipts: which outcomes they follow, and that no such outcome is without one.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { customerOf, payableInvoice, payInvoice } from '../support/invoices.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import {
  apiWithRecipient,
  changeCustomer,
  EMAIL,
  messagesOf,
  PHONE,
  recipientsOf,
  sendByItself,
} from '../support/receipts.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setClock } from '../support/sandbox-clock.ts'
import { setTeam } from '../support/set-team.ts'
import { call } from '../support/test-service.ts'

/** The sandbox gateway decides this amount at the third question. */
const DECIDED_LATE = 763.64

const BY_SMS = `sms ${PHONE}`
const BOTH = [`email ${EMAIL}`, BY_SMS]

describe('an automatic receipt', () => {
  let plain: PaymentsApi
  let api: PaymentsApi

  beforeAll(async () => {
    // No worker sends receipts here, so the test sees the due rows.
    plain = await openPaymentsApi({ queues: ['charge', 'refund', 'doubt'] })
    api = await apiWithRecipient(plain.service)
    await sendByItself(api.service, api.merchant, ['email', 'sms'])
  })
  afterAll(() => plain.service.close())

  const stamped = { receipt_email_at: expect.any(String), receipt_sms_at: expect.any(String) }
  const unstamped = { receipt_email_at: null, receipt_sms_at: null }

  it('follows a charge, in its answer, its event and its commit', async () => {
    const { status, body } = await api.charge()
    expect([status, body]).toEqual([200, expect.objectContaining(stamped)])
    expect((await api.get(body.id)).body).toEqual(body)
    expect(await recipientsOf(api, body.id)).toEqual(BOTH)
    const events = await api.events(body.id)
    expect(events).toMatchObject([{ type: 'create_transaction', snapshot: body }])
    expect(await commitsOf(api, body.id)).toBe(1)
  })

  it('follows a repeated charge once', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await api.charge({}, headers)
    const again = await api.charge({}, headers)
    expect(again.text).toBe(first.text)
    expect(await recipientsOf(api, first.body.id)).toEqual(BOTH)
  })

  it('follows a capture, and not the authorisation', async () => {
    const id = await api.authorised()
    expect((await api.get(id)).body).toMatchObject(unstamped)
    for (const total of [4, 3]) {
      const answer = await api.ask(id, 'capture', { total })
      expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(unstamped)])
    }
    const captures = (await api.get(id)).body.child_captures
    expect(captures).toMatchObject([stamped, stamped])
    for (const capture of captures) {
      expect(await recipientsOf(api, capture.id)).toEqual(BOTH)
      expect((await api.events(capture.id)).map(({ type }) => type)).toEqual(['create_transaction'])
      expect(await commitsOf(api, capture.id)).toBe(1)
    }
    expect(await recipientsOf(api, id)).toEqual([])
  })

  it('follows a refund', async () => {
    const id = await api.paid()
    await takeIntoBatch(api.service, [id])
    const { status, body } = await api.ask(id, 'refund', { total: 4 })
    const [refund] = body.child_transactions
    expect([status, refund]).toEqual([200, expect.objectContaining(stamped)])
    expect(await recipientsOf(api, refund.id)).toEqual(BOTH)
    expect((await api.events(refund.id)).map(({ type }) => type)).toEqual(['create_transaction'])
    expect(await commitsOf(api, refund.id)).toBe(1)
    expect(await recipientsOf(api, id)).toEqual(BOTH)
  })

  it('does not follow a void', async () => {
    const id = await api.paid()
    const { body } = await api.ask(id, 'void')
    expect(body.child_transactions).toMatchObject([{ type: 'void', ...unstamped }])
    expect(await recipientsOf(api, body.child_transactions[0].id)).toEqual([])
    expect(await recipientsOf(api, id)).toEqual(BOTH)
  })

  it('does not follow a declined charge', async () => {
    const card = await api.service.card(api.merchant, DECLINED_CARD)
    const { body } = await api.charge({ payment_method_id: card })
    const reachable = { service: api.service, merchant: api.merchant, card }
    await changeCustomer({ ...api, ...reachable }, { email: EMAIL })
    const second = await api.charge({ payment_method_id: card })
    for (const { id } of [body, second.body]) {
      expect((await api.get(id)).body).toMatchObject({ status: 'FAILED', ...unstamped })
      expect(await recipientsOf(api, id)).toEqual([])
    }
  })

  it('does not follow a manual transaction', async () => {
    const sent = { total: 8, type: 'charge', method: 'cash', customer_id: await customerOf(api) }
    const { body } = await call(api.service.app, 'POST', '/transaction', api.merchant.headers, sent)
    expect(body).toMatchObject({ status: 'SUCCESS', is_manual: true, ...unstamped })
    expect(await recipientsOf(api, body.id)).toEqual([])
  })

  it('follows the payment of an invoice', async () => {
    const { status, body } = await payInvoice(api, await payableInvoice(api))
    expect([status, body]).toEqual([200, expect.objectContaining(stamped)])
    expect(await recipientsOf(api, body.id)).toEqual(BOTH)
    expect(await commitsOf(api, body.id)).toBe(1)
  })

  it('follows a late outcome, once', async () => {
    const begun = await api.charge({ total: DECIDED_LATE }, { prefer: 'respond-async' })
    expect(begun.body).toMatchObject({ status: 'PENDING', ...unstamped })
    const { id } = begun.body
    expect(await recipientsOf(api, id)).toEqual([])
    await expect
      .poll(async () => (await api.get(id)).body)
      .toMatchObject({ status: 'SUCCESS', ...stamped })
    expect(await recipientsOf(api, id)).toEqual(BOTH)
    const events = await api.events(id)
    expect(events.map(({ snapshot }) => [snapshot.status, snapshot.receipt_sms_at])).toEqual([
      ['PENDING', null],
      ['SUCCESS', expect.any(String)],
    ])
    expect(await commitsOf(api, id)).toBe(1)
  })

  it('goes to all recipients of the customer, once each', async () => {
    const own = await apiWithRecipient(api.service)
    await sendByItself(own.service, own.merchant, ['email', 'sms'])
    await changeCustomer(own, {
      cc_emails: ['Ada@Example.com', 'books@example.com', 'BOOKS@example.com'],
      cc_sms: ['+12025550199', PHONE],
    })
    const id = await own.paid()
    expect(await recipientsOf(own, id)).toEqual([
      `email ${EMAIL}`,
      'email books@example.com',
      `sms ${PHONE}`,
      'sms +12025550199',
    ])
  })

  it.each([
    ['nothing', [], ['sms_enabled=true'], {}, []],
    ['e-mail', ['email'], ['sms_enabled=true'], {}, [`email ${EMAIL}`]],
    ['text messages', ['sms'], ['sms_enabled=true'], {}, [BY_SMS]],
    ['both, with text messages not enabled', ['email', 'sms'], [], {}, [`email ${EMAIL}`]],
    ['text messages that are not enabled', ['sms'], [], {}, []],
    [
      'both, without a customer',
      ['email', 'sms'],
      ['sms_enabled=true'],
      { email: null, phone: null },
      [],
    ],
    ['both, of a phone', ['email', 'sms'], ['sms_enabled=true'], { email: null }, [BY_SMS]],
    ['both, of a copy', ['sms'], ['sms_enabled=true'], { phone: null, cc_sms: [PHONE] }, [BY_SMS]],
  ] as const)(
    'follows the settings of the account: %s',
    async (_, channels, flags, change, expected) => {
      const own = await apiWithRecipient(api.service)
      await setTeam(own.service.world, own.merchant.teamId, ['sms_enabled=false'])
      if (flags.length > 0) await setTeam(own.service.world, own.merchant.teamId, flags)
      await sendByItself(own.service, own.merchant, channels)
      await changeCustomer(own, change)
      const { status, body } = await own.charge()
      expect([status, body.status]).toEqual([200, 'SUCCESS'])
      expect(await recipientsOf(own, body.id)).toEqual(expected)
      const wanted = (channel: string) => expected.some((line) => line.startsWith(channel))
      expect([body.receipt_email_at !== null, body.receipt_sms_at !== null]).toEqual([
        wanted('email'),
        wanted('sms'),
      ])
    },
  )

  it('belongs to one account: others have none', async () => {
    await changeCustomer(plain, { email: EMAIL, phone: PHONE })
    const id = await plain.paid()
    expect((await plain.get(id)).body).toMatchObject(unstamped)
    expect(await messagesOf(plain)).toEqual([])
  })

  it("has the account's own time, and is due in real time", async () => {
    const own = await apiWithRecipient(api.service)
    await sendByItself(own.service, own.merchant, ['email'])
    await setClock(own, '2031-03-01T12:00:00Z')
    const begun = new Date().toISOString()
    const { body } = await own.charge()
    expect(body.receipt_email_at).toBe('2031-03-01T12:00:00.000Z')
    const [owed] = await own.service.world.db.query(
      'SELECT due_at, owed_at, created_at FROM delivery WHERE subject_id = $1',
      [body.id],
    )
    const ended = new Date().toISOString()
    for (const at of [owed?.due_at, owed?.owed_at, owed?.created_at]) {
      expect(at.toISOString() >= begun && at.toISOString() <= ended).toBe(true)
    }
  })
})

/** The number of commits that hold the transaction's last change and all rows due because of it. */
async function commitsOf({ service }: PaymentsApi, id: string): Promise<number> {
  const [row] = await service.world.db.query(
    `SELECT count(DISTINCT xmin::text)::integer AS commits, count(*)::integer AS rows FROM (
       SELECT xmin FROM transaction WHERE id = $1
       UNION ALL SELECT xmin FROM delivery WHERE subject_id = $1
     ) AS written`,
    [id],
  )
  expect(row?.rows).toBeGreaterThan(1)
  return row?.commits
}
