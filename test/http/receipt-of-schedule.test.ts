// The bills and receipts of a schedule's runs, by the schedule's own switches.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { forgetAtGateway, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import {
  apiWithRecipient,
  changeCustomer,
  type DueMessage,
  EMAIL,
  messagesOf,
  PHONE,
  sendByItself,
} from '../support/receipts.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { advanceTo, scheduleOf, setClock } from '../support/sandbox-clock.ts'
import { openSchedules } from '../support/schedules.ts'
import { setTeam } from '../support/set-team.ts'

const ONCE = { rule: 'FREQ=DAILY;COUNT=1', start: '2027-02-01T09:00:00' }
const RAN_AT = '2027-02-01T14:00:00.000Z'

/** No worker sends messages here, so the test sees the due rows. */
const QUEUES = ['charge', 'refund', 'doubt', 'settlement', 'schedules', 'clock', 'sweep'] as const

const BY_EMAIL = `email ${EMAIL}`
const BY_SMS = `sms ${PHONE}`

const LONG_TEST = { timeout: 60_000 }

describe('a run of a schedule', LONG_TEST, () => {
  let plain: PaymentsApi

  beforeAll(async () => {
    plain = await openPaymentsApi({ queues: QUEUES })
  })
  afterAll(() => plain.service.close())

  async function ran(api: PaymentsApi, fields: object, until = '2027-02-01T15:00:00Z') {
    expect((await setClock(api, '2027-02-01T12:00:00Z')).status).toBe(200)
    const id = await scheduleOf(api, { ...ONCE, ...fields })
    await advanceTo(api, until)
    return id
  }

  const rows = (api: PaymentsApi, table: 'invoice' | 'transaction') =>
    api.service.world.db.query(`SELECT * FROM ${table} WHERE account_id = $1 ORDER BY id`, [
      api.merchant.accountId,
    ])

  const linesOf = (due: readonly DueMessage[]) =>
    due.map(({ channel, recipient }) => `${channel} ${recipient}`)

  it.each<[string, object, string, readonly string[]]>([
    ['by e-mail, unless it says otherwise', {}, 'sms_enabled=true', [BY_EMAIL]],
    ['not at all', { email_notification: false }, 'sms_enabled=true', []],
    ['by both', { sms_notification: true }, 'sms_enabled=true', [BY_EMAIL, BY_SMS]],
    [
      'by text message alone',
      { email_notification: false, sms_notification: true },
      'sms_enabled=true',
      [BY_SMS],
    ],
    [
      'by no text message where the team has none',
      { sms_notification: true },
      'sms_enabled=false',
      [BY_EMAIL],
    ],
  ])('sends its bill and its receipt %s', async (_, switches, flag, expected) => {
    const billed = await apiWithRecipient(plain.service)
    const paying = await apiWithRecipient(plain.service)
    for (const api of [billed, paying]) {
      await setTeam(api.service.world, api.merchant.teamId, [flag])
      // The account's settings are for payments outside schedules.
      await sendByItself(api.service, api.merchant, ['email', 'sms'])
    }
    await Promise.all([
      ran(billed, { ...switches, payment_method_id: undefined }),
      ran(paying, switches),
    ])
    const [invoice] = await rows(billed, 'invoice')
    const bills = await messagesOf(billed)
    expect(linesOf(bills)).toEqual(expected)
    for (const bill of bills) {
      expect(bill).toMatchObject({ subject: 'invoice', subject_id: invoice?.id })
    }
    const [payment] = await rows(paying, 'transaction')
    expect(payment?.status).toBe('SUCCESS')
    const receipts = await messagesOf(paying)
    expect(linesOf(receipts)).toEqual(expected)
    for (const receipt of receipts) {
      expect(receipt).toMatchObject({ subject: 'transaction', subject_id: payment?.id })
    }
    const at = (channel: string) =>
      expected.some((line) => line.startsWith(channel)) ? new Date(RAN_AT) : null
    expect(payment).toMatchObject({ receipt_email_at: at('email'), receipt_sms_at: at('sms') })
  })

  it('notifies all recipients of its payer, in the commits of the events', async () => {
    for (const fields of [{ payment_method_id: undefined }, {}]) {
      const api = await apiWithRecipient(plain.service)
      await changeCustomer(api, { cc_emails: ['books@example.com', 'ADA@example.com'] })
      await ran(api, fields)
      const due = await messagesOf(api)
      expect(linesOf(due)).toEqual([BY_EMAIL, 'email books@example.com'])
      const table = due[0]?.subject === 'invoice' ? 'invoice' : 'transaction'
      const [row] = await api.service.world.db.query(
        `SELECT count(DISTINCT d.xmin::text)::integer AS commits, bool_and(d.xmin = r.xmin) AS same
         FROM delivery d JOIN ${table} r ON r.account_id = d.account_id AND r.id = d.subject_id
         WHERE d.account_id = $1`,
        [api.merchant.accountId],
      )
      expect([table, row]).toEqual([table, { commits: 1, same: true }])
    }
  })

  it('bills each time that its payment fails', async () => {
    const api = await apiWithRecipient(plain.service, { cardNumber: DECLINED_CARD })
    await ran(api, { sms_notification: true }, '2027-03-01T00:00:00Z')
    const payments = await rows(api, 'transaction')
    expect(payments.map((row) => row.status)).toEqual(['FAILED', 'FAILED', 'FAILED', 'FAILED'])
    for (const row of payments) {
      expect(row).toMatchObject({ receipt_email_at: null, receipt_sms_at: null })
    }
    const [invoice] = await rows(api, 'invoice')
    const due = await messagesOf(api)
    const each = [BY_EMAIL, BY_SMS]
    expect(linesOf(due)).toEqual([...each, ...each, ...each, ...each])
    for (const one of due) {
      expect(one).toMatchObject({ subject: 'invoice', subject_id: invoice?.id })
    }
  })

  it('is not billed again because a refund of its payment is declined', async () => {
    const api = await apiWithRecipient(plain.service)
    await sendByItself(api.service, api.merchant, ['email', 'sms'])
    await ran(api, { email_notification: false }, '2027-02-02T12:00:00Z')
    const [payment] = await rows(api, 'transaction')
    await forgetAtGateway(api.service, payment?.id)
    const declined = await api.ask(payment?.id, 'refund', { total: 4 })
    expect([declined.status, declined.body.child_transactions[0].status]).toEqual([400, 'FAILED'])
    expect(await messagesOf(api)).toEqual([])
  })

  it("has refund receipts by the account's settings, since no run makes refunds", async () => {
    const api = await apiWithRecipient(plain.service)
    await sendByItself(api.service, api.merchant, ['sms'])
    await ran(api, {}, '2027-02-02T12:00:00Z')
    const [payment] = await rows(api, 'transaction')
    const { status, body } = await api.ask(payment?.id, 'refund', { total: 4 })
    expect(status).toBe(200)
    expect(linesOf(await messagesOf(api))).toEqual([BY_EMAIL, BY_SMS])
    expect((await messagesOf(api)).map((one) => one.subject_id)).toEqual([
      payment?.id,
      body.child_transactions[0].id,
    ])
  })

  it('is done even if its payer has no address', async () => {
    const api = await apiWithRecipient(plain.service, { email: null })
    await ran(api, {})
    const [payment] = await rows(api, 'transaction')
    expect(payment).toMatchObject({ status: 'SUCCESS', receipt_email_at: null })
    expect((await rows(api, 'invoice')).map(({ status }) => status)).toEqual(['PAID'])
    expect(await messagesOf(api)).toEqual([])
  })

  it('in a year of months writes each of them once, in order', async () => {
    const api = await apiWithRecipient(plain.service)
    await ran(api, { payment_method_id: undefined, rule: 'FREQ=MONTHLY' }, '2028-01-15T00:00:00Z')
    const invoices = await rows(api, 'invoice')
    expect(invoices).toHaveLength(12)
    const due = await messagesOf(api)
    expect(due.map((one) => one.subject_id)).toEqual(invoices.map(({ id }) => id))
  })
})

describe('a run of a schedule in real time', LONG_TEST, () => {
  it('bills at once, and so does no second round', async () => {
    await using schedules = await openSchedules({ queues: ['schedules', 'charge', 'doubt'] })
    const { service, merchant, clock, customer, ask } = schedules
    await ask('PUT', `/customer/${customer}`, { email: EMAIL })
    const start = '2026-01-17T07:00:30'
    const { id } = await schedules.made({ start, rule: 'FREQ=DAILY', payment_method_id: undefined })
    const look = () => service.world.queues.ensureRound('schedules')
    await look()
    expect(await messagesOf({ service, merchant })).toEqual([])
    clock.at = new Date(clock.at.getTime() + MINUTE)
    await expect
      .poll(async () => {
        await look()
        return (await messagesOf({ service, merchant })).length
      })
      .toBe(1)
    clock.at = new Date(clock.at.getTime() + MINUTE)
    // A later run of another schedule shows that the round has passed.
    const other = await schedules.made({ start: '2026-01-17T07:02:30', rule: 'FREQ=DAILY;COUNT=1' })
    clock.at = new Date(clock.at.getTime() + MINUTE)
    await expect
      .poll(async () => {
        await look()
        return (await schedules.get(other.id)).last_invoice_status
      })
      .toBe('PAID')
    const { body } = await ask('GET', `/invoice?schedule_id=${id}`)
    const due = await messagesOf({ service, merchant })
    expect(due.filter(({ subject }) => subject === 'invoice')).toMatchObject([
      { channel: 'email', recipient: EMAIL, subject_id: body.data[0].id },
    ])
    expect(due).toHaveLength(2)
  })
})
