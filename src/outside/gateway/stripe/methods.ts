// Payment methods at Stripe: kept for payments without the payer, known from a payer's page, and
// detached when they are deleted.

import type Stripe from 'stripe'
import { SECOND } from '../../../core/time-units.ts'
import { OUR_ACCOUNT } from '../order-marks.ts'
import type { BroughtToken, Kept, KnownToken, MethodToKeep, TokenOwner } from '../port.ts'
import { askInTime, named, OF_ANOTHER, type StripeNeeds } from './ask.ts'
import { isBusy, isOfAccount, readRefusal } from './refusals.ts'
import { OUR_KEY } from './requests.ts'
import { isFromPage, readStripeToken, writeStripeToken } from './token.ts'

/** Stripe's id of a card or a bank account that can be charged later. */
const SAVED_METHOD = /^pm_\w{1,200}$/
const PAGE_TOKEN = /^ctoken_\w{1,200}$/

const UNKNOWN: Kept = { kind: 'fault', fault: 'is unknown to the gateway' }

/**
 * Attaches a payment method to the Stripe customer of its owner: without that it could be charged
 * once only.
 */
export async function keepStripeMethod(
  needs: StripeNeeds,
  accountId: string,
  { token, owner }: MethodToKeep,
): Promise<Kept> {
  if (!SAVED_METHOD.test(token)) {
    return { kind: 'fault', fault: 'must be a payment method of Stripe, pm_…' }
  }
  try {
    const stripeOwner = await stripeOwnerOf(needs, accountId, owner)
    const method = await attach(needs, accountId, stripeOwner, token)
    const customer = customerOf(method)
    if (customer === undefined) return UNKNOWN
    const known = knownOf(method)
    if (known === undefined) {
      return { kind: 'fault', fault: 'must be a card or a bank account in the US' }
    }
    const { account } = stripeOwner
    const kept = writeStripeToken({ account, customer, method: method.id })
    return { kind: 'kept', token: kept, ...known }
  } catch (error) {
    return faultOf(error)
  }
}

interface StripeOwner {
  readonly account: string | undefined
  readonly customer: string
}

/** The Stripe customer of the owner, made where there is none yet. */
async function stripeOwnerOf(
  needs: StripeNeeds,
  accountId: string,
  { id, token }: TokenOwner,
): Promise<StripeOwner> {
  const account = await needs.connectedAccountOf(accountId)
  const known = token === undefined ? undefined : readStripeToken(token)
  if (known !== undefined && known.account === account) return { account, customer: known.customer }
  const request = { account, idempotencyKey: `${accountId}:${id}:customer`, isRepeatable: true }
  const { id: customer, metadata } = await askInTime(needs, request, ({ customers }, options) =>
    customers.create({ metadata: { [OUR_ACCOUNT]: accountId } }, options),
  )
  if (metadata?.[OUR_ACCOUNT] !== accountId) throw new Error(OF_ANOTHER)
  return { account, customer }
}

/** A payment method that is attached already stays so, if it is the account's own. */
async function attach(
  needs: StripeNeeds,
  accountId: string,
  { account, customer }: StripeOwner,
  token: string,
): Promise<Stripe.PaymentMethod> {
  const request = { account, idempotencyKey: `${token}:attach:${customer}`, isRepeatable: true }
  try {
    return await askInTime(needs, request, async ({ paymentMethods }, options) => {
      const method = await paymentMethods.attach(token, { customer }, options)
      if (customerOf(method) !== customer) throw new Error(OF_ANOTHER)
      // It may have been detached since then.
      const isReplayed = method.lastResponse.headers['idempotent-replayed'] === 'true'
      return isReplayed ? paymentMethods.retrieve(method.id, {}, withoutKey(options)) : method
    })
  } catch (error) {
    if (readRefusal(error)?.status !== 400) throw error
    const method = await askInTime(needs, { account }, ({ paymentMethods }, options) =>
      paymentMethods.retrieve(token, {}, options),
    )
    const present = customerOf(method)
    if (present === undefined) throw error
    const isOwn = await isOwnCustomer(needs, { account, customer: present }, accountId)
    return isOwn ? method : { ...method, customer: null }
  }
}

function withoutKey({ idempotencyKey: _, ...options }: Stripe.RequestOptions) {
  return options
}

function customerOf({ customer }: Stripe.PaymentMethod): string | undefined {
  return typeof customer === 'string' ? customer : customer?.id
}

/**
 * Several accounts of ours may share one of Stripe's. Customers that the merchant made in a
 * connected account without us are the merchant's own.
 */
async function isOwnCustomer(
  needs: StripeNeeds,
  stripeOwner: StripeOwner,
  accountId: string,
): Promise<boolean> {
  const metadata = await metadataOf(needs, stripeOwner)
  if (metadata === undefined) return false
  const owner = metadata[OUR_ACCOUNT]
  return owner === accountId || (owner === undefined && stripeOwner.account !== undefined)
}

/** Undefined if the customer has been deleted at Stripe. */
async function metadataOf(
  needs: StripeNeeds,
  { account, customer: id }: StripeOwner,
): Promise<Stripe.Metadata | undefined> {
  const customer = await askInTime(needs, { account }, ({ customers }, options) =>
    customers.retrieve(id, {}, options),
  )
  return customer.deleted === true ? undefined : customer.metadata
}

/** Undefined if our API has no such method. */
function knownOf({
  card,
  us_bank_account: bank,
}: Stripe.ConfirmationToken.PaymentMethodPreview | Stripe.PaymentMethod): KnownToken | undefined {
  if (card) {
    const { brand, exp_month: month, exp_year: year, last4: lastFour } = card
    const cardExp = `${month}`.padStart(2, '0') + `${year}`.slice(-2)
    return { method: 'card', lastFour, cardType: brand, cardExp }
  }
  if (!bank?.last4) return undefined
  return { method: 'bank', lastFour: bank.last4, cardType: null, cardExp: null }
}

/** Throws an error that is not about the payment method. */
function faultOf(error: unknown): Kept {
  const refusal = readRefusal(error)
  if (refusal === undefined || isBusy(refusal) || isOfAccount(refusal)) throw error
  switch (refusal.status) {
    case 402:
      return { kind: 'fault', fault: `was declined: ${refusal.message}` }
    case 404:
      return UNKNOWN
    case 400:
      return { kind: 'fault', fault: 'cannot be used any more' }
    default:
      throw error
  }
}

/** A token from a payer's page is for one payment, and names its card. */
export async function redeemPageToken(
  needs: StripeNeeds,
  accountId: string,
  { token, redeemedFor, owner }: BroughtToken,
): Promise<(KnownToken & { readonly token: string }) | undefined> {
  if (!PAGE_TOKEN.test(token)) return undefined
  const account = await needs.connectedAccountOf(accountId)
  const found = await askInTime(needs, { account }, async (stripe, options) => {
    const { payment_intent: id, ...rest } = await named(
      token,
      stripe.confirmationTokens.retrieve(token, {}, options),
    )
    const isUsed = id !== null && (await keyOf(stripe, id, options)) !== redeemedFor
    return isUsed ? undefined : rest
  }).catch(absentIfUnknown)
  const isOver = found?.expires_at != null && found.expires_at * SECOND <= needs.now().getTime()
  const preview = found?.payment_method_preview
  const known = preview && knownOf(preview)
  if (isOver || !known) return undefined
  const { customer } = await stripeOwnerOf(needs, accountId, owner)
  return { ...known, token: writeStripeToken({ account, customer, method: token }) }
}

async function keyOf(stripe: Stripe, intentId: string, options: Stripe.RequestOptions) {
  const { metadata } = await stripe.paymentIntents.retrieve(intentId, {}, options)
  return metadata[OUR_KEY]
}

function absentIfUnknown(error: unknown): undefined {
  if (readRefusal(error)?.status !== 404) throw error
}

/**
 * Detaches the payment method for good. A repeat succeeds too. One that the merchant has attached
 * to a customer without us is still used without us.
 */
export async function forgetStripeMethod(needs: StripeNeeds, token: string): Promise<void> {
  const read = readStripeToken(token)
  if (isFromPage(read)) return
  if (read.account !== undefined) {
    const metadata = await metadataOf(needs, read)
    if (metadata?.[OUR_ACCOUNT] === undefined) return
  }
  const request = {
    account: read.account,
    idempotencyKey: `${read.method}:detach`,
    isRepeatable: true,
  }
  await askInTime(needs, request, ({ paymentMethods }, options) =>
    paymentMethods.detach(read.method, {}, options),
  ).catch((error: unknown) => {
    const status = readRefusal(error)?.status
    if (status !== 400 && status !== 404) throw error
  })
}
