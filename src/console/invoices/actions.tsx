// The actions of operators on an invoice: the merchant's own actions, each with its audit entry.
// Here is also the form that changes an invoice before it is paid.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import type { MessageChannel } from '../../core/delivery.ts'
import { Refusal } from '../../core/errors.ts'
import { toDecimal } from '../../core/money.ts'
import { refuseChanged } from '../../core/refuse-changed.ts'
import type { InCommit } from '../../db/queries.ts'
import type { Invoice } from '../../generated/client.ts'
import { type ChangedInvoice, changeInvoice } from '../../invoices/change-invoice.ts'
import { deleteInvoice } from '../../invoices/delete-invoice.ts'
import type { BilledInvoice } from '../../invoices/list-invoices.ts'
import { isMidnight, readDueTime } from '../../invoices/read-due-time.ts'
import { sendInvoice } from '../../invoices/send-invoice.ts'
import { payInvoiceByHand } from '../../payments/by-hand/pay-invoice-by-hand.ts'
import { type Form, linesOf } from '../../web/forms.ts'
import {
  actingOf,
  auditInCommit,
  keyOfForm,
  operatorContext,
  refuseStopped,
} from '../account-of.ts'
import { ActionCard } from '../parts/action-form.tsx'
import { type FormFaults, fieldsOf, filledForm, TextField } from '../parts/fields.tsx'
import type { Acting, Action, Shown } from '../parts/object-page.tsx'
import { channelOfForm, queuedWords } from '../parts/send-forms.tsx'
import { dollarText } from '../parts/shown.tsx'
import { isFaulty, noteOf, presentFaults, seenVersionOf, typedAmount } from '../parts/typed.ts'
import { invoicePath } from '../paths.ts'
import { AMOUNT_FAULT } from '../transactions/search.ts'
import { DATE_FAULT } from './fields.ts'

export interface InvoiceAt {
  readonly account: AccountWithTeam
  readonly invoice: BilledInvoice
}

export const INVOICE_ACTIONS: Readonly<
  Record<'send' | 'record' | 'change' | 'delete', Action<InvoiceAt>>
> = {
  async send({ world, request, form, found: { account, invoice } }) {
    const toSend = { id: invoice.id, channel: channelOfForm(form), key: keyOfForm(form) }
    return sendByOperator({ world, request }, account, toSend)
  },

  async record({ world, request, form, found: { account, invoice } }) {
    const acting = actingOf(account)
    const context = operatorContext(request, account, keyOfForm(form))
    refuseStopped(account)
    const { method } = form
    const note = noteOf(form.note)
    if (method !== 'cash' && method !== 'check') {
      throw new Refusal('invalid_request', { message: 'Choose cash or check.' })
    }
    // What the form showed: another amount may be due by now.
    const total = typedAmount(form.total ?? '')
    const input = { invoiceId: invoice.id, method, message: note || null, total } as const
    const detail = { total: toDecimal(invoice.total), method, ...(note === '' ? {} : { note }) }
    const done = 'invoice paid by hand'
    const record = auditInCommit({ world, request }, account, done, invoice.id, detail)
    await payInvoiceByHand(world, acting, { ...context, record }, input)
    return `${dollarText(invoice.total)} is recorded as paid by ${method}.`
  },

  async change({ world, request, form, found: { account, invoice } }) {
    // An old form would put back the total that it showed.
    refuseChanged('invoice', invoice, seenVersionOf(form))
    const { faults, change } = readInvoiceChange(linesOf(form), invoice)
    if (isFaulty(faults)) return { faults }
    const context = operatorContext(request, account)
    const { id, version } = invoice
    const record: InCommit<[Changeable]> = (query, changed) => {
      const detail = changedFields(invoice, changed)
      return auditInCommit({ world, request }, account, 'invoice changed', id, detail)(query)
    }
    const changed = await changeInvoice(world, context, id, change, version, record)
    return changed.version === version ? 'Nothing was changed.' : 'The invoice is changed.'
  },

  async delete({ world, request, found: { account, invoice } }) {
    if (invoice.deletedAt === null) {
      const record = auditInCommit({ world, request }, account, 'invoice deleted', invoice.id)
      await deleteInvoice(world, operatorContext(request, account), invoice.id, record)
    }
    return 'The invoice is deleted.'
  },
}

interface ToSend {
  readonly id: string
  readonly channel: MessageChannel
  readonly key: string
}

export async function sendByOperator(
  { world, request }: Pick<Acting<unknown>, 'world' | 'request'>,
  account: AccountWithTeam,
  { id, channel, key }: ToSend,
): Promise<string> {
  const context = operatorContext(request, account, key)
  refuseStopped(account)
  const record: InCommit<[readonly string[]]> = (query, [to = '']) =>
    auditInCommit({ world, request }, account, 'invoice sent', id, { channel, to })(query)
  const recipients = await sendInvoice(world, context, { id, channel }, record)
  return queuedWords('invoice', recipients)
}

/**
 * A field that the form did not have, such as the total of an invoice with lines, changes nothing.
 * Nor does one with its shown value: the invoice may be due at a time of that day.
 */
function readInvoiceChange(
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

type Changeable = Pick<Invoice, 'total' | 'payBy'>

/** The old and the new values, for the audit log. */
function changedFields(before: Changeable, after: Changeable): Readonly<Record<string, string>> {
  const totals = [before, after].map(({ total }) => toDecimal(total).toFixed(2))
  const dueTimes = [before, after].map(({ payBy }) => dueText(payBy))
  return Object.fromEntries(
    Object.entries({ total: totals, due: dueTimes }).flatMap(([name, [from, to]]) =>
      from === to ? [] : [[name, `${from} → ${to}`]],
    ),
  )
}

/** With its time, which the form cannot show but replaces. */
function dueText(payBy: Date | null): string {
  if (payBy === null) return 'none'
  return isMidnight(payBy) ? dateOf(payBy) : payBy.toISOString()
}

function dateOf(payBy: Date | null): string {
  return payBy?.toISOString().slice(0, 10) ?? ''
}

interface ChangeProps extends Shown<InvoiceAt> {
  /** The total of an invoice with lines is their sum. */
  readonly hasLines: boolean
}

export function ChangeInvoiceForm({ found: { invoice }, refused, hasLines }: ChangeProps) {
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
