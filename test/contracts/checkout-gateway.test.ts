// Checkout.com as a gateway keeps the rules of all gateways, against the stand-in, whose own ledger
// shows the movements.

import { setTimeout as delay } from 'node:timers/promises'
import { checkoutClient } from '../../src/outside/gateway/checkout/client.ts'
import { checkoutGateway } from '../../src/outside/gateway/checkout/gateway.ts'
import { newId } from '../../src/outside/identity.ts'
import type { CheckoutFault } from '../checkout/stand-in/faults.ts'
import { type CheckoutMove, openCheckout } from '../checkout/stand-in/open.ts'
import {
  CONTRACT_FAULTS,
  type ContractFault,
  describeGateway,
  type GatewayHarness,
  type Moved,
} from './gateway.ts'

const MINE = '0199c2a0-0000-7000-8000-000000000001'
const THEIRS = '0199c2a0-0000-7000-8000-000000000002'

const SLOW_MS = 60

/** An action is listed only after several questions. */
const TIMES = { executionMs: 3, actionsTakeMs: 20 }

/** Longer than an action takes until it is listed. */
const RECORDED_WITHIN_MS = 40

const DECLINED_CARD = '4000000000000002'

const PROXY_ERROR = {
  kind: 'other words',
  status: 503,
  body: '{"message":"Service Unavailable"}',
} as const

const AS_CHECKOUT: Readonly<Record<ContractFault, CheckoutFault>> = {
  'cut before': { kind: 'cut', isExecuted: false },
  'cut after': { kind: 'cut', isExecuted: true },
  'hang before': { kind: 'hang', isExecuted: false },
  'hang after': { kind: 'hang', isExecuted: true },
  slow: { kind: 'slow', lastsMs: SLOW_MS },
  'error before': { kind: 'server error', isExecuted: false },
  'error after': { kind: 'server error', isExecuted: true },
  'bad gateway': { kind: 'bad gateway', isExecuted: true },
  'rate limit': { kind: 'too many requests' },
  'lock timeout': { kind: 'too many requests' },
  'account refused': { kind: 'account refused' },
  garbage: { kind: 'garbage', isExecuted: true },
  'proxy error before': { ...PROXY_ERROR, isExecuted: false },
  'proxy error after': { ...PROXY_ERROR, isExecuted: true },
  'empty answer': { kind: 'other words', status: 200, body: '{}', isExecuted: true },
  'reset in the body': { kind: 'reset in the body' },
}

async function openCheckoutHarness(): Promise<GatewayHarness> {
  const checkout = await openCheckout(TIMES)
  const log: string[] = []
  const tokens: string[] = []

  const make = () =>
    checkoutGateway({
      askCheckout: checkoutClient({ secretKey: checkout.secretKey, apiUrl: checkout.url }),
      processingChannel: checkout.processingChannel,
      webhookSecrets: [checkout.webhookSecret],
      recordedWithinMs: RECORDED_WITHIN_MS,
      now: () => checkout.now(),
      alarm: (words, { err }) => log.push(words, `${err.stack}`),
    })

  return {
    accounts: [MINE, THEIRS],
    make,
    async token(accountId, pays) {
      const token = checkout.token(pays === 'always' ? undefined : DECLINED_CARD)
      const kept = await make().keepMethod?.(accountId, { token, owner: { id: newId() } })
      if (kept?.kind !== 'kept') throw new Error('the card was not kept')
      tokens.push(kept.token)
      return kept.token
    },
    disturb(fault) {
      let isOver = false
      checkout.fault(() => {
        if (isOver) return undefined
        isOver = true
        return AS_CHECKOUT[fault]
      })
    },
    ledger: async (accountId) =>
      checkout
        .ledger()
        .filter(({ metadata }) => metadata.lamplighter_account === accountId)
        .flatMap(movedBy),
    said: () => ({ log: log.join('\n'), secrets: [checkout.secretKey, ...tokens] }),
    async [Symbol.asyncDispose]() {
      await delay(SLOW_MS)
      await checkout[Symbol.asyncDispose]()
    },
  }
}

/** An accepted action counts as moved: it is not taken back. */
function movedBy({ amount, approved, metadata, reference = '', type }: CheckoutMove): Moved[] {
  const { lamplighter_operation: operation } = metadata
  const state = approved === false ? 'declined' : 'approved'
  const moved = { key: reference, amount: BigInt(amount), state } as const
  switch (type) {
    case 'Authorization':
      // The money of a charge is in its capture, unless it was declined.
      if (operation === 'charge' && state === 'approved') return []
      return [{ ...moved, operation: operation === 'charge' ? 'charge' : 'pre_auth' }]
    case 'Capture':
      return [{ ...moved, operation: operation === 'charge' ? 'charge' : 'capture' }]
    case 'Void':
      // A charge that was declined releases what it holds.
      if (operation === 'charge') return []
      return [{ ...moved, operation: 'void' }]
    case 'Refund':
      return [{ ...moved, operation: operation === 'void' ? 'void' : 'refund' }]
    case 'Card Verification':
      return []
  }
}

/** It has no lock that a request waits for: both faults would be the same answer. */
const WITHOUT_LOCKS = CONTRACT_FAULTS.filter((fault) => fault !== 'lock timeout')

describeGateway('Checkout.com', openCheckoutHarness, newId, WITHOUT_LOCKS)
