// An operator decides a payment whose outcome the gateway did not know at its deadline, after
// asking the gateway's support or looking into its console.
//
//   check   if it was made, the gateway is asked whether this payment is under the reference
//   take    the payment is in doubt again, under our lease; the audit entry is in the same commit
//             a crash here: the gateway is asked again, and the payment may be parked again
//   end     if it was not made, the gateway is asked to give it up, so that a late order takes no
//           money; if the gateway has it after all, its answer is recorded instead; if it does not
//           say, the payment is parked again, unless the operator answers for that
//             a crash here: as before
//   record  the outcome as a worker would: event, batch, invoice, receipts and totals in one commit
//
// Only a parked payment is taken, so of two operators at once the second finds nothing. The row
// refuses the late answer of an earlier take.

import { firstIdAt } from '../core/id.ts'
import { OperatorError } from '../core/operator-error.ts'
import { after, earlier } from '../core/time-units.ts'
import { bringsMoney } from '../core/transaction.ts'
import type { RowKey } from '../db/columns.ts'
import type { AuditChunk } from '../deliveries/parked.ts'
import { startDueDeliveries } from '../deliveries/start-due-deliveries.ts'
import { applyFinding } from '../payments/make/apply-finding.ts'
import { type GatewayFinding, gatewayOf } from '../payments/make/ask-gateway.ts'
import { checkReference } from '../payments/make/check-reference.ts'
import { giveUp } from '../payments/make/make-payment.ts'
import { NO_DECLINE } from '../payments/record/record-outcome.ts'
import { recordPayment } from '../payments/record/record-payment.ts'
import { type Taken, takenByNow } from '../payments/take/take-payment.ts'
import { transactionTurn } from '../payments/transaction/lock-transaction.ts'
import type { World } from '../world.ts'
import { type Actor, inOneCommit, writeAuditEntry } from './audit-entries.ts'

export type PaymentDecision =
  /** The gateway's id of the payment. A later refund needs it. */
  | { readonly made: true; readonly reference: string }
  | {
      readonly made: false
      /** Even if the gateway does not say that it was never made. */
      readonly evenIfUnsaid: boolean
    }

const NEVER_MADE = 'Never made, as found by hand'

export async function decidePayment(
  world: World,
  operator: Actor,
  key: RowKey,
  decision: PaymentDecision,
  reason: string,
): Promise<void> {
  const authId = decision.made ? await checkReference(world, key, decision.reference) : null
  if (authId === undefined) throw notParked(key.id)
  const taken = await take(world, operator, key, decision, reason)
  if (!decision.made) await endAtGateway(world, operator, taken, decision.evenIfUnsaid)
  const outcome = {
    status: decision.made ? ('SUCCESS' as const) : ('FAILED' as const),
    message: decision.made ? 'Approved, as found by hand' : NEVER_MADE,
    authId,
    captured: decision.made && bringsMoney(taken.type) ? taken.total : 0n,
    ...NO_DECLINE,
  }
  if ((await recordPayment(world, taken, outcome)) === undefined) {
    await auditRefusal(
      world,
      operator,
      key,
      'it was taken again meanwhile, and that outcome counts',
    )
    throw notParked(key.id)
  }
  startDueDeliveries(world, key.accountId)
}

/**
 * An invoice whose payment was never made is charged again. So if the gateway does not say it, the
 * decision counts only if the operator knows of another way that no money was taken.
 */
async function endAtGateway(
  world: World,
  operator: Actor,
  taken: Taken,
  evenIfUnsaid: boolean,
): Promise<void> {
  const { account } = taken
  const now = world.accountNow(account)
  const { signal } = new AbortController()
  const found = await giveUp(NEVER_MADE, gatewayOf(world, taken, now, signal))
  const isDecided = found.kind === 'approved' || found.kind === 'declined'
  const isOpen = found.kind === 'undecided' && found.decidedBy !== undefined
  if (found.kind === 'given_up' || (evenIfUnsaid && !isDecided && !isOpen)) return
  await applyFinding(world, taken, found, now)
  const reason = reasonAgainst(found)
  await auditRefusal(world, operator, taken, reason)
  if (isDecided) throw new OperatorError(`${reason}, so this is recorded instead`)
  throw new OperatorError(
    isOpen
      ? `${reason}, so money may still move. Cancel it at the gateway, or let it go on there, ` +
          'for example by adding to the balance. Then ask again'
      : `${reason}, so it still waits. Ask again later; or, if you know from the gateway’s own ` +
          'records that it took no money, record it without the gateway’s answer',
  )
}

function reasonAgainst(found: GatewayFinding): string {
  if (found.kind === 'approved' || found.kind === 'declined') {
    return `the gateway says that it was ${found.kind}`
  }
  // It has the payment, and says by when it decides, however late that has become.
  if (found.kind === 'undecided' && found.decidedBy !== undefined) {
    return 'the gateway has it, and has not decided it yet'
  }
  return 'the gateway did not say that it was never made'
}

/** The entry of the decision was written when the payment was taken. */
async function auditRefusal(
  world: World,
  operator: Actor,
  { accountId: account, id }: RowKey,
  reason: string,
): Promise<void> {
  const entry = { action: 'decision refused', subject: id, detail: { account, reason } }
  await writeAuditEntry(world, operator, entry)
}

const TAKE = `
  UPDATE transaction SET parked_at = NULL, due_at = $3, attempt = attempt + 1
  WHERE account_id = $1 AND id = $2 AND status = 'PENDING' AND parked_at IS NOT NULL
  RETURNING attempt`

async function take(
  world: World,
  operator: Actor,
  { accountId, id }: RowKey,
  decision: PaymentDecision,
  reason: string,
): Promise<Taken> {
  const dueAt = after(world.clock.now(), world.timings.leaseMs)
  const detail = {
    account: accountId,
    reason,
    ...(decision.made ? { reference: decision.reference } : {}),
  }
  const attempt = await inOneCommit(world, transactionTurn({ accountId, id }), async (own) => {
    const [row] = await own.db.query(TAKE, [accountId, id, dueAt])
    if (row === undefined) throw notParked(id)
    const action = decision.made ? 'payment decided: made' : 'payment decided: never made'
    await writeAuditEntry(own, operator, { action, subject: id, detail })
    return row.attempt
  })
  const taken = await world.db.ask(takenByNow, { accountId, id, attempt })
  if (taken === undefined) throw notParked(id)
  return taken
}

function notParked(id: string): OperatorError {
  return new OperatorError(`${id} does not wait for a decision any more: see its state`)
}

const ASK = `
  UPDATE transaction SET parked_at = NULL, due_at = $3
  WHERE account_id = $1 AND id = $2 AND status = 'PENDING' AND parked_at IS NOT NULL
  RETURNING request_id`

/**
 * Asks the gateway once more about a payment whose outcome it did not know at the deadline. If it
 * still does not know, the payment is parked again.
 *
 * A process that dies after the commit leaves a payment that is due, and the sweep finds it.
 */
export async function askPaymentAgain(
  world: World,
  operator: Actor,
  { accountId, id }: RowKey,
): Promise<void> {
  const dueAt = world.clock.now()
  const requestId = await inOneCommit(world, transactionTurn({ accountId, id }), async (own) => {
    const [row] = await own.db.query(ASK, [accountId, id, dueAt])
    if (row === undefined) throw notParked(id)
    const detail = { account: accountId }
    await writeAuditEntry(own, operator, { action: 'gateway asked again', subject: id, detail })
    return row.request_id
  })
  world.queues.nudge('doubt', { accountId, id, requestId })
}

/** Rows in one commit, so that no other writer waits for long. */
const ROUND = 500

/**
 * By id, so that none is asked about twice: one that is parked again at once may seem to be parked
 * before. A sandbox clock that is ahead parks in the future, which no page has shown by its time.
 */
const ASK_ALL = `
  UPDATE transaction t SET parked_at = NULL, due_at = $1
  FROM (
    SELECT account_id, id FROM transaction
    WHERE (parked_at <= $2 OR parked_at > $1) AND status = 'PENDING' AND id > $3
    ORDER BY id LIMIT ${ROUND}
    FOR NO KEY UPDATE SKIP LOCKED
  ) parked
  WHERE t.account_id = parked.account_id AND t.id = parked.id
  RETURNING t.account_id, t.id, t.request_id`

/**
 * The same for all payments that were parked by an instant, as after a day on which the gateway's
 * keys were refused, and for those that a sandbox clock parked in the future.
 *
 * Returns how many there were. Each round and its audit entry are one commit. A process that dies
 * in between has asked about some of them, and the audit log says about how many.
 */
export async function askAllPaymentsAgain(
  world: World,
  until: Date,
  audit: AuditChunk,
): Promise<number> {
  let count = 0
  let last = firstIdAt(new Date(0))
  const now = world.clock.now()
  for (let found = ROUND; found === ROUND; count += found) {
    const rows = await inOneCommit(world, 'payments to review', async (own) => {
      const asked = await own.db.query(ASK_ALL, [now, earlier(now, until), last])
      if (asked.length > 0) await audit(own, asked.length)
      return asked
    })
    for (const { account_id: accountId, id, request_id: requestId } of rows) {
      world.queues.nudge('doubt', { accountId, id, requestId })
      if (id > last) last = id
    }
    found = rows.length
  }
  return count
}
