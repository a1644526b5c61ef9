// The receipt of a payment, which an operator sends once more, as the merchant could.

import type { MessageChannel } from '../../core/delivery.ts'
import { Refusal } from '../../core/errors.ts'
import { addressesOf } from '../../customers/addresses-of.ts'
import { requestReceipt } from '../../messages/request-receipt.ts'
import {
  actingOf,
  auditInCommit,
  keyOfForm,
  operatorContext,
  refuseStopped,
} from '../account-of.ts'
import type { Acting, Shown } from '../parts/object-page.tsx'
import { channelOfForm, queuedWords, SendForms, waysTo } from '../parts/send-forms.tsx'
import { CHANNEL_WORDS } from '../parts/shown.tsx'
import { transactionPath } from '../paths.ts'
import type { TransactionStory } from './read-story.ts'

/** A payment that was not made has no receipt. */
export function ReceiptForms({ found, formKey }: Shown<TransactionStory>) {
  const { account, row } = found
  if (row.status !== 'SUCCESS') return null
  const ways = waysTo(row.customer, account)
  const sentAt = { email: row.receiptEmailAt, sms: row.receiptSmsAt }
  const wordsOf = (channel: MessageChannel) =>
    `Send receipt${sentAt[channel] === null ? '' : ' again'} by ${CHANNEL_WORDS[channel]}`
  return (
    <section class="card stack" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      {ways.length === 0 ? <p class="quiet">The customer has no address to send it to.</p> : null}
      <SendForms path={`${transactionPath(row)}/receipt`} {...{ formKey, ways, wordsOf }} />
    </section>
  )
}

export async function sendReceiptAgain(acting: Acting<TransactionStory>): Promise<string> {
  try {
    return await receiptSent(acting)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `The receipt was not sent: ${error.message}.`
  }
}

async function receiptSent({ world, request, form, found }: Acting<TransactionStory>) {
  const { account, row } = found
  const channel = channelOfForm(form)
  const context = operatorContext(request, account, keyOfForm(form))
  refuseStopped(account)
  const input = { transactionId: row.id, channel, copies: [] }
  const recipients = addressesOf(row.customer, channel)
  const detail = { channel, to: recipients[0] ?? '' }
  const record = auditInCommit({ world, request }, account, 'receipt sent', row.id, detail)
  await requestReceipt(world, actingOf(account), { ...context, record }, input)
  return queuedWords('receipt', recipients)
}
