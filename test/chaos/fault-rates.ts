// The behaviour of the gateway: the share of its calls that meet each fault.

import type { Plan } from '../support/faulty-gateway.ts'
import type { Random } from './random.ts'

export interface FaultRates {
  readonly silentBefore: number
  readonly silentAfter: number
  readonly slow: number
  readonly error: number
  /** For captures, voids and refunds: payment methods decline charges themselves. */
  readonly decline: number
  readonly lookUpSilent: number
}

/** All calls are answered in time. */
export const NO_FAULTS: FaultRates = {
  silentBefore: 0,
  silentAfter: 0,
  slow: 0,
  error: 0,
  decline: 0,
  lookUpSilent: 0,
}

/** A bad day, which is what a run usually tests. */
export const USUAL_FAULTS: FaultRates = {
  silentBefore: 0.03,
  silentAfter: 0.03,
  slow: 0.05,
  error: 0.03,
  decline: 0.1,
  lookUpSilent: 0.1,
}

/** No answer at all, with half of the work done. */
export const NO_ANSWERS: FaultRates = {
  ...NO_FAULTS,
  silentBefore: 0.5,
  silentAfter: 0.5,
  lookUpSilent: 1,
}

export function planOf(ratesNow: () => FaultRates, random: Random, slowMs = 400): Plan {
  return {
    slowMs,
    isLong: () => random() < 0.5,
    fault({ operation }) {
      const rates = ratesNow()
      if (operation === 'lookUp') return random() < rates.lookUpSilent ? 'silent before' : 'none'
      let drawn = random()
      for (const [fault, share] of sharesOf(rates)) {
        if (drawn < share) return fault
        drawn -= share
      }
      const isFollowUp = operation !== 'charge' && operation !== 'pre_auth'
      return isFollowUp && drawn < rates.decline ? 'decline' : 'none'
    },
  }
}

function sharesOf(rates: FaultRates) {
  return [
    ['silent before', rates.silentBefore],
    ['silent after', rates.silentAfter],
    ['slow', rates.slow],
    ['error', rates.error],
  ] as const
}
