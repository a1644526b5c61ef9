// Makes the automatic payments again that failed, and whose time has come by the plan of their
// account. A round over all that is due; each chunk of it is one commit:
//
//   hold     clocks, schedules, invoices; what somebody else holds is left to him
//   write    the payment, owed and with its number, and the invoice that waits for its outcome
//   nudge    died before: the sweep finds what is owed
//
// Two rounds at once do no harm: each invoice is held by one of them, and is not due to the other.

import assert from 'node:assert'
import type { Scope } from '../accounts/scope.ts'
import { after, MINUTE } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import { isDatabaseAway } from '../db/failure.ts'
import { type InvoiceChange, writeInvoices } from '../invoices/write-invoices.ts'
import { type InvoicePayment, insertInvoicePayments } from '../payments/insert-invoice-payments.ts'
import type { World } from '../world.ts'
import { type DueRetry, dueRetries, type HeldRetry, holdRetries } from './due-retries.ts'

/** Invoices of one commit: enough to be cheap, few enough that nobody waits long for one of them. */
const CHUNK = 200

/** A team that may not charge, or has no gateway, is looked at again after this long. */
const LOOK_AGAIN_MS = 5 * MINUTE

/** A row that somebody holds must not keep all other invoices waiting for it. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '200ms'"

/** Answers how many it has seen to; what must wait is none of them. */
export async function retryDueInvoices(world: World, scope?: Scope): Promise<number> {
  const now = world.clock.now()
  let seenTo = 0
  let last: DueRetry | undefined
  let due: readonly DueRetry[]
  do {
    due = await dueRetries(world.db.query, now, scope, CHUNK, last)
    last = due.at(-1)
    if (due.length > 0) seenTo += await retryTogether(world, scope, now, due)
  } while (due.length === CHUNK)
  return seenTo
}

/** A chunk that fails is taken one by one: one row that is held, or wrong, stops no other. */
async function retryTogether(
  world: World,
  scope: Scope | undefined,
  now: Date,
  due: readonly DueRetry[],
): Promise<number> {
  try {
    return await retryChunk(world, scope, now, due)
  } catch (err) {
    const [one, ...others] = due
    if (isDatabaseAway(err) || one === undefined) throw err
    if (others.length > 0) {
      let seenTo = 0
      for (const each of due) seenTo += await retryTogether(world, scope, now, [each])
      return seenTo
    }
    const { accountId: account_id, id: invoice_id } = one
    world.log.error({ account_id, invoice_id, err }, 'an invoice cannot be tried again')
    return 0
  }
}

async function retryChunk(
  world: World,
  scope: Scope | undefined,
  now: Date,
  due: readonly DueRetry[],
): Promise<number> {
  const { payments, dropped } = await world.db.commit('due invoices', async (query) => {
    await query(LOCK_TIMEOUT)
    const retries = (await holdRetries(query, due, now, scope)).map((held) => ({
      ...held,
      fate: fateOf(world, held),
      at: scope?.now ?? world.accountNow(held),
    }))
    const wanted = retries.flatMap((one) => (one.fate === 'pay' ? [paymentOf(world, one)] : []))
    const begun = await begin(world, query, wanted)
    const dropped = retries.filter(({ fate }) => fate === 'drop')
    const waiting = scope === undefined ? retries.filter(({ fate }) => fate === 'wait') : []
    await writeInvoices(world, query, [
      ...begun.map((payment) => written(payment.invoice, payment.createdAt, begunBy(payment))),
      ...dropped.map(({ invoice, at }) => written(invoice, at, DROPPED)),
      ...waiting.map(({ invoice, at }) => written(invoice, at, lookedAtAgain(now))),
    ])
    return { payments: begun, dropped: dropped.length }
  })
  for (const { id, invoice, requestId } of payments) {
    world.queues.nudge('charge', { accountId: invoice.accountId, id, requestId })
  }
  return payments.length + dropped
}

type Fate = 'pay' | 'drop' | 'wait'

/** After its schedule nothing is tried any more, whatever else there is. */
function fateOf({ gateways }: World, held: HeldRetry): Fate {
  if (held.isScheduleDeleted) return 'drop'
  if (!held.isInGoodStanding || gateways.of(held) === undefined) return 'wait'
  return held.isPaymentMethodDeleted ? 'drop' : 'pay'
}

type Retry = InvoicePayment & { readonly invoiceTry: number }

function paymentOf(
  world: World,
  { invoice, at }: Pick<HeldRetry, 'invoice'> & { readonly at: Date },
): Retry {
  assert(invoice.paymentMethodId !== null, 'what is tried again has one: a CHECK holds it')
  return {
    id: world.newId(),
    invoice,
    paymentMethodId: invoice.paymentMethodId,
    invoiceTry: invoice.tries + 1,
    channel: invoice.channel,
    paymentLinkId: null,
    idempotencyId: null,
    funding: null,
    receiptTo: null,
    meta: invoice.meta,
    requestId: invoice.requestId,
    dueAt: after(world.clock.now(), world.timings.nudgeGraceMs),
    deadlineAt: after(at, world.config.pendingDeadlineMs),
    createdAt: at,
  }
}

/** What the database refuses is a payment that another one has come before. */
async function begin(
  world: World,
  query: Query,
  wanted: readonly Retry[],
): Promise<readonly Retry[]> {
  const made = await insertInvoicePayments(query, wanted)
  for (const { id, invoice, requestId } of wanted) {
    if (made.has(id)) continue
    const { accountId: account_id, id: invoice_id } = invoice
    const about = { request_id: requestId, account_id, invoice_id }
    world.log.error(about, 'an invoice is due that has a payment already')
  }
  return wanted.filter(({ id }) => made.has(id))
}

const DROPPED: InvoiceChange = { retryAt: null, dueAt: null }

function begunBy({ id, invoiceTry }: Retry): InvoiceChange {
  return { ...DROPPED, paymentId: id, tries: invoiceTry }
}

function lookedAtAgain(now: Date): InvoiceChange {
  return { dueAt: after(now, LOOK_AGAIN_MS) }
}

function written(held: HeldRetry['invoice'], at: Date, change: InvoiceChange) {
  return { held, change, at, requestId: held.requestId }
}
