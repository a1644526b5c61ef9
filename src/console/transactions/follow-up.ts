// A void or a refund by an operator. It runs the merchant's own action on the merchant's account.
// The audit entry is written right after the payment is accepted. The payment's request and key
// name the console, so its origin is known even if the process dies in between.

import type { ActingAccount } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { ERROR_CATALOGUE, Refusal } from '../../core/errors.ts'
import { decide } from '../../core/follow-up.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import { writeDeed } from '../../operators/deeds.ts'
import type { Operator } from '../../operators/session.ts'
import { acceptFollowUp } from '../../payments/accept/accept-follow-up.ts'
import { awaitOutcome } from '../../payments/answer/await-outcome.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { followUpFactsOf } from '../../payments/transaction/follow-up-facts.ts'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import type { World } from '../../world.ts'
import type { Following } from './follow-up-forms.tsx'
import type { TransactionStory } from './read-story.ts'

export interface AskedFollowUp {
  readonly operation: 'void' | 'refund'
  /** For a refund. */
  readonly total?: Cents
  readonly previouslyRefunded?: Cents
  /** Made with the form. */
  readonly key: string
}

/** The follow-ups that are possible now. */
export function followingOf(world: World, { row, account }: TransactionStory): Following {
  const accountContext = contextOfCaller(world, actingOf(account))
  const standing = followUpFactsOf(row, row.paymentLinkDeletedAt !== null, accountContext)
  const decision = decide(standing, { operation: 'void_or_refund' })
  const key = world.newId()
  if (decision.kind === 'granted') {
    return { may: decision.type === 'void' ? 'void' : 'refund', key }
  }
  return {
    may: 'neither',
    key,
    obstacle: decision.reason ?? ERROR_CATALOGUE[decision.code].message,
  }
}

/** Waits for the outcome as a merchant does, so that the page shows it. */
export async function askFollowUp(
  world: World,
  operator: Operator,
  requestId: string,
  { row, account }: { readonly row: TransactionRow; readonly account: AccountWithTeam },
  { key, ...wish }: AskedFollowUp,
): Promise<void> {
  const acting = actingOf(account)
  if (acting.isClockAdvancing) throw new Refusal('clock_advancing')
  const { accountId, clockAt } = acting
  const context = { accountId, clockAt, requestId, idempotencyKey: `console-${key}` }
  const accepted = await acceptFollowUp(world, acting, context, row.id, wish)
  if (accepted.isNew) {
    await writeDeed(world, operator, {
      deed: `${wish.operation} asked for`,
      subject: row.id,
      detail: {
        account: accountId,
        transaction: accepted.id,
        ...(wish.total === undefined ? {} : { total: toDecimal(wish.total) }),
      },
    })
  }
  const accountContext = contextOfCaller(world, acting)
  await awaitOutcome(world, {
    accountId,
    id: accepted.id,
    accountContext,
    isRepeat: !accepted.isNew,
  })
}

function actingOf({ id, mode, clockAt, clockTarget, team }: AccountWithTeam): ActingAccount {
  return { accountId: id, mode, clockAt, isClockAdvancing: clockTarget !== null, team }
}
