// Receipts in the form of requests, with their due and sent deliveries.

import { expect } from 'vitest'
import { customerOf } from './invoices.ts'
import { type PaymentsApi, paymentsApiOf } from './payments-api.ts'
import { setTeam } from './set-team.ts'
import { type Answer, call, type Merchant, type TestService } from './test-service.ts'

/** The addresses of the customer of a test, for either channel. */
export const EMAIL = 'ada@example.com'
export const PHONE = '+12025550123'

/**
 * A worker that takes longer than its lease, on a machine that stands still, loses it, and another
 * sends the same message again: this lease is long enough to prevent that.
 */
export const PATIENT_SENDERS = { messageTimeoutMs: 30_000 }

const SENT = { timeout: 20_000, interval: 50 }

export type Channel = 'email' | 'sms'

type Whose = Pick<PaymentsApi, 'service' | 'merchant'>

export interface DueMessage {
  readonly id: string
  readonly channel: Channel
  readonly subject: string
  readonly subject_id: string
  readonly recipient: string
  readonly status: string
}

export interface Message {
  readonly delivery_id: string
  readonly channel: Channel
  readonly recipient: string
  readonly text: string
}

/**
 * Changes the customer of the merchant's card. A null value means that the field was never set: the
 * API only changes fields, and removes none.
 */
export async function changeCustomer(api: PaymentsApi, change: object): Promise<void> {
  const id = await customerOf(api)
  const url = `/customer/${id}`
  const { status, text } = await call(api.service.app, 'PUT', url, api.merchant.headers, change)
  expect(`${status} ${text}`).toMatch(/^200 /)
  for (const [column, value] of Object.entries(change)) {
    if (value !== null) continue
    await api.service.world.db.query(`UPDATE customer SET ${column} = NULL WHERE id = $1`, [id])
  }
}

/** The payments API of another merchant, whose customer has addresses. */
export async function apiWithRecipient(
  service: TestService,
  { cardNumber, ...change }: { readonly cardNumber?: string; readonly email?: string | null } = {},
): Promise<PaymentsApi> {
  const merchant = await service.merchant()
  await setTeam(service.world, merchant.teamId, ['sms_enabled=true'])
  const api = paymentsApiOf(service, merchant, await service.card(merchant, cardNumber))
  await changeCustomer(api, { email: EMAIL, phone: PHONE, ...change })
  return api
}

/** From now on, each success has a receipt. */
export async function sendByItself(
  { world }: TestService,
  { accountId }: Merchant,
  channels: readonly Channel[],
): Promise<void> {
  const data = { autoReceipts: [...channels] }
  await world.db.prisma.account.update({ where: { id: accountId }, data })
}

export function askReceipt(
  { service, merchant }: Whose,
  id: string,
  channel: Channel,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const url = `/transaction/${id}/receipt/${channel}`
  return call(service.app, 'POST', url, { ...merchant.headers, ...headers }, body)
}

export function receiptsOf({ service, merchant }: Whose, id: string): Promise<Answer> {
  return call(service.app, 'GET', `/transaction/${id}/receipt`, merchant.headers)
}

/** All deliveries of the account to people, the oldest first. */
export async function messagesOf({ service, merchant }: Whose): Promise<readonly DueMessage[]> {
  const rows = await service.world.db.query(
    `SELECT id, channel, subject, subject_id, recipient, status FROM delivery
     WHERE account_id = $1 AND channel <> 'webhook' ORDER BY created_at, id`,
    [merchant.accountId],
  )
  return rows as unknown as readonly DueMessage[]
}

/** The deliveries of one transaction or invoice: their channels and recipients. */
export async function recipientsOf(whose: Whose, id: string): Promise<readonly string[]> {
  const owed = (await messagesOf(whose)).filter((one) => one.subject_id === id)
  return owed.map(({ channel, recipient }) => `${channel} ${recipient}`)
}

/** The messages that left the service, since no provider is configured. */
export async function outboxOf({ service, merchant }: Whose): Promise<readonly Message[]> {
  const rows = await service.world.db.query(
    `SELECT delivery_id, channel, recipient, text FROM outbox_message
     WHERE account_id = $1 ORDER BY created_at, id`,
    [merchant.accountId],
  )
  return rows as unknown as readonly Message[]
}

/**
 * Waits until this many deliveries are finished, and expects each to have left the service once.
 */
export async function expectSentOnce(whose: Whose, count: number): Promise<void> {
  await expect
    .poll(async () => (await messagesOf(whose)).map(({ status }) => status), SENT)
    .toEqual(Array.from({ length: count }, () => 'sent'))
  const owed = await messagesOf(whose)
  const line = (id: string, { channel, recipient }: Pick<DueMessage, 'channel' | 'recipient'>) =>
    `${id} ${channel} ${recipient}`
  const left = (await outboxOf(whose)).map((one) => line(one.delivery_id, one))
  expect([...left].sort()).toEqual(owed.map((one) => line(one.id, one)).sort())
}
