// Invoices in the form of requests, and their rows.

import { expect } from 'vitest'
import type { PaymentsApi } from './payments-api.ts'
import { type Answer, call, GOOD_CARD, type TestService } from './test-service.ts'

/** The sandbox gateway decides this amount only at the deadline. */
const UNDECIDED = 763.63

type Biller = Pick<PaymentsApi, 'service' | 'merchant' | 'card'>

/** The customer of the merchant's card. */
export async function customerOf({ service, merchant, card }: Biller): Promise<string> {
  const url = `/payment-method/${card}`
  return (await call(service.app, 'GET', url, merchant.headers)).body.customer_id
}

/** Another card of the customer of the merchant's card. */
export async function otherCard(biller: Biller, card_number = GOOD_CARD): Promise<string> {
  const { service, merchant } = biller
  const customer_id = await customerOf(biller)
  const sent = { method: 'card', person_name: 'A B', card_number, card_exp: '1239', customer_id }
  const made = await call(service.app, 'POST', '/payment-method', merchant.headers, sent)
  expect(`${made.status} ${made.text}`).toMatch(/^200 /)
  return made.body.id
}

/** The id of a new invoice of 10.00 for the merchant's card, unless the body says otherwise. */
export async function payableInvoice(biller: Biller, body: object = {}): Promise<string> {
  const { service, merchant, card } = biller
  const customer_id = await customerOf(biller)
  const sent = { total: 10, customer_id, payment_method_id: card, ...body }
  const made = await call(service.app, 'POST', '/invoice', merchant.headers, sent)
  expect(`${made.status} ${made.text}`).toMatch(/^200 /)
  return made.body.id
}

/** The same, with a payment that stays PENDING. */
export async function paymentUnderWay(biller: Biller): Promise<string> {
  const id = await payableInvoice(biller, { total: UNDECIDED })
  const begun = await payInvoice(biller, id, {}, { prefer: 'respond-async' })
  expect([begun.status, begun.body.status]).toEqual([202, 'PENDING'])
  return id
}

export function payInvoice(
  { service, merchant }: Pick<PaymentsApi, 'service' | 'merchant'>,
  id: string,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const all = { ...merchant.headers, ...headers }
  return call(service.app, 'POST', `/invoice/${id}/pay`, all, body)
}

/** The events of an invoice, from the first on. */
export function invoiceEvents(service: TestService, id: string) {
  return service.world.db.query(
    `SELECT e.type, e.sequence, e.snapshot, e.request_id, e.xmin = v.xmin AS same_commit
     FROM event e JOIN invoice v ON v.account_id = e.account_id AND v.id::text = e.resource_id
     WHERE e.resource_id = $1 ORDER BY e.sequence`,
    [id],
  )
}

/** The id of a schedule of the customer of the merchant's card, which never runs. */
export async function insertSchedule(biller: Biller): Promise<string> {
  const [row] = await biller.service.world.db.query(
    `INSERT INTO schedule (account_id, id, customer_id, total, currency, rule, anchor, timezone,
       email_notification, sms_notification, meta, request_id, created_at, updated_at)
     SELECT account_id, gen_random_uuid(), id, 500, 'USD', 'FREQ=DAILY', '2026-01-01T00:00:00',
       'UTC', true, false, '{}', 'r', created_at, created_at
     FROM customer WHERE id = $1 RETURNING id`,
    [await customerOf(biller)],
  )
  return row?.id
}

/** Sets a number of failed automatic payments; the next is due then, or never in real time. */
export async function toBeTriedAgain(
  { world }: TestService,
  id: string,
  retryAt: Date,
  { tries = 1, isInRealTime = true } = {},
): Promise<void> {
  await world.db.query(
    `UPDATE invoice SET status = 'ATTEMPTED', tries = $4, retry_at = $2, due_at = $3 WHERE id = $1`,
    [id, retryAt, isInRealTime ? retryAt : null, tries],
  )
}
