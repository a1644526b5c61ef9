// The receipt of a payment, which an operator sends once more, as the merchant could.

import { MESSAGE_CHANNELS } from '../../core/delivery.ts'
import { Refusal } from '../../core/errors.ts'
import { addressesOf } from '../../customers/addresses-of.ts'
import { requestReceipt } from '../../messages/request-receipt.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import { actingOf, auditAction, keyOfForm, operatorContext, refuseStopped } from '../account-of.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import type { Acting } from '../parts/detail-page.tsx'
import { CHANNEL_WORDS } from '../parts/shown.tsx'
import { transactionPath } from '../paths.ts'
import type { TransactionStory } from './read-story.ts'

interface ReceiptFormsProps {
  readonly story: Pick<TransactionStory, 'account' | 'row'>
  /** Made with the forms, so that sending one twice has one effect. */
  readonly formKey: string
}

/** A payment that was not made has no receipt. */
export function ReceiptForms({ story, formKey }: ReceiptFormsProps) {
  const { account, row } = story
  if (row.status !== 'SUCCESS') return null
  const ways = MESSAGE_CHANNELS.flatMap((channel) => {
    const to = addressesOf(row.customer, channel)
    const isPossible = to.length > 0 && (channel !== 'sms' || account.team.smsEnabled)
    const sentAt = { email: row.receiptEmailAt, sms: row.receiptSmsAt }[channel]
    return isPossible ? [{ channel, to, again: sentAt === null ? '' : ' again' }] : []
  })
  return (
    <section class="card stack" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      {ways.length === 0 ? <p class="quiet">The customer has no address to send it to.</p> : null}
      {ways.map(({ channel, to, again }) => (
        <ActionForm key={channel} to={`${transactionPath(row)}/receipt`} class="stack">
          <input type="hidden" name="key" value={formKey} />
          <input type="hidden" name="channel" value={channel} />
          <p class="quiet cut">To {to.join(', ')}</p>
          <Submit kind="plain">{`Send receipt${again} by ${CHANNEL_WORDS[channel]}`}</Submit>
        </ActionForm>
      ))}
    </section>
  )
}

export async function sendReceipt(acting: Acting<TransactionStory>): Promise<string> {
  try {
    return await receiptSent(acting)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `The receipt was not sent: ${error.message}.`
  }
}

async function receiptSent({ world, request, form, found }: Acting<TransactionStory>) {
  const { account, row } = found
  const channel = MESSAGE_CHANNELS.find((one) => one === form.channel)
  if (channel === undefined) throw incompleteForm()
  const context = operatorContext(request, account, keyOfForm(form))
  refuseStopped(account)
  if (channel === 'sms' && !account.team.smsEnabled) throw new Refusal('sms_not_enabled')
  const input = { transactionId: row.id, channel, copies: [] }
  const accountContext = contextOfCaller(world, actingOf(account))
  const { isReplayed } = await requestReceipt(world, accountContext, context, input)
  const [first = '', ...others] = addressesOf(row.customer, channel)
  if (!isReplayed) {
    await auditAction({ world, request }, account, 'receipt sent', row.id, { channel, to: first })
  }
  const rest = others.length === 0 ? '' : ` and ${others.length} more`
  return `The receipt is queued for ${first}${rest}.`
}
