// A capture, a void or a refund by an operator: its forms, and what they do. It runs the merchant's
// own action on the merchant's account. The audit entry is written right after the payment is
// accepted. The payment's request and key name the console, so its origin is known even if the
// process dies in between.

import type { FastifyRequest } from 'fastify'
import { obstacleOf } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { ERROR_CATALOGUE } from '../../core/errors.ts'
import { decide, type FollowUpType } from '../../core/follow-up.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import type { TransactionStatus } from '../../core/transaction.ts'
import type { InCommit } from '../../db/queries.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { LONGEST_NOTE } from '../../operators/note.ts'
import { acceptFollowUp } from '../../payments/accept/accept-follow-up.ts'
import { startAndAwaitOutcome } from '../../payments/answer/await-outcome.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { followUpFactsOf } from '../../payments/transaction/follow-up-facts.ts'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import type { World } from '../../world.ts'
import { actingOf, operatorContext, refuseStopped } from '../account-of.ts'
import { ActionForm } from '../parts/action-form.tsx'
import { FormFault, fieldsOf, filledForm, type RefusedForm, TextField } from '../parts/fields.tsx'
import type { Shown } from '../parts/object-page.tsx'
import { dollarText, personName } from '../parts/shown.tsx'
import { transactionPath } from '../paths.ts'
import { operatorOf } from '../who.ts'
import type { TransactionStory } from './read-story.ts'

export const FOLLOW_UPS = ['capture', 'void', 'refund'] as const

interface Following {
  /** The operations that are possible now. */
  readonly offers: readonly Offer[]
  /** Why nothing is possible. */
  readonly obstacle?: string | undefined
}

interface Offer {
  readonly operation: FollowUpType
  /** Made with the form, so that sending it twice has one effect. */
  readonly key: string
  /** The highest amount. */
  readonly left: Cents
}

export function FollowUpForms({ world, found, refused }: Shown<TransactionStory>) {
  const { row } = found
  const { offers, obstacle } = followingOf(world, found)
  const tried = FOLLOW_UPS.find((one) => one === refused?.form)
  const isOffered = offers.some(({ operation }) => operation === tried)
  return (
    <>
      {tried === undefined || isOffered ? null : (
        <NotOffered operation={tried} fault={refused?.faults.form} />
      )}
      {offers.length > 0 || tried !== undefined || obstacle === undefined ? null : (
        <p class="quiet">{obstacleText(row, obstacle)}</p>
      )}
      {offers.map((offer) => (
        <FollowUpForm key={offer.operation} {...{ row, offer, refused }} />
      ))}
    </>
  )
}

const TITLES: Readonly<Record<FollowUpType, string>> = {
  capture: 'Capture',
  void: 'Void payment',
  refund: 'Refund',
}

/** It was possible when the form was opened. */
function NotOffered({ operation, fault }: { operation: FollowUpType; fault: string | undefined }) {
  return (
    <section class="card stack" aria-label={TITLES[operation]}>
      <h2>{TITLES[operation]}</h2>
      <FormFault text={fault} />
    </section>
  )
}

function obstacleText(row: TransactionRow, obstacle: string): string {
  const { type, status, captured, refunded } = row
  if (type === 'pre_auth' && captured > 0n) return 'It is captured: void or refund its captures.'
  if (captured > 0n && refunded === captured) return 'Nothing of it is left to refund.'
  return `Can’t be voided or refunded: ${status === 'FAILED' ? 'the payment failed' : obstacle}.`
}

interface FollowUpFormProps {
  readonly row: TransactionRow
  readonly offer: Offer
  readonly refused: RefusedForm | undefined
}

function FollowUpForm({ row, offer, refused }: FollowUpFormProps) {
  const { operation, key, left } = offer
  const title = TITLES[operation]
  const filled = filledForm(refused, operation, { total: toDecimal(left).toFixed(2) })
  const field = fieldsOf(filled)
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      <FormFault text={filled.faults.form} />
      <p class="quiet">{limitText(offer, row)}</p>
      <ActionForm
        to={`${transactionPath(row)}/${operation}`}
        class="row"
        asks={questionOf(operation, row)}
        fields={{
          key,
          previously_refunded: operation === 'refund' ? refundedSoFar(row) : undefined,
        }}
      >
        {operation === 'void' ? null : (
          <TextField {...field('total')} label="Amount" inputMode="decimal" isRequired />
        )}
        <TextField
          {...field('reason')}
          label="Reason"
          placeholder="For the audit log"
          longest={LONGEST_NOTE}
        />
        <button type="submit" class={operation === 'capture' ? undefined : 'danger'}>
          {title}
        </button>
      </ActionForm>
    </section>
  )
}

function limitText({ operation, left }: Offer, { type }: TransactionRow): string {
  switch (operation) {
    case 'void':
      return type === 'pre_auth'
        ? 'Releases the hold: the customer pays nothing.'
        : 'The payment is not in a closed batch yet: once it is voided, the customer pays nothing.'
    case 'capture':
      return `Up to ${dollarText(left)} can be captured.`
    case 'refund':
      return `Up to ${dollarText(left)} can be refunded.`
  }
}

/** A refund is refused if another one has come since the form was opened. */
function refundedSoFar({ refunded, reserved }: TransactionRow): string {
  return String(toDecimal(refunded + reserved))
}

/** The browser replaces the placeholder with the typed amount. */
function questionOf(operation: FollowUpType, row: TransactionRow): string {
  const payer = `${personName(row.customer)}, ${paidBy(row)}`
  switch (operation) {
    case 'capture':
      return `Capture {total} from ${payer}?`
    case 'void':
      return `Void ${dollarText(row.total)} from ${payer}? A void can’t be undone.`
    case 'refund':
      return `Refund {total} to ${payer}? A refund can’t be undone.`
  }
}

export function paidBy({ paymentMethod, method, lastFour }: TransactionRow): string {
  const name = paymentMethod.cardType ?? method
  return lastFour === null ? name : `${name} ··${lastFour}`
}

/** Cents that can still be captured or refunded. What is under way counts as done. */
export function amountLeft(
  operation: FollowUpType,
  { total, captured, refunded, reserved }: TransactionRow,
  takenBack: Cents,
): Cents {
  switch (operation) {
    case 'capture':
      return total - captured - reserved
    case 'refund':
      return captured - refunded - reserved - takenBack
    case 'void':
      return takenBack > 0n ? 0n : total
  }
}

export const TYPE_NAMES: Readonly<Record<TransactionRow['type'], string>> = {
  charge: 'Charge',
  pre_auth: 'Authorization',
  capture: 'Capture',
  void: 'Void',
  refund: 'Refund',
  credit: 'Credit',
}

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
function followingOf(world: World, { row, account, takenBack }: TransactionStory): Following {
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
  const record: InCommit<[string]> = (query, transaction) =>
    writeAuditEntry({ ...world, db: { query } }, operatorOf(request), {
      action: `${input.operation} asked for`,
      subject: row.id,
      detail: {
        account: accountId,
        transaction,
        ...(input.total === undefined ? {} : { total: toDecimal(input.total) }),
        ...(reason === '' ? {} : { reason }),
      },
    })
  const accepted = await acceptFollowUp(world, acting, { ...context, record }, row.id, input)
  const accountContext = contextOfCaller(world, acting)
  const { status } = await startAndAwaitOutcome(world, {
    ...accepted,
    accountId,
    accountContext,
    requestId: request.id,
  })
  return status
}
