// The API without the network: from a request to the reply, through the idempotency layer.

import { setTimeout as wait } from 'node:timers/promises'
import { type ActionBody, acceptAction } from './actions.ts'
import { type ActionType, type Business, newCheckoutId } from './business.ts'
import { cardOf } from './cards.ts'
import { listedDisputes, shownDispute } from './disputes.ts'
import type { CheckoutFault } from './faults.ts'
import {
  createPayment,
  detailedPayment,
  type PaymentBody,
  paymentNamed,
  shownActions,
  shownPayment,
} from './payments.ts'
import { CheckoutRefusal, invalidRequest } from './refusals.ts'

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly idempotencyKey: string | undefined
  readonly body: unknown
}

export interface ApiReply {
  readonly status: number
  readonly body: string
}

interface KeptKey {
  readonly since: number
  /** Undefined while the first request is being executed. */
  reply?: ApiReply
}

export type KeptKeys = Map<string, KeptKey>

const KEYS_ARE_KEPT_MS = 24 * 60 * 60 * 1000

/** The endpoints that accept idempotency keys. */
const KEYED = /^\/payments(\/\w+\/(captures|refunds|voids))?$/

export async function answerCheckout(
  business: Business,
  keys: KeptKeys,
  request: ApiRequest,
  fault: CheckoutFault | undefined,
): Promise<ApiReply> {
  const { idempotencyKey, method, path } = request
  const execution = () => execute(business, request, fault)
  if (idempotencyKey === undefined || method !== 'POST' || !KEYED.test(path)) return execution()
  const scope = business.settings.hasKeysPerEndpoint ? `${path} ` : ''
  const name = `${scope}${idempotencyKey}`
  const now = business.clock.now().getTime()
  const kept = keys.get(name)
  if (kept !== undefined && now - kept.since < KEYS_ARE_KEPT_MS) {
    // The same request is being executed. Its body is not compared.
    return kept.reply ?? { status: 429, body: '' }
  }
  const entry: KeptKey = { since: now }
  keys.set(name, entry)
  const reply = await execution()
  // Only a success is kept.
  if (reply.status < 300) entry.reply = reply
  else keys.delete(name)
  return reply
}

async function execute(
  business: Business,
  request: ApiRequest,
  fault: CheckoutFault | undefined,
): Promise<ApiReply> {
  await wait(fault?.kind === 'slow' ? fault.lastsMs : business.settings.executionMs)
  try {
    if (fault?.kind === 'account refused') throw invalidRequest('business_settings_missing')
    if (fault?.kind === 'server error' && !fault.isExecuted) throw new CheckoutRefusal(500)
    business.clock.catchUp()
    const [status, body] = run(business, request)
    if (fault?.kind === 'server error') throw new CheckoutRefusal(500)
    return { status, body: body === undefined ? '' : JSON.stringify(body) }
  } catch (error) {
    if (!(error instanceof CheckoutRefusal)) throw error
    return refusalReplyOf(error)
  }
}

function refusalReplyOf({ body, status }: CheckoutRefusal): ApiReply {
  const words = body && { request_id: newCheckoutId('req'), ...body }
  return { status, body: words === undefined ? '' : JSON.stringify(words) }
}

const TYPES: Readonly<Record<string, ActionType>> = {
  captures: 'Capture',
  refunds: 'Refund',
  voids: 'Void',
}

/** Runs without interruption: no other request is executed meanwhile. */
function run(business: Business, request: ApiRequest): readonly [number, object?] {
  const [, folder = '', id = '', what = '', ...rest] = request.path.split('/')
  const route = `${request.method} ${folder}${id === '' ? '' : '/:id'}${what === '' ? '' : `/${what}`}`
  if (rest.length > 0) throw new CheckoutRefusal(404)
  switch (route) {
    case 'POST payments':
      return [201, createPayment(business, request.body as PaymentBody)]
    case 'GET payments':
      return [200, listed(business, request.query)]
    case 'GET payments/:id':
      return [200, detailedPayment(paymentNamed(business, id))]
    case 'GET payments/:id/actions':
      return [200, shownActions(paymentNamed(business, id))]
    case 'POST payments/:id':
      if (id === 'search') return [200, searched(business, request)]
      break
    case 'POST payments/:id/captures':
    case 'POST payments/:id/refunds':
    case 'POST payments/:id/voids': {
      const type = TYPES[what] ?? 'Capture'
      const payment = paymentNamed(business, id)
      return [202, acceptAction(business, payment, type, request.body as ActionBody)]
    }
    case 'GET disputes':
      return [200, listedDisputes(business, request.query)]
    case 'GET disputes/:id':
      return [200, shownDispute(business, id)]
    case 'POST tokens':
      return [201, tokenFor(business, request.body as CardBody)]
    case 'DELETE instruments/:id':
      if (!business.cardOfSource.delete(id)) throw new CheckoutRefusal(404)
      return [204]
  }
  throw new CheckoutRefusal(404)
}

function listed({ payments }: Business, query: URLSearchParams): object {
  const reference = query.get('reference')
  if (reference === null) throw invalidRequest('reference_required')
  const all = [...payments.values()].filter((one) => one.reference === reference).toReversed()
  const limit = Number(query.get('limit') ?? 10)
  return { limit, skip: 0, total_count: all.length, data: all.slice(0, limit).map(shownPayment) }
}

interface SearchBody {
  readonly from: string
  readonly to: string
  readonly limit?: number
}

function searched({ payments }: Business, { body, query }: ApiRequest): object {
  const { from, limit = 10, to } = body as SearchBody
  const all = [...payments.values()].filter(
    ({ requested_on: at }) => at >= new Date(from).toISOString() && at <= to,
  )
  const skip = Number(query.get('after') ?? 0)
  const next = { href: `https://checkout.invalid/payments/search?after=${skip + limit}` }
  return {
    data: all.slice(skip, skip + limit).map(shownPayment),
    _links: all.length > skip + limit ? { next } : {},
  }
}

interface CardBody {
  readonly number?: string
  readonly expiry_month?: number
  readonly expiry_year?: number
}

function tokenFor(business: Business, card: CardBody): object {
  const { expiry_month: month = 12, expiry_year: year = 2034, number = '' } = card
  if (!/^\d{13,19}$/.test(number)) throw invalidRequest('card_number_invalid')
  const token = newCheckoutId('tok')
  business.cardOfToken.set(token, cardOf(number, month, year))
  return { type: 'card', token, last4: number.slice(-4), expiry_month: month, expiry_year: year }
}
