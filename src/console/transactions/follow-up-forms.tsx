// The forms for capturing, voiding or refunding a transaction.

import type { FollowUpType } from '../../core/follow-up.ts'
import { type Cents, toDecimal } from '../../core/money.ts'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import { ActionForm } from '../parts/action-form.tsx'
import { FormFault, TextField } from '../parts/fields.tsx'
import { Amount, dollarText, personName } from '../parts/shown.tsx'
import { transactionPath } from '../paths.ts'

export const LONGEST_REASON = 200

export interface Following {
  /** The operations that are possible now. */
  readonly offers: readonly Offer[]
  /** Why nothing is possible. */
  readonly obstacle?: string | undefined
  readonly refused: RefusedFollowUp | undefined
}

interface Offer {
  readonly operation: FollowUpType
  /** Made with the form, so that sending it twice has one effect. */
  readonly key: string
  /** The highest amount. */
  readonly left: Cents
}

/** The form as it was sent, and what was wrong with it. */
export interface RefusedFollowUp {
  readonly operation: FollowUpType
  readonly fault: string
  readonly total?: string | undefined
  readonly reason?: string | undefined
}

interface FollowUpFormsProps {
  readonly row: TransactionRow
  readonly following: Following
}

export function FollowUpForms({ row, following }: FollowUpFormsProps) {
  const { offers, obstacle, refused } = following
  const isOffered = offers.some(({ operation }) => operation === refused?.operation)
  return (
    <>
      {refused === undefined || isOffered ? null : <NotOffered of={refused} />}
      {offers.length > 0 || refused !== undefined || obstacle === undefined ? null : (
        <p class="quiet">{obstacleText(row, obstacle)}</p>
      )}
      {offers.map((offer) => (
        <FollowUpForm
          key={offer.operation}
          {...{ row, offer }}
          refused={refused?.operation === offer.operation ? refused : undefined}
        />
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
function NotOffered({ of: { operation, fault } }: { of: RefusedFollowUp }) {
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
  if (captured > 0n && refunded === captured) return 'All of it has been refunded.'
  return `Can’t be voided or refunded: ${status === 'FAILED' ? 'the payment failed' : obstacle}.`
}

interface FollowUpFormProps extends Omit<FollowUpFormsProps, 'following'> {
  readonly offer: Offer
  readonly refused: RefusedFollowUp | undefined
}

function FollowUpForm({ row, offer, refused }: FollowUpFormProps) {
  const { operation, key, left } = offer
  const title = TITLES[operation]
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      <FormFault text={refused?.fault} />
      <p class="quiet">
        <Limit {...{ operation, left }} isHold={row.type === 'pre_auth'} />
      </p>
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
          <TextField
            name="total"
            label="Amount"
            inputMode="decimal"
            value={refused?.total ?? toDecimal(left).toFixed(2)}
            isRequired
          />
        )}
        <TextField
          name="reason"
          label="Reason"
          placeholder="For the audit log"
          longest={LONGEST_REASON}
          value={refused?.reason}
        />
        <button type="submit" class={operation === 'capture' ? undefined : 'danger'}>
          {title}
        </button>
      </ActionForm>
    </section>
  )
}

interface LimitProps {
  readonly operation: FollowUpType
  readonly left: Cents
  readonly isHold: boolean
}

function Limit({ operation, left, isHold }: LimitProps) {
  switch (operation) {
    case 'void':
      return isHold
        ? 'Releases the hold: the customer pays nothing.'
        : 'The payment is not in a closed batch yet: once it is voided, the customer pays nothing.'
    case 'capture':
      return (
        <>
          Up to <Amount cents={left} /> can be captured.
        </>
      )
    case 'refund':
      return (
        <>
          Up to <Amount cents={left} /> can be refunded.
        </>
      )
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
export function leftFor(
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
