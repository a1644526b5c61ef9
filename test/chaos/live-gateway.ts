// A run whose payments go to Stripe: a stand-in with the same fault rates as the sandbox.

import type { StripeFault, StripeFaultPlan } from '../stripe/stand-in/faults.ts'
import { openStripe } from '../stripe/stand-in/open.ts'
import { type Ran, runCommand } from '../support/command.ts'
import type { FaultRates } from './fault-rates.ts'
import { type LedgerEntry, ledgerOf } from './ledger.ts'
import { pick, type Random } from './random.ts'
import type { Cards } from './setting.ts'

export interface LiveGateway extends AsyncDisposable {
  /** The settings of each process. */
  readonly settings: Readonly<Record<string, string>>
  readonly cards: Cards
  setFaultRates(rates: FaultRates): void
  ledger(): readonly LedgerEntry[]
}

/** Stripe's own test payment methods. The second is declined whenever it is charged. */
export const STRIPE_CARDS: Cards = {
  good: { payment_method_token: 'pm_card_visa' },
  bad: { payment_method_token: 'pm_card_chargeCustomerFail' },
}

const SLOW_MS = 400

export async function openLiveGateway(random: Random): Promise<LiveGateway> {
  const stripe = await openStripe()
  return {
    settings: {
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_API_URL: stripe.url,
      // The waits of a run are a twentieth of the real ones, and so is this one.
      STRIPE_REQUESTS_PER_SECOND: '500',
    },
    cards: STRIPE_CARDS,
    setFaultRates: (rates) => stripe.fault(faultsOf(rates, random)),
    ledger: () => ledgerOf(stripe.ledger()),
    [Symbol.asyncDispose]: () => stripe[Symbol.asyncDispose](),
  }
}

/** A live key of the team with the sandbox key that all runs use. */
export async function makeLiveKey(environment: Readonly<Record<string, string>>): Promise<string> {
  const words = ['keys', 'create', '--team', 'Demo', '--mode', 'live', '--json']
  const ran = await runCommand([...words, '--name', 'live run'], environment)
  return keyIn(ran)
}

function keyIn({ err, out, status }: Ran): string {
  const { key } = status === 0 ? JSON.parse(out) : {}
  if (typeof key !== 'string') throw new Error(`no live key: ${err}`)
  return key
}

function faultsOf(rates: FaultRates, random: Random): StripeFaultPlan {
  return ({ method }) => {
    if (method === 'GET')
      return random() < rates.lookUpSilent ? pick(random, LOST_REQUESTS) : undefined
    let drawn = random()
    for (const [faults, share] of sharesOf(rates)) {
      if (drawn < share) return pick(random, faults)
      drawn -= share
    }
    return undefined
  }
}

function sharesOf(rates: FaultRates) {
  return [
    [LOST_REQUESTS, rates.silentBefore],
    [LOST_ANSWERS, rates.silentAfter],
    [LATE, rates.slow],
    [REFUSED, rates.error],
  ] as const
}

const LOST_REQUESTS: readonly StripeFault[] = [
  { kind: 'cut', isExecuted: false },
  { kind: 'hang', isExecuted: false },
  { kind: 'bad gateway', isExecuted: false },
]

const LOST_ANSWERS: readonly StripeFault[] = [
  { kind: 'cut', isExecuted: true },
  { kind: 'hang', isExecuted: true },
  { kind: 'bad gateway', isExecuted: true },
  { kind: 'garbage', isExecuted: true },
  { kind: 'reset in the body' },
  { kind: 'server error', when: 'after' },
]

const LATE: readonly StripeFault[] = [
  { kind: 'slow', lasts: SLOW_MS, while: 'arriving' },
  { kind: 'slow', lasts: SLOW_MS, while: 'executing' },
  { kind: 'slow', lasts: SLOW_MS, while: 'answering' },
]

const REFUSED: readonly StripeFault[] = [
  { kind: 'rate limit' },
  { kind: 'lock timeout' },
  { kind: 'server error', when: 'before' },
]
