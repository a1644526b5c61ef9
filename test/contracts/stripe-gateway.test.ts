// Stripe as a gateway keeps the rules of all gateways, against the stand-in, whose own ledger shows
// the movements.

import { setTimeout as delay } from 'node:timers/promises'
import { stripeClient } from '../../src/outside/gateway/stripe/client.ts'
import { stripeGateway } from '../../src/outside/gateway/stripe/gateway.ts'
import { newId } from '../../src/outside/identity.ts'
import type { StripeFault } from '../stripe/stand-in/faults.ts'
import type { StripeMove } from '../stripe/stand-in/moves.ts'
import { openStripe } from '../stripe/stand-in/open.ts'
import { type ContractFault, describeGateway, type GatewayHarness, type Moved } from './gateway.ts'

const MINE = '0199c2a0-0000-7000-8000-000000000001'
const THEIRS = '0199c2a0-0000-7000-8000-000000000002'

/** One merchant is paid into the platform's account, the other into an account of its own. */
const CONNECTED = 'acct_theirs'

const SLOW_MS = 60

const PROXY_ERROR = {
  kind: 'other words',
  status: 503,
  body: '{"message":"Service Unavailable"}',
} as const

const FAULTS: Readonly<Record<ContractFault, StripeFault>> = {
  'cut before': { kind: 'cut', isExecuted: false },
  'cut after': { kind: 'cut', isExecuted: true },
  'hang before': { kind: 'hang', isExecuted: false },
  'hang after': { kind: 'hang', isExecuted: true },
  slow: { kind: 'slow', lasts: SLOW_MS, while: 'executing' },
  'error before': { kind: 'server error', when: 'before' },
  'error after': { kind: 'server error', when: 'after' },
  'bad gateway': { kind: 'bad gateway', isExecuted: true },
  'rate limit': { kind: 'rate limit' },
  'lock timeout': { kind: 'lock timeout' },
  'account refused': { kind: 'refused', code: 'testmode_charges_only' },
  garbage: { kind: 'garbage', isExecuted: true },
  'proxy error before': { ...PROXY_ERROR, isExecuted: false },
  'proxy error after': { ...PROXY_ERROR, isExecuted: true },
  'empty answer': { kind: 'other words', status: 200, body: '{}', isExecuted: true },
  'reset in the body': { kind: 'reset in the body' },
}

async function openStripeHarness(): Promise<GatewayHarness> {
  const stripe = await openStripe({ accounts: [CONNECTED] })
  const log: string[] = []
  const tokens: string[] = []
  const accountOf = (accountId: string) => (accountId === THEIRS ? CONNECTED : undefined)

  const make = () =>
    stripeGateway({
      askStripe: stripeClient({
        secretKey: stripe.secretKey,
        apiUrl: stripe.url,
        requestsPerSecond: Number.MAX_SAFE_INTEGER,
      }),
      publishableKey: stripe.publishableKey,
      webhookSecrets: [stripe.webhookSecret],
      checkAccount: async () => {},
      connectedAccountOf: async (accountId) => accountOf(accountId),
      usedAccountsOf: async (accountId) => [accountOf(accountId)],
      now: () => stripe.now(),
      alarm: (words, { err }) => log.push(words, `${err.stack}`),
    })

  return {
    accounts: [MINE, THEIRS],
    make,
    async token(accountId, pays) {
      const token = pays === 'always' ? 'pm_card_visa' : 'pm_card_chargeCustomerFail'
      const kept = await make().keepMethod?.(accountId, { token, owner: { id: newId() } })
      if (kept?.kind !== 'kept') throw new Error(`${token} was not kept`)
      tokens.push(kept.token)
      return kept.token
    },
    disturb(fault) {
      let isOver = false
      stripe.fault(() => {
        if (isOver) return undefined
        isOver = true
        return FAULTS[fault]
      })
    },
    ledger: async (accountId) => stripe.ledger(accountOf(accountId)).flatMap(movedBy),
    said: () => ({ log: log.join('\n'), secrets: [stripe.secretKey, ...tokens] }),
    async [Symbol.asyncDispose]() {
      await delay(SLOW_MS)
      await stripe[Symbol.asyncDispose]()
    },
  }
}

/** Our keys are the ids of our rows, followed by the operation. */
function movedBy(move: StripeMove): Moved[] {
  const [key = '', verb] = move.idempotencyKey?.split(':') ?? []
  const amount = BigInt(move.amount)
  switch (move.kind) {
    case 'payment': {
      const { lamplighter_operation: operation } = move.metadata
      if (operation !== 'charge' && operation !== 'pre_auth') return []
      return [{ key, operation, amount, state: move.isPaid ? 'approved' : 'declined' }]
    }
    case 'capture':
      return verb === 'capture' ? [{ key, operation: 'capture', amount, state: 'approved' }] : []
    case 'release':
      return verb === 'cancel' ? [{ key, operation: 'void', amount, state: 'approved' }] : []
    case 'refund': {
      const operation = move.metadata.lamplighter_operation === 'void' ? 'void' : 'refund'
      const state = move.state === 'succeeded' ? 'approved' : 'undecided'
      return [{ key, operation, amount, state }]
    }
  }
}

describeGateway('Stripe', openStripeHarness, newId)
