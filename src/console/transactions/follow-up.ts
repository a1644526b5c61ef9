// A capture, a void or a refund by an operator. It runs the merchant's own action on the merchant's
// account. The audit entry is written right after the payment is accepted. The payment's request
// and key name the console, so its origin is known even if the process dies in between.

import type { FastifyRequest } from 'fastify'
import { obstacleOf } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { ERROR_CATALOGUE } from '../../core/errors.ts'
import { decide, type FollowUpType } from '../../core/follow-up.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import type { TransactionStatus } from '../../core/transaction.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { acceptFollowUp } from '../../payments/accept/accept-follow-up.ts'
import { startAndAwaitOutcome } from '../../payments/answer/await-outcome.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { followUpFactsOf } from '../../payments/transaction/follow-up-facts.ts'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import type { World } from '../../world.ts'
import { actingOf, operatorContext, refuseStopped } from '../account-of.ts'
import { dollarText } from '../parts/shown.tsx'
import { operatorOf } from '../who.ts'
import { amountLeft, FOLLOW_UPS, type Following } from './follow-up-forms.tsx'
import type { TransactionStory } from './read-story.ts'

export interface AskedFollowUp {
  readonly operation: FollowUpType
  /** For a capture and a refund. */
  readonly total?: Cents
  readonly previouslyRefunded?: Cents
  /** Made with the form. */
  readonly key: string
  readonly reason: string
}

/**
 * The follow-ups that are possible now. What the payer's bank has taken back is not paid again. A
 * team that is stopped takes no more money, but operators return what it has taken.
 */
export function followingOf(
  world: World,
  { row, account, takenBack }: TransactionStory,
): Following {
  const accountContext = contextOfCaller(world, actingOf(account))
  const facts = followUpFactsOf(row, row.paymentLinkDeletedAt !== null, accountContext)
  const offers = FOLLOW_UPS.flatMap((operation) => {
    const left = amountLeft(operation, row, takenBack)
    const isStopped = operation === 'capture' && obstacleOf(account.team) !== undefined
    const isPossible = left > 0n && !isStopped && decide(facts, { operation }).kind === 'granted'
    return isPossible ? [{ operation, key: world.newId(), left }] : []
  })
  if (offers.length === 0 && takenBack > 0n) {
    return { offers, obstacle: `the payer’s bank has taken back ${dollarText(takenBack)} of it` }
  }
  const decision = decide(facts, { operation: 'void_or_refund' })
  if (decision.kind === 'granted') return { offers }
  return { offers, obstacle: decision.reason ?? ERROR_CATALOGUE[decision.code].message }
}

/** Waits for the outcome as a merchant does, so that the page shows it. */
export async function askFollowUp(
  world: World,
  request: FastifyRequest,
  { row, account }: { readonly row: TransactionRow; readonly account: AccountWithTeam },
  { key, reason, ...input }: AskedFollowUp,
): Promise<TransactionStatus> {
  const acting = actingOf(account)
  if (input.operation === 'capture') refuseStopped(account)
  const context = operatorContext(request, account, key)
  const { accountId } = context
  const accepted = await acceptFollowUp(world, acting, context, row.id, input)
  if (accepted.work !== undefined) {
    await writeAuditEntry(world, operatorOf(request), {
      action: `${input.operation} asked for`,
      subject: row.id,
      detail: {
        account: accountId,
        transaction: accepted.id,
        ...(input.total === undefined ? {} : { total: toDecimal(input.total) }),
        ...(reason === '' ? {} : { reason }),
      },
    })
  }
  const accountContext = contextOfCaller(world, acting)
  const { status } = await startAndAwaitOutcome(world, {
    ...accepted,
    accountId,
    accountContext,
    requestId: request.id,
  })
  return status
}
