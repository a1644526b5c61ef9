// What operators do to an invoice: the merchant's own actions, each with its audit entry, which
// follows the action's own commit. The event of that commit names the request.

import type { FastifyRequest } from 'fastify'
import { obstacleOf } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { Refusal } from '../../core/errors.ts'
import { toDecimal } from '../../core/money.ts'
import { MESSAGE_CHANNELS, type MessageChannel } from '../../customers/addresses-of.ts'
import { changeInvoice } from '../../invoices/change-invoice.ts'
import { deleteInvoice } from '../../invoices/delete-invoice.ts'
import type { BilledInvoice } from '../../invoices/list-invoices.ts'
import { sendInvoice } from '../../invoices/send-invoice.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { payInvoiceByHand } from '../../payments/by-hand/pay-invoice-by-hand.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { type Form, formOf, lineOf } from '../../web/forms.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { actingOf, keyOfForm, operatorContext } from '../account-of.ts'
import { dollarText } from '../parts/shown.tsx'
import { noteOf } from '../parts/typed.ts'
import { operatorOf } from '../who.ts'
import { dateOf, readInvoiceChange, typedInvoiceChange } from './change.tsx'
import { LONGEST_NOTE } from './one.tsx'

export interface InvoiceAt {
  readonly account: AccountWithTeam
  readonly invoice: BilledInvoice
}

/** Returns what was done, in words. */
type Act = (world: World, request: FastifyRequest, found: InvoiceAt) => Promise<string>

export const INVOICE_ACTIONS: Readonly<Record<'send' | 'record' | 'change' | 'delete', Act>> = {
  async send(world, request, { account, invoice }) {
    const form = formOf(request)
    const channel = MESSAGE_CHANNELS.find((one) => one === form.channel)
    if (channel === undefined) {
      throw new PageRefusal(400, 'The form is incomplete', 'Open the page again.')
    }
    return sendByOperator(world, request, account, {
      id: invoice.id,
      channel,
      key: keyOfForm(form),
    })
  },

  async record(world, request, { account, invoice }) {
    const form = formOf(request)
    const acting = actingOf(account)
    const context = operatorContext(request, acting, keyOfForm(form))
    refuseStopped(account)
    const { method } = typedRecord(form)
    const note = noteOf(form.note, LONGEST_NOTE)
    if (method !== 'cash' && method !== 'check') {
      throw new Refusal('invalid_request', { message: 'Choose cash or check.' })
    }
    const input = { invoiceId: invoice.id, method, message: note || null } as const
    const { isReplayed } = await payInvoiceByHand(
      world,
      contextOfCaller(world, acting),
      context,
      input,
    )
    if (!isReplayed) {
      const detail = { total: toDecimal(invoice.total), method, ...(note === '' ? {} : { note }) }
      await audit(world, request, account, 'invoice paid by hand', invoice.id, detail)
    }
    return `${dollarText(invoice.total)} is recorded as paid by ${method}.`
  },

  async change(world, request, { account, invoice }) {
    const form = formOf(request)
    // An old form would put back the total that it showed.
    if (form.version !== undefined && form.version !== String(invoice.version)) {
      throw new Refusal('wrong_state', { message: 'the invoice has changed meanwhile' })
    }
    const change = readInvoiceChange(typedInvoiceChange(form), invoice)
    const context = operatorContext(request, actingOf(account))
    const changed = await changeInvoice(world, context, invoice.id, change)
    if (changed.version === invoice.version) return 'Nothing was changed.'
    const detail = { total: toDecimal(changed.total), due: dateOf(changed.payBy) }
    await audit(world, request, account, 'invoice changed', invoice.id, detail)
    return 'The invoice is changed.'
  },

  async delete(world, request, { account, invoice }) {
    if (invoice.deletedAt === null) {
      await deleteInvoice(world, operatorContext(request, actingOf(account)), invoice.id)
      await audit(world, request, account, 'invoice deleted', invoice.id)
    }
    return 'The invoice is deleted.'
  },
}

export function typedRecord({ method = '', note }: Form) {
  return { method, note: lineOf(note, LONGEST_NOTE) }
}

interface ToSend {
  readonly id: string
  readonly channel: MessageChannel
  readonly key: string
}

export async function sendByOperator(
  world: World,
  request: FastifyRequest,
  account: AccountWithTeam,
  { id, channel, key }: ToSend,
): Promise<string> {
  const context = operatorContext(request, actingOf(account), key)
  refuseStopped(account)
  if (channel === 'sms' && !account.team.smsEnabled) throw new Refusal('sms_not_enabled')
  const { recipients, isNew } = await sendInvoice(world, context, { id, channel })
  const [first = '', ...others] = recipients
  if (isNew) await audit(world, request, account, 'invoice sent', id, { channel, to: first })
  const rest = others.length === 0 ? '' : ` and ${others.length} more`
  return `The invoice is on its way to ${first}${rest}.`
}

/** Its page would take no payment. */
function refuseStopped({ team }: AccountWithTeam): void {
  const obstacle = obstacleOf(team)
  if (obstacle !== undefined) throw new Refusal(obstacle)
}

export function audit(
  world: World,
  request: FastifyRequest,
  account: AccountWithTeam,
  action: string,
  subject: string,
  detail: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  return writeAuditEntry(world, operatorOf(request), {
    action,
    subject,
    detail: { account: account.id, team: account.team.name, ...detail },
  })
}
