// Sends an invoice to its customer, with the address of the page that takes the payment. The
// deliveries and the change of the invoice are one commit.

import type { RequestContext } from '../accounts/acting-account.ts'
import { Refusal } from '../core/errors.ts'
import { sent } from '../core/invoice.ts'
import { addressesOf, type MessageChannel } from '../customers/addresses-of.ts'
import { customerColumns } from '../customers/customer.ts'
import type { Query } from '../db/database.ts'
import { writeDeliveries } from '../deliveries/write-deliveries.ts'
import type { World } from '../world.ts'
import { holdInvoice, type InvoiceRow, refuseUnpayable, turnOfInvoice } from './invoice.ts'
import { writeInvoices } from './write-invoices.ts'

interface InvoiceToSend {
  readonly id: string
  readonly channel: MessageChannel
}

interface SentInvoice {
  readonly recipients: readonly string[]
  /** False if the same request has sent it before. */
  readonly isNew: boolean
}

const SENT_BEFORE = `
  SELECT recipient FROM delivery
  WHERE account_id = $1 AND subject_id = $2 AND channel = $3 AND request = $4 ORDER BY id`

/** An idempotency key sends it once by each channel. Without one, each request sends it again. */
export function sendInvoice(
  world: World,
  context: RequestContext,
  { id, channel }: InvoiceToSend,
): Promise<SentInvoice> {
  const { accountId, requestId, idempotencyKey: request = world.newId() } = context
  const key = { accountId, id }
  return world.db.commit(turnOfInvoice(key), async (query) => {
    const held = await holdInvoice(query, key)
    if (held === undefined) throw new Refusal('not_found')
    const before = await query(SENT_BEFORE, [accountId, id, channel, request])
    if (before.length > 0) {
      return { recipients: before.map(({ recipient }) => recipient), isNew: false }
    }
    refuseUnpayable(held)
    const recipients = await recipientsOf(query, held, channel)
    const at = world.accountNow(context)
    const change = sent(held, at)
    if (change !== undefined) await writeInvoices(world, query, [{ held, change, requestId, at }])
    const subject = { subject: 'invoice', subjectId: id } as const
    const delivery = { accountId, channel, ...subject, recipients, request, requestId }
    await writeDeliveries(world, query, delivery)
    return { recipients, isNew: true }
  })
}

async function recipientsOf(
  query: Query,
  { accountId, customerId }: InvoiceRow,
  channel: MessageChannel,
): Promise<readonly string[]> {
  const key = { accountId, id: customerId }
  const customer = await customerColumns.hold(query, key, 'FOR KEY SHARE')
  const isThere = customer !== undefined && customer.deletedAt === null
  const recipients = isThere ? addressesOf(customer, channel) : []
  if (recipients.length === 0) throw new Refusal('no_recipient')
  return recipients
}
