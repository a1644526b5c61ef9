// Tries failed automatic payments again, at the times that the account's setting plans. One round
// covers all due retries; each chunk of it is one commit:
//
//   hold     clocks, schedules and invoices are locked; rows that others have locked are skipped
//   write    the payment, due now, and the invoice, which waits for the payment's outcome
//   nudge    a crash before: the sweep finds the due payment
//
// Two rounds at once do no harm: one of them locks each invoice, and then it is not due for the
// other.

import type { Scope } from '../accounts/scope.ts'
import { after } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import { isDatabaseAway } from '../db/failure.ts'
import type { Transaction } from '../generated/client.ts'
import type { InvoiceRow } from '../invoices/invoice.ts'
import { type InvoiceChange, writeInvoices } from '../invoices/write-invoices.ts'
import { newInvoicePayment } from '../payments/accept/accept-invoice-payment.ts'
import { insertNewOwn } from '../payments/transaction/transaction-row.ts'
import type { World } from '../world.ts'
import { type DueRetry, dueRetries, type HeldRetry, holdRetries } from './due-retries.ts'
import { CHECK_AGAIN_MS, LOCK_TIMEOUT } from './find-due.ts'

/** Invoices in one commit: enough to be cheap, few enough that their locks are short. */
const CHUNK = 200

/** Returns how many it has handled, without those that must wait. */
export async function retryDueInvoices(world: World, scope?: Scope): Promise<number> {
  const now = world.clock.now()
  let seen = 0
  let last: DueRetry | undefined
  let due: readonly DueRetry[]
  do {
    due = await dueRetries(world.db.query, now, scope, CHUNK, last)
    last = due.at(-1)
    if (due.length > 0) seen += await retryTogether(world, scope, now, due)
  } while (due.length === CHUNK)
  return seen
}

/**
 * A chunk that fails is repeated invoice by invoice, so that one locked or faulty row stops no
 * other.
 */
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
      let seen = 0
      for (const each of due) seen += await retryTogether(world, scope, now, [each])
      return seen
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
  const { begun, dropped } = await world.db.commit('due invoices', async (query) => {
    await query(LOCK_TIMEOUT)
    const retries = (await holdRetries(query, due, now, scope)).map((held) => ({
      ...held,
      action: actionOn(world, held),
      at: scope?.now ?? world.accountNow(held),
    }))
    const wanted = retries.flatMap((one) => (one.action === 'pay' ? [retryOf(world, one)] : []))
    const begun = await begin(world, query, wanted)
    const dropped = retries.filter(({ action }) => action === 'drop')
    const waiting = scope === undefined ? retries.filter(({ action }) => action === 'wait') : []
    await writeInvoices(world, query, [
      ...begun.map((one) => written(one.invoice, one.payment.createdAt, begunBy(one))),
      ...dropped.map(({ invoice, at }) => written(invoice, at, DROPPED)),
      ...waiting.map(({ invoice, at }) => written(invoice, at, lookedAtAgain(now))),
    ])
    return { begun, dropped: dropped.length }
  })
  for (const { payment } of begun) {
    const { accountId, id, requestId } = payment
    world.queues.nudge('charge', { accountId, id, requestId })
  }
  return begun.length + dropped
}

type RetryAction = 'pay' | 'drop' | 'wait'

/** After its schedule is deleted, nothing is tried again, whatever else applies. */
function actionOn({ gateways }: World, held: HeldRetry): RetryAction {
  if (held.isScheduleDeleted) return 'drop'
  if (!held.isTeamActive || !gateways.wouldCharge(held, held.paymentMethod)) return 'wait'
  return held.paymentMethod.deletedAt === null ? 'pay' : 'drop'
}

interface Retry {
  readonly invoice: InvoiceRow
  readonly payment: Transaction
}

function retryOf(
  world: World,
  { invoice, paymentMethod, at }: HeldRetry & { readonly at: Date },
): Retry {
  const own = { id: world.newId(), invoiceTry: invoice.tries + 1 }
  return { invoice, payment: newInvoicePayment(world, invoice, paymentMethod, at, own) }
}

/** If the database refuses the payment, another payment of the invoice was faster. */
async function begin(
  world: World,
  query: Query,
  wanted: readonly Retry[],
): Promise<readonly Retry[]> {
  const made = await insertNewOwn(query, ...wanted.map(({ payment }) => payment))
  for (const { invoice, payment } of wanted) {
    if (made.has(payment.id)) continue
    const { accountId: account_id, id: invoice_id, requestId: request_id } = invoice
    const about = { request_id, account_id, invoice_id }
    world.log.error(about, 'an invoice is due that has a payment already')
  }
  return wanted.filter(({ payment }) => made.has(payment.id))
}

const DROPPED: InvoiceChange = { retryAt: null, dueAt: null }

function begunBy({ invoice, payment }: Retry): InvoiceChange {
  return { ...DROPPED, paymentId: payment.id, tries: invoice.tries + 1 }
}

function lookedAtAgain(now: Date): InvoiceChange {
  return { dueAt: after(now, CHECK_AGAIN_MS) }
}

function written(held: InvoiceRow, at: Date, change: InvoiceChange) {
  return { held, change, at, requestId: held.requestId }
}
