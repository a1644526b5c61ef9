// A stand-in for Checkout.com on loopback: its API with a business in memory, its webhooks, a clock
// that can be moved, and planned faults.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripeClock } from '../../stripe/stand-in/clock.ts'
import { type ApiReply, type ApiRequest, answerCheckout, type KeptKeys } from './api.ts'
import {
  type ActionType,
  type Business,
  CHECKOUT_DEFAULTS,
  type CheckoutSettings,
  newCheckoutId,
  type StandInPayment,
} from './business.ts'
import { cardOf } from './cards.ts'
import { changeDispute, type DisputeInput, type DisputeState, openDispute } from './disputes.ts'
import type { CheckoutFault, CheckoutFaultPlan } from './faults.ts'
import { paymentNamed } from './payments.ts'
import { type CheckoutWebhooks, openCheckoutWebhooks } from './webhooks.ts'

export interface CheckoutOptions extends Partial<CheckoutSettings> {
  /** Without it, a free port. */
  readonly port?: number
  readonly secretKey?: string
  readonly webhookSecret?: string
}

/** The movement of money by a payment, or by an action on it. */
export interface CheckoutMove {
  readonly type: ActionType
  readonly paymentId: string
  readonly amount: number
  readonly reference: string | undefined
  readonly metadata: Readonly<Record<string, string>>
  /** Undefined until it is decided. */
  readonly approved: boolean | undefined
}

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | undefined
  /** Undefined if the client got no complete answer. */
  readonly status: number | undefined
}

export interface CheckoutStandIn extends AsyncDisposable {
  readonly url: string
  readonly secretKey: string
  readonly publicKey: string
  readonly processingChannel: string
  readonly webhookSecret: string
  readonly events: CheckoutWebhooks
  readonly requests: readonly SentRequest[]
  now(): Date
  /** Makes a token of a card, as the script in a browser does. */
  token(cardNumber?: string): string
  /** Runs the work that falls due, and waits for its webhooks. */
  advance(ms: number): Promise<void>
  /** The movements, the oldest first, with those that are not decided yet. */
  ledger(): readonly CheckoutMove[]
  /** The plan decides about each following request; without a plan, there are no faults. */
  fault(plan?: CheckoutFaultPlan): void
  /** The next action of this type is accepted first, and refused later. */
  failNext(type: ActionType): void
  /** A hold ends by itself. */
  lapse(paymentId: string): void
  /** Returns its id. */
  openDispute(paymentId: string, input?: DisputeInput): string
  changeDispute(disputeId: string, status: DisputeState): void
}

const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head></html>\n'
const VISA = '4242424242424242'

export async function openCheckout(options: CheckoutOptions = {}): Promise<CheckoutStandIn> {
  const settings = { ...CHECKOUT_DEFAULTS, ...options }
  const secretKey = options.secretKey ?? newCheckoutId('sk_sbox')
  const webhookSecret = options.webhookSecret ?? randomBytes(16).toString('hex')
  const events = openCheckoutWebhooks(webhookSecret)
  const clock = stripeClock()
  const business: Business = {
    clock,
    settings,
    cardOfToken: new Map(),
    cardOfSource: new Map(),
    payments: new Map(),
    disputes: new Map(),
    failing: new Set(),
    take: events.take,
  }
  const keys: KeptKeys = new Map()
  const requests: SentRequest[] = []
  let plan: CheckoutFaultPlan = () => undefined

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    const fault = plan(request)
    const isKnown = incoming.headers.authorization === `Bearer ${secretKey}`
    const isExecuted = !(fault && 'isExecuted' in fault) || fault.isExecuted
    const refusal = isKnown || request.path === '/tokens' ? refusalBy(fault) : 401
    const isAnswered = isExecuted || fault?.kind === 'server error'
    const answered = () => answerCheckout(business, keys, request, fault)
    const executed = isAnswered && refusal === undefined ? await answered() : undefined
    const reply = refusal === undefined ? executed : { status: refusal, body: '' }
    const status = send(response, reply, fault)
    requests.push({ ...request, status })
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      console.error(error)
      incoming.destroy()
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    publicKey: secretKey.replace(/^sk_/, 'pk_'),
    processingChannel: 'pc_standinstandinstandinstandi',
    webhookSecret,
    events,
    requests,
    now: () => clock.now(),
    token(cardNumber = VISA) {
      const token = newCheckoutId('tok')
      business.cardOfToken.set(token, cardOf(cardNumber, 12, 2034))
      return token
    },
    async advance(ms) {
      clock.advance(ms)
      await events.idle()
    },
    ledger: () => [...business.payments.values()].flatMap(movesOfPayment),
    fault(newPlan = () => undefined) {
      plan = newPlan
    },
    failNext: (type) => business.failing.add(type),
    lapse(paymentId) {
      paymentNamed(business, paymentId).status = 'Expired'
    },
    openDispute: (paymentId, input = {}) =>
      openDispute(business, paymentNamed(business, paymentId), input),
    changeDispute: (id, status) => changeDispute(business, id, status),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await events.idle()
    },
  }
}

function movesOfPayment({ actions, id }: StandInPayment): readonly CheckoutMove[] {
  return actions.map(({ amount, approved, metadata, reference, type }) => ({
    type,
    paymentId: id,
    amount,
    reference,
    metadata,
    approved,
  }))
}

/** The refusals that come before the idempotency layer. */
function refusalBy(fault: CheckoutFault | undefined): number | undefined {
  switch (fault?.kind) {
    case 'too many requests':
      return 429
    case 'key refused':
      return fault.status
    default:
      return undefined
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const { headers, method = '', url = '' } = incoming
  const text = Buffer.concat(await incoming.toArray()).toString('utf8')
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const key = headers['cko-idempotency-key']
  return {
    method,
    path: pathname,
    query: searchParams,
    idempotencyKey: Array.isArray(key) ? key[0] : key,
    body: text === '' ? {} : JSON.parse(text),
  }
}

/** Returns the status of a complete answer. */
function send(
  response: ServerResponse,
  reply: ApiReply | undefined,
  fault: CheckoutFault | undefined,
): number | undefined {
  switch (fault?.kind) {
    case 'hang':
      return undefined
    case 'cut':
      response.socket?.destroy()
      return undefined
    case 'bad gateway':
      response.writeHead(502, { 'content-type': 'text/html' }).end(BAD_GATEWAY)
      return 502
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "pay_')
      return 200
    case 'other words':
      response.writeHead(fault.status, { 'content-type': 'application/json' }).end(fault.body)
      return fault.status
  }
  if (reply === undefined) return undefined
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(reply.body)}`,
    'cko-request-id': newCheckoutId('req'),
  })
  if (fault?.kind === 'reset in the body') {
    response.write(reply.body.slice(0, reply.body.length / 2), () => {
      response.socket?.resetAndDestroy()
    })
    return undefined
  }
  response.end(reply.body)
  return reply.status
}
