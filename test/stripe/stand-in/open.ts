// A stand-in for Stripe on loopback: its API with accounts in memory, its webhooks, a clock that
// can be moved, and faults as a test plans them.
//
//   await using stripe = await openStripe()
//   stripe.fault(onceFor(({ path }) => path.endsWith('/capture'), { kind: 'cut', isExecuted: true }))
//   …
//   expect(stripe.ledger()).toMatchObject([{ kind: 'payment', amount: 5_00, state: 'succeeded' }])

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { openAccounts } from './accounts.ts'
import { answerRequest, refusalReply } from './api.ts'
import { stripeClock } from './clock.ts'
import { openControls, type StripeControls } from './controls.ts'
import type { StripeFault, StripeFaultPlan } from './faults.ts'
import { movesOf, type StripeMove } from './moves.ts'
import {
  invalid,
  lockTimeout,
  rateLimited,
  refused,
  StripeRefusal,
  unauthorized,
} from './refusals.ts'
import { type LoggedRequest, type ReceivedRequest, stripeServer } from './server.ts'
import { DEFAULT_SETTINGS, type StripeSettings } from './settings.ts'
import { answerBrowser } from './stripe-js.ts'
import { openWebhooks, type WebhookEndpoint, type Webhooks } from './webhooks.ts'

export interface StripeOptions extends Partial<StripeSettings> {
  /** The account of the keys. */
  readonly platformId?: string
  /** Connected accounts; by default any id that begins with `acct_`. */
  readonly accounts?: readonly string[]
  /** A free port by default. */
  readonly port?: number
  readonly secretKey?: string
  readonly startsAt?: Date
  readonly webhooks?: readonly WebhookEndpoint[]
  readonly webhookSecret?: string
  /** The time in a webhook's signature; the host's by default, whatever the clock here says. */
  readonly webhooksSignedAt?: () => Date
}

export interface StripeStandIn extends AsyncDisposable, StripeControls {
  readonly url: string
  readonly port: number
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  /** In the order of their answers. */
  readonly requests: readonly LoggedRequest[]
  readonly events: Webhooks
  now(): Date
  /** Runs the work that falls due, in its order, and waits for its webhooks. */
  advance(ms: number): Promise<void>
  /** The movements in the platform's account or in a connected one. */
  ledger(accountId?: string): readonly StripeMove[]
  /** The plan decides about each following request; without a plan, there are no faults. */
  fault(plan?: StripeFaultPlan): void
}

const API_VERSION = /^20\d\d-\d\d-\d\d(\.\w+)?$/

export async function openStripe(options: StripeOptions = {}): Promise<StripeStandIn> {
  const settings: StripeSettings = { ...DEFAULT_SETTINGS, ...options }
  const secretKey = options.secretKey ?? `sk_test_${randomBytes(16).toString('hex')}`
  const webhookSecret = options.webhookSecret ?? `whsec_${randomBytes(16).toString('hex')}`
  const clock = stripeClock(options.startsAt)
  const events = openWebhooks({
    endpoints: options.webhooks ?? [],
    secret: webhookSecret,
    clock,
    signedAt: options.webhooksSignedAt,
  })
  const { accounts: ids, platformId } = options
  const accounts = openAccounts({ clock, settings, platformId, ids, take: events.take })
  const requests: LoggedRequest[] = []
  let plan: StripeFaultPlan = () => undefined

  async function answer(request: ReceivedRequest, fault: StripeFault | undefined) {
    clock.catchUp()
    const { apiKey, apiVersion, requestId } = request
    try {
      if (apiKey !== secretKey) throw unauthorized(apiKey)
      if (!API_VERSION.test(apiVersion)) throw invalid(`Invalid Stripe API version: ${apiVersion}`)
      const refusal = refusalBefore(fault)
      if (refusal !== undefined) throw refusal
      const account =
        request.account === undefined ? accounts.platform : accounts.connected(request.account)
      const isSlow = fault?.kind === 'slow' && fault.while === 'executing'
      return await answerRequest(account, request, {
        requestId,
        lasts: isSlow ? fault.lasts : settings.executionMs,
        serverError: fault?.kind === 'server error' ? fault.when : undefined,
      })
    } catch (error) {
      return refusalReply(error, requestId)
    }
  }

  const publishableKey = secretKey.replace(/^sk_/, 'pk_')
  const accountOf = (id: string | undefined) =>
    id === undefined ? accounts.platform : accounts.connected(id)
  const server = stripeServer({
    browse: (request) => answerBrowser({ publishableKey, accountOf }, request),
    plan: (request) => plan(request),
    answer,
    log: (request) => requests.push(request),
    apiVersion: settings.apiVersion,
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    secretKey,
    publishableKey,
    webhookSecret,
    requests,
    events,
    now: () => clock.now(),
    async advance(ms) {
      clock.advance(ms)
      await events.idle()
    },
    ledger: (accountId) => movesOf(accountOf(accountId)),
    fault(newPlan = () => undefined) {
      plan = newPlan
    },
    ...openControls(accounts),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await events.close()
    },
  }
}

/** The refusals that come before the idempotency layer. */
function refusalBefore(fault: StripeFault | undefined): StripeRefusal | undefined {
  switch (fault?.kind) {
    case 'rate limit':
      return rateLimited()
    case 'lock timeout':
      return lockTimeout(fault.status ?? 409)
    case 'key refused': {
      const body = {
        type: 'invalid_request_error',
        message: 'The provided key does not have the required permissions for this endpoint.',
      } as const
      return new StripeRefusal(fault.status, body, false)
    }
    case 'refused':
      return invalid('The request is refused.', { code: fault.code })
    case 'wrong form':
      return refused('This property cannot be expanded.')
    default:
      return undefined
  }
}
