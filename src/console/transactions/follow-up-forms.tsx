// The forms for voiding or refunding a transaction.

import { type Cents, toDecimal } from '../../core/money.ts'
import type { Operator } from '../../operators/session.ts'
import type { TransactionRow } from '../../payments/transaction/transaction-row.ts'
import { ActionForm, TextField } from '../parts/fields.tsx'
import { Amount, dollarText, personName } from '../parts/shown.tsx'
import { TRANSACTIONS_PATH } from './search.ts'

export interface Following {
  readonly may: 'void' | 'refund' | 'neither'
  /** Why neither is possible. */
  readonly obstacle?: string | undefined
  /** Made with the form, so that sending it twice has one effect. */
  readonly key: string
  /** The fault of the sent form. */
  readonly fault?: string | undefined
  /** The amount as it was typed. */
  readonly typed?: string | undefined
}

interface FollowUpFormsProps {
  readonly row: TransactionRow
  readonly operator: Operator
  readonly following: Following
}

export function FollowUpForms({ row, operator, following }: FollowUpFormsProps) {
  const { may, obstacle, key, fault } = following
  if (may === 'neither' && fault === undefined) {
    return obstacle === undefined ? null : <p class="quiet">{obstacleText(row, obstacle)}</p>
  }
  const path = `${TRANSACTIONS_PATH}/${row.accountId}/${row.id}`
  return (
    <section class="card stack" aria-labelledby="follow">
      <h2 id="follow">{may === 'void' ? 'Void payment' : 'Refund'}</h2>
      {fault === undefined ? null : (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {may === 'void' ? (
        <ActionForm to={`${path}/void`} operator={operator} class="row level" asks={voidAsks(row)}>
          <input type="hidden" name="key" value={key} />
          <p>The payment is not in a closed batch yet: the customer pays nothing.</p>
          <button type="submit" class="danger">
            Void payment
          </button>
        </ActionForm>
      ) : null}
      {may === 'refund' ? <RefundForm path={path} {...{ row, operator, following }} /> : null}
    </section>
  )
}

function obstacleText({ status }: TransactionRow, obstacle: string): string {
  const reason = status === 'FAILED' ? 'the payment failed' : obstacle
  return `Can’t be voided or refunded: ${reason}.`
}

function payer(row: TransactionRow): string {
  return `${personName(row.customer)}, ${paidBy(row)}`
}

const voidAsks = (row: TransactionRow) =>
  `Void ${dollarText(row.total)} from ${payer(row)}? A void can’t be undone.`

/** The browser replaces the placeholder with the typed amount. */
const refundAsks = (row: TransactionRow) =>
  `Refund {total} to ${payer(row)}? A refund can’t be undone.`

export function paidBy({ paymentMethod, method, lastFour }: TransactionRow): string {
  const name = paymentMethod.cardType ?? method
  return lastFour === null ? name : `${name} ··${lastFour}`
}

/** Cents that can still be refunded. Refunds under way count as refunded. */
export function refundable({ captured, refunded, reserved }: TransactionRow): Cents {
  return captured - refunded - reserved
}

export const TYPE_NAMES: Readonly<Record<TransactionRow['type'], string>> = {
  charge: 'Charge',
  pre_auth: 'Authorization',
  capture: 'Capture',
  void: 'Void',
  refund: 'Refund',
  credit: 'Credit',
}

function RefundForm({ row, operator, following, path }: FollowUpFormsProps & { path: string }) {
  const left = refundable(row)
  const soFar = row.captured - left
  return (
    <ActionForm to={`${path}/refund`} operator={operator} class="row" asks={refundAsks(row)}>
      <input type="hidden" name="key" value={following.key} />
      <input type="hidden" name="previously_refunded" value={String(toDecimal(soFar))} />
      <TextField
        name="total"
        label="Amount"
        inputMode="decimal"
        value={following.typed ?? toDecimal(left).toFixed(2)}
        isRequired
      />
      <p class="quiet">
        Up to <Amount cents={left} /> can be refunded.
      </p>
      <button type="submit" class="danger">
        Refund
      </button>
    </ActionForm>
  )
}
