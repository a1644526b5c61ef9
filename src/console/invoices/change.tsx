// The form that changes an invoice before it is paid: its typed values, their faults, and the
// change that they make.

import { toDecimal } from '../../core/money.ts'
import type { Invoice } from '../../generated/client.ts'
import type { ChangedInvoice } from '../../invoices/change-invoice.ts'
import { readDueTime } from '../../invoices/read-due-time.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import { ActionCard } from '../parts/action-form.tsx'
import {
  type FormFaults,
  fieldsOf,
  filledForm,
  type RefusedForm,
  TextField,
} from '../parts/fields.tsx'
import { presentFaults, typedAmount } from '../parts/typed.ts'
import { invoicePath } from '../paths.ts'
import { AMOUNT_FAULT } from '../transactions/search.ts'
import { DATE_FAULT } from './fields.ts'

const LONGEST = 40

/** A field that the form did not have, such as the total of an invoice with lines, is left out. */
export function typedInvoiceChange({ total, due }: Form): Form {
  return {
    ...(total === undefined ? {} : { total: lineOf(total, LONGEST) }),
    ...(due === undefined ? {} : { due: lineOf(due, LONGEST) }),
  }
}

/** A field with its shown value changes nothing: the invoice may be due at a time of that day. */
export function readInvoiceChange(
  { total, due }: Form,
  { payBy }: Pick<Invoice, 'payBy'>,
): { readonly faults: FormFaults; readonly change: ChangedInvoice } {
  const cents = typedAmount(total ?? '')
  const day = readDueTime(due ?? '')
  const isDueKept = due === undefined || due === dateOf(payBy)
  const faults = presentFaults({
    total: total === undefined || cents !== undefined ? undefined : AMOUNT_FAULT,
    due: isDueKept || day !== undefined ? undefined : DATE_FAULT,
  })
  const change = {
    ...(cents === undefined ? {} : { total: cents }),
    ...(isDueKept || day === undefined ? {} : day),
  }
  return { faults, change }
}

export function dateOf(payBy: Date | null): string {
  return payBy?.toISOString().slice(0, 10) ?? ''
}

interface ChangeProps {
  readonly invoice: Pick<Invoice, 'accountId' | 'id' | 'total' | 'payBy' | 'version'>
  readonly refused: RefusedForm | undefined
  /** The total of an invoice with lines is their sum. */
  readonly hasLines: boolean
}

export function ChangeInvoiceForm({ invoice, refused, hasLines }: ChangeProps) {
  const shown = { total: toDecimal(invoice.total).toFixed(2), due: dateOf(invoice.payBy) }
  const field = fieldsOf(filledForm(refused, 'change', shown))
  return (
    <ActionCard
      title="Change the invoice"
      id="change"
      to={`${invoicePath(invoice)}/change`}
      says="The address of the bill stays the same, and shows the change at once."
      button="Change invoice"
      kind="plain"
      fields={{ version: String(invoice.version) }}
    >
      {hasLines ? null : <TextField {...field('total')} label="Total" inputMode="decimal" />}
      <TextField {...field('due')} type="date" label="Due (UTC)" hint="May be left empty." />
    </ActionCard>
  )
}
