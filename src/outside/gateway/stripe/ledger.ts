// Stripe's side of reconciliation: its payments, captures and refunds that carry our keys, and the
// captures and refunds of our payments that were made without us, as in Stripe's dashboard.

import type Stripe from 'stripe'
import { msOfId } from '../../../core/id.ts'
import { after, HOUR } from '../../../core/time-units.ts'
import { bookedAt, HOLDS_LAST_MS, OUR_ACCOUNT, OUR_OPERATION } from '../order-marks.ts'
import type { GatewayEntry, OrderName, PaidWith, Window } from '../port.ts'
import { answerOfIntent, answerOfRefund, instantOf } from './answers.ts'
import { askInTime, type StripeNeeds } from './ask.ts'
import { pages, SKEW_MS, secondsOf } from './pages.ts'
import { readRefusal } from './refusals.ts'
import { OUR_CAPTURE, OUR_KEY, REFUND_ID } from './requests.ts'
import { readStripeToken } from './token.ts'

/** Fewer are asked for one by one. */
const MANY = 20

/** Most orders are at Stripe within seconds. The others are asked for one by one. */
const ORDERED_WITHIN_MS = HOUR

/** A hundred requests for one payment. */
const MOST_REFUNDS = 10_000

export async function entriesAtStripe(
  needs: StripeNeeds,
  accountId: string,
  orders: readonly OrderName[],
): Promise<readonly GatewayEntry[]> {
  const asked = new Set(orders.map(({ key }) => key))
  const found = new Map<string, GatewayEntry>()
  const keep = (entries: readonly GatewayEntry[]) => {
    for (const entry of entries) if (asked.has(entry.key)) found.set(entry.key, entry)
  }
  for (const account of new Set(orders.map(({ token }) => readStripeToken(token).account))) {
    const own = orders.filter(({ token }) => readStripeToken(token).account === account)
    if (own.length >= MANY) await listEntries(needs, account, accountId, own, keep)
  }
  for (const order of orders) {
    if (!found.has(order.key)) keep(await entriesNear(needs, accountId, order))
  }
  return [...found.values()]
}

/**
 * By time, a hundred with each request. If others use the account much more, that would take more
 * requests than there are orders, so it stops before.
 */
async function listEntries(
  needs: StripeNeeds,
  account: string | undefined,
  accountId: string,
  orders: readonly OrderName[],
  keep: (entries: readonly GatewayEntry[]) => void,
): Promise<void> {
  const times = orders.map(({ key }) => msOfId(key))
  const created = {
    gte: secondsOf(new Date(Math.min(...times) - SKEW_MS)),
    lte: secondsOf(new Date(Math.max(...times) + ORDERED_WITHIN_MS)),
  }
  for (const list of [listedRefunds, listedIntents]) {
    let left = orders.length / 2
    for await (const page of list(needs, account, accountId, created)) {
      keep(page)
      left -= 1
      if (left <= 0) break
    }
  }
}

/** The entries of the payment or the refund that Stripe calls by that name. */
async function entriesNear(
  needs: StripeNeeds,
  accountId: string,
  { gatewayId, token }: OrderName,
): Promise<readonly GatewayEntry[]> {
  if (gatewayId === null) return []
  const { account } = readStripeToken(token)
  try {
    if (REFUND_ID.test(gatewayId)) {
      const refund = await askInTime(needs, { account }, ({ refunds }, options) =>
        refunds.retrieve(gatewayId, {}, options),
      )
      return entryOfRefund(refund, accountId)
    }
    const intent = await askInTime(needs, { account }, ({ paymentIntents }, options) =>
      paymentIntents.retrieve(gatewayId, {}, options),
    )
    return entriesOfIntent(intent, accountId, await isVoidedBy(needs, account, gatewayId))
  } catch (error) {
    if (readRefusal(error)?.status === 404) return []
    throw error
  }
}

/** Also in the accounts that were the merchant's before: payments of earlier methods are there. */
export async function* entriesAtStripeBetween(
  needs: StripeNeeds,
  window: Window,
): AsyncGenerator<readonly GatewayEntry[]> {
  const account = await needs.connectedAccountOf(window.accountId)
  yield* entriesIn(needs, account, window)
  for (const used of await needs.usedAccountsOf(window.accountId)) {
    if (used === account) continue
    try {
      yield* entriesIn(needs, used, window)
    } catch (error) {
      // A merchant who has left may have disconnected it. The alarm of the request says so.
      if (readRefusal(error)?.status !== 403) throw error
    }
  }
}

async function* entriesIn(
  needs: StripeNeeds,
  account: string | undefined,
  { accountId, from, before, madeUntil }: Window,
): Listing {
  const isInside = ({ bookedAt }: GatewayEntry) => bookedAt >= from && bookedAt < before
  const made = { lte: secondsOf(after(madeUntil, SKEW_MS)), gte: secondsOf(from) }
  for await (const page of listedRefunds(needs, account, accountId, made)) {
    yield page.filter(isInside)
  }
  const heldSince = { ...made, gte: secondsOf(after(from, -HOLDS_LAST_MS)) }
  for await (const page of listedIntents(needs, account, accountId, heldSince)) {
    yield page.filter(isInside)
  }
}

type Listing = AsyncGenerator<readonly GatewayEntry[]>

async function* listedRefunds(
  needs: StripeNeeds,
  account: string | undefined,
  accountId: string,
  created: Stripe.RangeQueryParam,
): Listing {
  const refunds = pages((params) =>
    askInTime(needs, { account }, (stripe, options) =>
      stripe.refunds.list({ ...params, created, expand: ['data.payment_intent'] }, options),
    ),
  )
  for await (const page of refunds) {
    yield page.flatMap((refund) => entryOfRefund(refund, accountId))
  }
}

async function* listedIntents(
  needs: StripeNeeds,
  account: string | undefined,
  accountId: string,
  created: Stripe.RangeQueryParam,
): Listing {
  // With its parent, the charge.
  const expand = ['data.latest_charge.balance_transaction']
  const intents = pages((params) =>
    askInTime(needs, { account }, (stripe, options) =>
      stripe.paymentIntents.list({ ...params, created, expand }, options),
    ),
  )
  for await (const page of intents) {
    const entries: GatewayEntry[] = []
    for (const intent of page) {
      const isOurs = ourMetadata(intent.metadata, accountId) !== undefined
      const isVoided =
        isOurs && wasRefunded(intent) && (await isVoidedBy(needs, account, intent.id))
      entries.push(...entriesOfIntent(intent, accountId, isVoided))
    }
    yield entries
  }
}

/** Its refunds are asked for only if there may be some. */
function wasRefunded({ latest_charge: charge }: Stripe.PaymentIntent): boolean {
  return typeof charge === 'object' && charge !== null && charge.amount_refunded > 0
}

/** True if one of its refunds is a void of ours, however many others there are. */
async function isVoidedBy(
  needs: StripeNeeds,
  account: string | undefined,
  id: string,
): Promise<boolean> {
  const refunds = pages((params) =>
    askInTime(needs, { account }, (stripe, options) =>
      stripe.refunds.list({ ...params, payment_intent: id }, options),
    ),
  )
  let read = 0
  for await (const page of refunds) {
    if (page.some(isVoid)) return true
    read += page.length
    if (read >= MOST_REFUNDS) throw new Error(`payment ${id} has too many refunds to be compared`)
  }
  return false
}

/** None if another service made it, or another account of ours. */
function ourMetadata(metadata: Stripe.Metadata | null, accountId: string) {
  const key = metadata?.[OUR_KEY]
  if (key === undefined || metadata?.[OUR_ACCOUNT] !== accountId) return undefined
  const operation = metadata[OUR_OPERATION] as GatewayEntry['operation']
  return { key, operation, bookedAt: bookedAt(key), capture: metadata[OUR_CAPTURE] }
}

function entryOfRefund(refund: Stripe.Refund, accountId: string): readonly GatewayEntry[] {
  const made = ourMetadata(refund.metadata, accountId) ?? refundElsewhere(refund, accountId)
  if (made === undefined) return []
  const { bookedAt, key, operation } = made
  const state = answerOfRefund(refund).kind
  const amount = BigInt(refund.amount)
  return [{ key, operation, bookedAt, gatewayId: refund.id, amount, state, isVoided: false }]
}

/** Our payment was refunded without us. A hold that is released is no movement of money. */
function refundElsewhere(refund: Stripe.Refund, accountId: string) {
  const { balance_transaction: moved, created, id: key, payment_intent: intent } = refund
  if (moved === null || intent === null || typeof intent === 'string') return undefined
  if (ourMetadata(intent.metadata, accountId) === undefined) return undefined
  return { key, operation: 'refund', bookedAt: instantOf(created) } as const
}

/** A payment's own entry, and that of its capture. */
function entriesOfIntent(
  intent: Stripe.PaymentIntent,
  accountId: string,
  isRefundedByVoid: boolean,
): readonly GatewayEntry[] {
  const ours = ourMetadata(intent.metadata, accountId)
  if (ours === undefined) return []
  const { capture, ...named } = ours
  const wasHeld = intent.latest_charge !== null && intent.last_payment_error === null
  const isReleased = intent.status === 'canceled' && wasHeld
  const state = isReleased ? 'approved' : answerOfIntent(intent, 'card').kind
  const common = { gatewayId: intent.id, state, paidWith: paidWith(intent) } as const
  const isVoided = isReleased || isRefundedByVoid
  const own = { ...common, ...named, amount: BigInt(intent.amount) }
  const captured =
    capture === undefined ? captureElsewhere(intent) : { key: capture, bookedAt: bookedAt(capture) }
  if (captured === undefined || intent.status === 'requires_capture') return [{ ...own, isVoided }]
  const amount = BigInt(intent.amount_received)
  const taken = { ...common, ...captured, operation: 'capture', amount, isVoided } as const
  return [{ ...own, isVoided: false }, taken]
}

/** Our hold was captured without us. Only its balance transaction, once there is one, says when. */
function captureElsewhere({
  capture_method: method,
  latest_charge: charge,
  status,
}: Stripe.PaymentIntent) {
  if (method !== 'manual' || status !== 'succeeded') return undefined
  if (charge === null || typeof charge === 'string') return undefined
  const { balance_transaction: moved, id: key } = charge
  if (moved === null || typeof moved === 'string') return undefined
  return { key, bookedAt: instantOf(moved.created) }
}

/** The charge is there only if it was asked for. */
function paidWith({
  latest_charge: charge,
  payment_method: method,
}: Stripe.PaymentIntent): PaidWith {
  const details = typeof charge === 'string' ? undefined : charge?.payment_method_details
  const lastFour = details?.card?.last4 ?? details?.us_bank_account?.last4 ?? undefined
  return { lastFour, method: typeof method === 'string' ? method : method?.id }
}

function isVoid(refund: Stripe.Refund): boolean {
  const isOfVoid = refund.metadata?.[OUR_OPERATION] === 'void'
  return isOfVoid && answerOfRefund(refund).kind === 'approved'
}
