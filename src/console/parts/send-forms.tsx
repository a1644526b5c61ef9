// What sending an invoice and sending a receipt have in common: a form for each channel by which
// the customer can be reached, and the words afterwards.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { MESSAGE_CHANNELS, type MessageChannel } from '../../core/delivery.ts'
import { addressesOf } from '../../customers/addresses-of.ts'
import type { Form } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import { ActionForm, Submit } from './action-form.tsx'

interface MessageWay {
  readonly channel: MessageChannel
  readonly to: readonly string[]
}

export function waysTo(
  customer: Parameters<typeof addressesOf>[0],
  { team }: AccountWithTeam,
): readonly MessageWay[] {
  return MESSAGE_CHANNELS.filter((channel) => channel !== 'sms' || team.smsEnabled)
    .map((channel) => ({ channel, to: addressesOf(customer, channel) }))
    .filter(({ to }) => to.length > 0)
}

interface SendFormsProps {
  readonly path: string
  /** Made with the forms, so that sending one twice has one effect. */
  readonly formKey: string
  readonly ways: readonly MessageWay[]
  readonly wordsOf: (channel: MessageChannel) => string
  /** True if the first of them is the usual next step. */
  readonly isUsual?: boolean
}

export function SendForms({ path, formKey, ways, wordsOf, isUsual = false }: SendFormsProps) {
  return ways.map(({ channel, to }, i) => (
    <ActionForm key={channel} to={path} class="stack" fields={{ key: formKey, channel }}>
      <p class="quiet cut">To {to.join(', ')}</p>
      <Submit kind={isUsual && i === 0 ? undefined : 'plain'}>{wordsOf(channel)}</Submit>
    </ActionForm>
  ))
}

export function channelOfForm(form: Form): MessageChannel {
  const channel = MESSAGE_CHANNELS.find((one) => one === form.channel)
  if (channel === undefined) throw incompleteForm()
  return channel
}

export function queuedWords(what: string, [first = '', ...others]: readonly string[]): string {
  const rest = others.length === 0 ? '' : ` and ${others.length} more`
  return `The ${what} is queued for ${first}${rest}.`
}
