// What may be done to a transaction from here: void it, or give money back.

import { toDecimal } from '../../core/money.ts'
import type { Operator } from '../../operators/session.ts'
import type { TransactionRow } from '../../payments/transaction-row.ts'
import { ActionForm } from '../parts/action-form.tsx'
import { TextField } from '../parts/fields.tsx'
import { Money } from '../parts/shown.tsx'
import { PATH } from './search.ts'

export interface Following {
  readonly may: 'void' | 'refund' | 'neither'
  /** Why neither may be done. */
  readonly obstacle?: string | undefined
  /** Made with the form: who sends it twice has it done once. */
  readonly key: string
  /** What is wrong with what was sent. */
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
    return obstacle === undefined ? null : <p class="quiet">No void and no refund: {obstacle}.</p>
  }
  const path = `${PATH}/${row.accountId}/${row.id}`
  return (
    <section class="card stack" aria-labelledby="follow">
      <h2 id="follow">{may === 'void' ? 'Void it' : 'Refund it'}</h2>
      {fault === undefined ? null : (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {may === 'void' ? (
        <ActionForm to={`${path}/void`} operator={operator} class="row level" asks={VOID_ASKS}>
          <input type="hidden" name="key" value={key} />
          <p>No batch has taken it yet: all of it is cancelled, and the customer pays nothing.</p>
          <button type="submit" class="danger">
            Void it
          </button>
        </ActionForm>
      ) : null}
      {may === 'refund' ? <RefundForm path={path} {...{ row, operator, following }} /> : null}
    </section>
  )
}

const VOID_ASKS = 'Void this payment? A void cannot be undone.'
const REFUND_ASKS = 'Give this money back? A refund cannot be undone.'

function RefundForm({ row, operator, following, path }: FollowUpFormsProps & { path: string }) {
  const soFar = row.refunded + row.reserved
  const left = row.captured - soFar
  return (
    <ActionForm to={`${path}/refund`} operator={operator} class="row" asks={REFUND_ASKS}>
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
        <Money cents={left} /> can still be given back.
      </p>
      <button type="submit" class="danger">
        Refund it
      </button>
    </ActionForm>
  )
}
