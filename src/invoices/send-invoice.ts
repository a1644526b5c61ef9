// Sends an invoice to its customer, with the address of the page that takes the payment. The
// deliveries and the change of the invoice are one commit.

import type { RequestContext } from '../accounts/acting-account.ts'
import type { MessageChannel } from '../core/delivery.ts'
import { Refusal } from '../core/errors.ts'
import { sent } from '../core/invoice.ts'
import { undeleted } from '../core/or-not-found.ts'
import { addressesOf } from '../customers/addresses-of.ts'
import { customerColumns } from '../customers/customer.ts'
import type { Query } from '../db/database.ts'
import type { InCommit } from '../db/queries.ts'
import { reachable } from '../deliveries/reachable.ts'
import { refuseSending } from '../deliveries/refuse-sending.ts'
import { writeDeliveries } from '../deliveries/write-deliveries.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import {
  holdInvoice,
  type InvoiceRow,
  invoiceView,
  refuseUnpayable,
  turnOfInvoice,
} from './invoice.ts'
import { writeInvoice } from './write-invoices.ts'

interface InvoiceToSend {
  readonly id: string
  readonly channel: MessageChannel
}

const SENT_BEFORE = `
  SELECT recipient FROM delivery
  WHERE account_id = $1 AND subject_id = $2 AND channel = $3 AND request = $4 ORDER BY id`

/**
 * Returns the recipients. An idempotency key sends it once by each channel. Without one, each
 * request sends it again.
 */
export function sendInvoice(
  world: World,
  context: RequestContext,
  { id, channel }: InvoiceToSend,
  record?: InCommit<[recipients: readonly string[]]>,
): Promise<readonly string[]> {
  const { accountId, idempotencyKey: request = world.newId() } = context
  const key = { accountId, id }
  return world.db.commit(turnOfInvoice(key), async (query) => {
    const held = await holdInvoice(query, key)
    const before = await query(SENT_BEFORE, [accountId, id, channel, request])
    if (before.length > 0) return before.map(({ recipient }) => recipient)
    const { recipients } = await send(world, query, context, { held, channel, request })
    await record?.(query, recipients)
    return recipients
  })
}

/** Returns the invoice as it is then; a repeat gets the same answer. */
export function requestBill(
  world: World,
  context: RequestContext,
  { id, channel }: InvoiceToSend,
): Promise<Done> {
  const { accountId } = context
  const claim = { operation: `${channel}_invoice`, request: { invoice_id: id }, resourceId: id }
  return once(world, context, claim, async (query) => {
    const held = await holdInvoice(query, { accountId, id })
    const request = world.newId()
    const { invoice } = await send(world, query, context, { held, channel, request })
    return invoiceView(world, invoice)
  })
}

interface Sending {
  readonly held: InvoiceRow
  readonly channel: MessageChannel
  /** The cause: a recipient gets one message for each request. */
  readonly request: string
}

async function send(
  world: World,
  query: Query,
  context: RequestContext,
  { held, channel, request }: Sending,
): Promise<{ readonly invoice: InvoiceRow; readonly recipients: readonly string[] }> {
  const { accountId, id } = held
  const { requestId } = context
  refuseUnpayable(held)
  await refuseSending(world, query, { accountId, subjectId: id, channel })
  const recipients = await recipientsOf(query, held, channel)
  const at = world.accountNow(context)
  const message = { accountId, channel, recipients, isScheduled: false }
  const isReached = (await reachable(query, [message])).has(message)
  const change = isReached ? sent(held, at) : undefined
  const write = change && { held, change, requestId, at }
  const invoice = write === undefined ? held : await writeInvoice(world, query, write)
  const subject = { subject: 'invoice', subjectId: id } as const
  await writeDeliveries(world, query, {
    ...message,
    ...subject,
    request,
    requestId,
  })
  return { invoice, recipients }
}

async function recipientsOf(
  query: Query,
  { accountId, customerId }: InvoiceRow,
  channel: MessageChannel,
): Promise<readonly string[]> {
  const key = { accountId, id: customerId }
  const customer = undeleted(await customerColumns.hold(query, key, 'FOR KEY SHARE'))
  const recipients = customer === undefined ? [] : addressesOf(customer, channel)
  if (recipients.length === 0) throw new Refusal('no_recipient')
  return recipients
}
