// Payment methods at Checkout.com: a card is stored for payments without the payer by a payment of
// nothing, which verifies it, and deleted when its payment method is.

import type { Kept, KnownToken, MethodToKeep } from '../port.ts'
import {
  acceptedBody,
  askOrAlarm,
  type CheckoutNeeds,
  type CheckoutPayment,
  errorCodeOf,
  OF_ANOTHER,
} from './records.ts'
import { isOfAccount } from './refusals.ts'
import { verificationOf } from './requests.ts'
import { readCheckoutToken, writeCheckoutToken } from './token.ts'

/** The script of Checkout.com makes it of a card in a browser. It is used once. */
const BROWSER_TOKEN = /^tok_\w{1,100}$/

export async function keepCheckoutMethod(
  needs: CheckoutNeeds,
  accountId: string,
  { token }: MethodToKeep,
): Promise<Kept> {
  if (!BROWSER_TOKEN.test(token)) return fault('must be a token of Checkout.com, tok_…')
  const { processingChannel: channel } = needs
  const body = verificationOf(accountId, channel, token)
  const request = {
    method: 'POST',
    path: '/payments',
    body,
    // A repeat gets the card that the first request has stored.
    idempotencyKey: `${accountId}:${token}`,
  } as const
  const reply = await askOrAlarm(needs, request)
  const isOfToken = reply.status === 404 || reply.status === 422
  if (isOfToken && !isOfAccount(errorCodeOf(reply))) {
    return fault('is unknown to the gateway, or was used before')
  }
  const payment = acceptedBody<CheckoutPayment>(reply)
  if (payment.reference !== body.reference) throw new Error(OF_ANOTHER)
  return keptBy(channel, payment)
}

function keptBy(channel: string, payment: CheckoutPayment): Kept {
  const { response_summary: summary = 'Declined', source, status } = payment
  if (status === 'Declined') return fault(`was declined: ${summary}`)
  if (status !== 'Card Verified') return fault('cannot be verified without the payer')
  const known = source && knownOf(source)
  if (source?.id === undefined || known === undefined) return fault('must be of a card')
  const token = writeCheckoutToken({ channel, source: source.id, agreement: payment.id })
  return { kind: 'kept', token, ...known }
}

function knownOf(source: NonNullable<CheckoutPayment['source']>): KnownToken | undefined {
  const { expiry_month: month, expiry_year: year, last4: lastFour, scheme, type } = source
  if (type !== 'card' || lastFour === undefined) return undefined
  const isDated = month !== undefined && year !== undefined
  const cardExp = isDated ? `${month}`.padStart(2, '0') + `${year}`.slice(-2) : null
  return { method: 'card', lastFour, cardType: scheme?.toLowerCase() ?? null, cardExp }
}

function fault(words: string): Kept {
  return { kind: 'fault', fault: words }
}

/** Deletes the card for good. A repeat succeeds too. */
export async function forgetCheckoutMethod(needs: CheckoutNeeds, token: string): Promise<void> {
  const { source } = readCheckoutToken(token)
  const request = { method: 'DELETE', path: `/instruments/${source}` } as const
  const reply = await askOrAlarm(needs, request)
  if (reply.status !== 404) acceptedBody(reply)
}
