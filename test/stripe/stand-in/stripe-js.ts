// The exchange between a payer's browser and Stripe: the script for pages, tokens for the typed
// data, and the payer's answers to the bank.

import { readFileSync } from 'node:fs'
import type { StripeAccount } from './account.ts'
import { finishAuthentication } from './confirm.ts'
import { makeConfirmationToken } from './confirmation-tokens.ts'
import { textOf } from './fields.ts'
import type { StripeForm } from './form.ts'
import { noSuch, refused, StripeRefusal, unauthorized } from './refusals.ts'
import { traitsOfTyped } from './test-methods.ts'

const SCRIPT = new URL('./stripe-js/v3.js', import.meta.url)

export interface BrowserReply {
  readonly status: number
  readonly type: string
  readonly body: string
}

interface BrowserRequest {
  readonly method: string
  readonly path: string
  readonly form: StripeForm
}

interface BrowserNeeds {
  readonly publishableKey: string
  readonly accountOf: (id: string | undefined) => StripeAccount
}

/** Undefined if the request is not a browser's. */
export function answerBrowser(
  { publishableKey, accountOf }: BrowserNeeds,
  { method, path, form }: BrowserRequest,
): BrowserReply | undefined {
  const call = `${method} ${path}`
  if (call === 'GET /v3/') {
    return { status: 200, type: 'text/javascript', body: readFileSync(SCRIPT, 'utf8') }
  }
  const run = CALLS[call]
  if (run === undefined) return undefined
  try {
    const key = textOf(form, 'key')
    if (key !== publishableKey) throw unauthorized(key)
    return json(200, run(accountOf(textOf(form, 'account')), form))
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    return json(error.status, { error: error.body })
  }
}

function json(status: number, body: object): BrowserReply {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

type BrowserCall = (account: StripeAccount, form: StripeForm) => object

const CALLS: Readonly<Record<string, BrowserCall>> = {
  'POST /v3/confirmation_tokens': makeToken,
  'POST /v3/answers': takeAnswer,
}

function makeToken(account: StripeAccount, form: StripeForm): object {
  const number = (textOf(form, 'number') ?? '').replace(/\s/g, '')
  const traits = traitsOfTyped(number)
  if (traits === undefined) {
    throw refused('Your card number is invalid.', { code: 'incorrect_number' })
  }
  const isAtOnce = textOf(form, 'verification_method') === 'instant'
  if (isAtOnce && traits.kind === 'bank' && traits.isUnverified) {
    throw refused('This bank cannot be reached. Use another bank, or another way to pay.')
  }
  const { id } = makeConfirmationToken(account, traits, form)
  return { id }
}

/** The status is empty if the payer has closed the question. */
function takeAnswer(account: StripeAccount, form: StripeForm): object {
  const secret = textOf(form, 'client_secret')
  const intent = [...account.paymentIntents.values()].find((one) => one.client_secret === secret)
  if (intent === undefined) throw noSuch('payment_intent', 'of this client secret')
  const answer = textOf(form, 'answer') ?? ''
  if (intent.status === 'requires_action' && answer !== '') {
    finishAuthentication(account, intent, answer === 'yes')
  }
  return { id: intent.id, status: intent.status }
}
