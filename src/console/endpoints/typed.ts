// The typed values of an endpoint's forms, and their faults.

import { Refusal } from '../../core/errors.ts'
import { sentenceOf } from '../../core/sentence.ts'
import { EVENT_NAMES } from '../../events/event-names.ts'
import type { Form } from '../../web/forms.ts'
import { targetFormFault } from '../../webhooks/check-target.ts'
import type { NewWebhook } from '../../webhooks/create-webhook.ts'
import { typedAccount } from '../parts/account-fields.tsx'
import type { FormFaults } from '../parts/fields.tsx'

/** As the API takes it. */
const LONGEST_ADDRESS = 2_048

export function eventField(name: string): string {
  return `event_${name}`
}

/** The values as the form has them, for an endpoint that exists. */
export function endpointFields({ targetUrl, events }: NewWebhook): Form {
  const ticked = events.filter((name) => name !== '*').map((name) => [eventField(name), 'on'])
  return { target_url: targetUrl, ...Object.fromEntries(ticked) }
}

/** The fields that an endpoint's form has, and no others. */
export function typedEndpoint(form: Form) {
  const ticked = EVENT_NAMES.filter((name) => form[eventField(name)] === 'on')
  return {
    ...typedAccount(form),
    target_url: (form.target_url ?? '').trim().slice(0, LONGEST_ADDRESS + 1),
    ...Object.fromEntries(ticked.map((name) => [eventField(name), 'on'])),
  }
}

/** With no event ticked it gets all of them. */
export function endpointInput(typed: Form): NewWebhook {
  const ticked = EVENT_NAMES.filter((name) => typed[eventField(name)] === 'on')
  return { targetUrl: typed.target_url ?? '', events: ticked.length === 0 ? ['*'] : ticked }
}

export function addressFaults({ target_url: text = '' }: Form): FormFaults {
  if (text === '') return { target_url: 'Enter the address.' }
  if (text.length > LONGEST_ADDRESS) {
    return { target_url: `Enter at most ${LONGEST_ADDRESS} characters.` }
  }
  const fault = targetFormFault(text)
  return fault === undefined ? {} : { target_url: sentenceOf(`The address ${fault}`) }
}

/** The faults that only the action itself finds. Undefined if the error is of another kind. */
export function refusalFaults(error: unknown, field: string): FormFaults | undefined {
  if (!(error instanceof Refusal) || error.code === 'not_found') return undefined
  const { target_url: address, since } = error.faults ?? {}
  if (address?.[0] !== undefined) return { target_url: sentenceOf(`The address ${address[0]}`) }
  if (since?.[0] !== undefined) return { since: sentenceOf(`The time ${since[0]}`) }
  return { [field]: sentenceOf(error.message) }
}
