// The API from TypeScript: a charge, a list, a refund, and a monthly bill. Each is done once, even
// if requests are repeated. The types in api.d.ts come from the OpenAPI document, so the compiler
// knows the fields of every request and answer.
//
//   npm install openapi-fetch
//   API=http://127.0.0.1:3000 KEY=sk_sandbox_… npx tsx docs/client/example.ts

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { Paths, ScheduledInvoice, Transaction } from './api.d.ts'

interface Connection {
  readonly url: string
  readonly key: string
  readonly fetch?: typeof fetch
}

export type Api = ReturnType<typeof openApi>

/** Too many requests, or a service that cannot answer now: both say when to try again. */
const AGAIN_LATER = [429, 503]

const MOST_TRIES = 5

/** The wait if the answer names none. */
const WAIT_S = 1

export function openApi({ url, key, fetch: send = fetch }: Connection) {
  // Some operations also return CSV; this client asks for JSON.
  const api = createClient<Paths, 'application/json'>({
    baseUrl: url,
    headers: { authorization: `Bearer ${key}` },
    fetch: (request) => sendUntilAnswered(request, send),
  })
  api.use({
    onRequest({ request }) {
      // With a key of its own a request can be repeated: it is done once and gets the same answer.
      if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', randomUUID())
      }
    },
  })
  return api
}

async function sendUntilAnswered(request: Request, send: typeof fetch): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(request.clone()).catch((error: unknown) => {
      // Nobody knows whether the request arrived, which is another reason to repeat it.
      if (tries === MOST_TRIES) throw error
      return undefined
    })
    const isLast = answer !== undefined && !AGAIN_LATER.includes(answer.status)
    if (answer !== undefined && (isLast || tries === MOST_TRIES)) return answer
    await wait(Number(answer?.headers.get('retry-after') ?? WAIT_S) * 1000)
  }
}

/** Charges a customer's new card for an order, once for each order, however often it is called. */
export async function pay(api: Api, order: string, total: number): Promise<Transaction> {
  const card = await api.POST('/payment-method', {
    params: { header: { 'idempotency-key': `card of ${order}` } },
    body: {
      method: 'card',
      person_name: 'Ada Lovelace',
      card_number: '4111111111111111',
      card_exp: '1239',
    },
  })
  if (card.error !== undefined) throw new Error(card.error.message)
  const charge = await api.POST('/charge', {
    params: { header: { 'idempotency-key': order } },
    body: { total, payment_method_id: card.data.id, meta: { poNumber: order } },
  })
  // A declined charge is a transaction too: FAILED, with the gateway's reason as its message.
  if (charge.error !== undefined) throw new Error(charge.error.message ?? 'declined')
  return charge.data
}

/** A customer's successful payments, page by page, the oldest first. */
export async function* paymentsOf(api: Api, customerId: string): AsyncGenerator<Transaction> {
  const filter = { customer_id: customerId, status: 'SUCCESS' } as const
  for (let page = 1, last = 1; page <= last; page += 1) {
    const query = { ...filter, page, limit: 200, sort: 'created_at', order: 'ASC' } as const
    const { data, error } = await api.GET('/transaction', { params: { query } })
    if (error !== undefined) throw new Error(error.message)
    yield* data.data
    last = data.last_page
  }
}

/** Returns the money, whether or not the payment's batch has closed. */
export async function giveBack(api: Api, { id }: Transaction): Promise<Transaction> {
  const params = { path: { id } }
  const refund = await api.POST('/transaction/{id}/refund', { params })
  if (refund.error === undefined) return refund.data
  const isTooEarly = 'error' in refund.error && refund.error.error === 'not_batched_yet'
  if (!isTooEarly) throw new Error(refund.error.message ?? 'declined')
  const voided = await api.POST('/transaction/{id}/void', { params })
  if (voided.error !== undefined) throw new Error(voided.error.message ?? 'declined')
  return voided.data
}

/**
 * Bills the payer of a charge each month from the next minute on, with the same payment method. In
 * a month without the day it uses the last day.
 */
export async function billMonthly(
  api: Api,
  subscription: string,
  { customer_id, payment_method_id }: Transaction,
  total: number,
): Promise<ScheduledInvoice> {
  const made = await api.POST('/invoice/schedule', {
    params: { header: { 'idempotency-key': subscription } },
    body: { total, customer_id, payment_method_id, rule: 'FREQ=MONTHLY', missed_runs: 'one' },
  })
  if (made.error !== undefined) throw new Error(made.error.message)
  return made.data
}

if (process.argv[1] === import.meta.filename) {
  const { API = 'http://127.0.0.1:3000', KEY = '' } = process.env
  const api = openApi({ url: API, key: KEY })
  const paid = await pay(api, `order-${randomUUID()}`, 12.5)
  console.log(paid.status, paid.total, paid.id)
  for await (const { id, customer } of paymentsOf(api, paid.customer_id)) {
    console.log(id, customer.firstname, customer.lastname)
  }
  const plan = await billMonthly(api, `subscription-${randomUUID()}`, paid, 12.5)
  console.log(plan.rule_text, plan.next_run_at)
  await api.DELETE('/invoice/schedule/{id}', { params: { path: { id: plan.id } } })
  const { is_voided: isVoided, total_refunded: refunded } = await giveBack(api, paid)
  console.log({ isVoided, refunded })
}
