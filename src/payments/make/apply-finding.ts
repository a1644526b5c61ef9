// Turns the gateway's answer, or its silence, into the row's next state.

import assert from 'node:assert'
import { backoffMs, withJitter } from '../../core/backoff.ts'
import { msOfId } from '../../core/id.ts'
import { after, earlier, HOUR, later, SECOND } from '../../core/time-units.ts'
import { bringsMoney, firstWork, nextStep, type PendingWork } from '../../core/transaction.ts'
import { cancel, done, snooze, type Verdict } from '../../core/verdict.ts'
import { gatheredStatement } from '../../db/gathered.ts'
import type { World } from '../../world.ts'
import type { TransactionOutcome } from '../record/record-outcome.ts'
import { recordPayment } from '../record/record-payment.ts'
import type { Taken } from '../take/take-payment.ts'
import type { GatewayFinding } from './ask-gateway.ts'

/**
 * `askedAt` is in the account's time. A question before the deadline is not the last one, even if
 * the gateway's answer moves the deadline into the past: the next one asks it to give the payment
 * up.
 */
export async function applyFinding(
  world: World,
  taken: Taken,
  found: GatewayFinding,
  askedAt: Date,
): Promise<Verdict> {
  const isLastQuestion = later(taken.deadlineAt, deadlineAfter(taken, found)) <= askedAt
  const step = nextStep(found.kind, isLastQuestion)
  switch (step.to) {
    case 'final':
      return record(world, taken, found, step.status)
    case 'ordered again':
      return postpone(world, taken, found, firstWork(taken.type))
    case 'asked later':
      return postpone(world, taken, found, 'doubt')
    case 'parked':
      return park(world, taken, found)
  }
}

async function record(
  world: World,
  taken: Taken,
  found: GatewayFinding,
  status: 'SUCCESS' | 'FAILED',
): Promise<Verdict> {
  try {
    const answer = await recordPayment(world, taken, finalOutcome(taken, found, status))
    if (answer === undefined) return done
    measureOutcome(world, taken, found)
    return { kind: 'done', answer }
  } catch (error) {
    // It would be taken again whenever its lease ends. If this fails too, it is.
    await postpone(world, taken, found, 'doubt').catch(() => {})
    throw error
  }
}

function finalOutcome(
  taken: Taken,
  found: GatewayFinding,
  status: 'SUCCESS' | 'FAILED',
): TransactionOutcome {
  return {
    status,
    message: messageOf(found),
    authId: gatewayIdOf(found) ?? taken.authId,
    captured: status === 'SUCCESS' && bringsMoney(taken.type) ? taken.total : 0n,
    ...declineColumns(found),
  }
}

/** All null unless the gateway has said why it declined. */
function declineColumns(found: GatewayFinding) {
  const decline = found.kind === 'declined' ? found.decline : undefined
  return {
    declineCode: decline?.code ?? null,
    retryAdvice: decline?.retry ?? null,
    gatewayCode: decline?.gatewayCode ?? null,
  }
}

/** A payment that takes days is asked about this often: its gateway's events come sooner. */
const ASK_ABOUT_SLOW_MS = HOUR

/**
 * While a bank asks the payer: a card that it refused is canceled at the next look, and until then
 * the payer's browser could try others. Payers who do not answer must not use up the look-ups that
 * the gateway grants, so the wait grows a little.
 */
const ASK_ABOUT_PAYER_MS = 5 * SECOND
const LONGEST_PAYER_WAITS = 4

/**
 * After its deadline a payment is asked about again at once, but with pauses if the last question
 * was not sent, or its answer not recorded.
 */
const WITH_PAUSES: ReadonlySet<GatewayFinding['kind']> = new Set([
  'not_asked',
  'approved',
  'declined',
  'given_up',
])

/** The first waits are short, and the last one ends at the deadline, if that is in real time. */
async function postpone(
  world: World,
  taken: Taken,
  found: GatewayFinding,
  work: PendingWork,
): Promise<Verdict> {
  const postponed = postponedOf(taken, found)
  const { deadlineAt } = postponed
  const wait = withJitter(waitOf(world, taken, found), world.random())
  const now = world.clock.now()
  const next = after(now, wait)
  const isLate = WITH_PAUSES.has(found.kind) && deadlineAt <= now
  const dueAt = taken.account.clockAt === null && !isLate ? earlier(next, deadlineAt) : next
  await world.db.ask(postponePayment, { ...postponed, work, dueAt, parkedAt: null })
  return snooze(dueAt, work)
}

function waitOf({ timings }: World, { attempt }: Taken, found: GatewayFinding): number {
  const { decidedBy, payerAnswersBy } = datesOf(found)
  if (decidedBy !== undefined) return ASK_ABOUT_SLOW_MS
  if (payerAnswersBy === undefined) return backoffMs(timings.askAgain, attempt)
  return Math.min(attempt, LONGEST_PAYER_WAITS) * ASK_ABOUT_PAYER_MS
}

async function park(world: World, taken: Taken, found: GatewayFinding): Promise<Verdict> {
  const parkedAt = world.accountNow(taken.account)
  const postponed = postponedOf(taken, found)
  await world.db.ask(postponePayment, { ...postponed, work: 'doubt', dueAt: null, parkedAt })
  return cancel('parked: at its deadline the gateway did not know its outcome')
}

function postponedOf(taken: Taken, found: GatewayFinding) {
  const { accountId, id, attempt } = taken
  const deadlineAt = deadlineAfter(taken, found)
  return { accountId, id, attempt, authId: gatewayIdOf(found), deadlineAt }
}

/**
 * A bank debit takes days, as giving up may, and a payer who is asked has minutes: the gateway says
 * by when it is decided.
 */
function deadlineAfter({ deadlineAt }: Taken, found: GatewayFinding): Date {
  const { decidedBy, payerAnswersBy } = datesOf(found)
  if (decidedBy !== undefined) return later(deadlineAt, decidedBy)
  return earlier(deadlineAt, payerAnswersBy ?? deadlineAt)
}

function datesOf(found: GatewayFinding) {
  return found.kind === 'undecided' ? found : { decidedBy: undefined, payerAnswersBy: undefined }
}

/** The gateway's id of the payment, once it has given one. */
function gatewayIdOf(found: GatewayFinding): string | null {
  return 'gatewayId' in found ? found.gatewayId : null
}

function messageOf(found: GatewayFinding): string {
  assert('message' in found, `a payment cannot be final while the gateway is ${found.kind}`)
  return found.message
}

/**
 * Counts the outcome of a payment and the time since its acceptance, which its id contains. The
 * caller has recorded the outcome.
 */
function measureOutcome(
  { clock, metrics }: Pick<World, 'clock' | 'metrics'>,
  { id, type }: Pick<Taken, 'id' | 'type'>,
  found: GatewayFinding,
): void {
  metrics.payments.inc({ type, outcome: outcomeOf(found.kind) })
  // The clock of the accepting process may be a little ahead of ours.
  const ms = Math.max(0, clock.now().getTime() - msOfId(id))
  metrics.paymentDurations.observe({ type }, ms / SECOND)
}

/**
 * A payment that ended without the gateway's answer was not declined: an operator should find out
 * why.
 */
function outcomeOf(kind: GatewayFinding['kind']): 'approved' | 'declined' | 'not_made' {
  return kind === 'approved' || kind === 'declined' ? kind : 'not_made'
}

/** Postpones a payment that could not be decided: it is due again, or parked for a person. */
export const postponePayment = gatheredStatement({
  name: 'postpone-payment',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    attempt: 'integer',
    work: 'text',
    /** The gateway's id of it. Null while it is unknown. */
    authId: 'text?',
    deadlineAt: 'timestamptz',
    /** Null parks the payment. */
    dueAt: 'timestamptz?',
    parkedAt: 'timestamptz?',
  },
  text: (input) => `
    WITH ${input}
    UPDATE transaction t SET owed = i.work, due_at = i.due_at, parked_at = i.parked_at,
      deadline_at = i.deadline_at, auth_id = coalesce(i.auth_id, t.auth_id)
    FROM input i
    WHERE t.account_id = i.account_id AND t.id = i.id
      AND t.status = 'PENDING' AND t.attempt = i.attempt
    RETURNING i.ord`,
  read: () => true,
})
