// The behaviour of the gateway: the share of its calls that meet each fault.

import type { Plan } from '../support/faulty-gateway.ts'
import type { Random } from './random.ts'

export interface Mood {
  readonly silentBefore: number
  readonly silentAfter: number
  readonly slow: number
  readonly error: number
  /** For captures, voids and refunds: payment methods decline charges themselves. */
  readonly decline: number
  readonly lookUpSilent: number
}

/** All calls are answered in time. */
export const WELL: Mood = {
  silentBefore: 0,
  silentAfter: 0,
  slow: 0,
  error: 0,
  decline: 0,
  lookUpSilent: 0,
}

/** A bad day: the usual mood of a run. */
export const MOODY: Mood = {
  silentBefore: 0.03,
  silentAfter: 0.03,
  slow: 0.05,
  error: 0.03,
  decline: 0.1,
  lookUpSilent: 0.1,
}

/** No answer at all, with half of the work done. */
export const SILENT: Mood = {
  ...WELL,
  silentBefore: 0.5,
  silentAfter: 0.5,
  lookUpSilent: 1,
}

export function planOf(moodNow: () => Mood, random: Random, slowMs = 400): Plan {
  return {
    slowMs,
    isLong: () => random() < 0.5,
    fault({ operation }) {
      const mood = moodNow()
      if (operation === 'lookUp') return random() < mood.lookUpSilent ? 'silent before' : 'none'
      let drawn = random()
      for (const [fault, share] of sharesOf(mood)) {
        if (drawn < share) return fault
        drawn -= share
      }
      const isFollowUp = operation !== 'charge' && operation !== 'pre_auth'
      return isFollowUp && drawn < mood.decline ? 'decline' : 'none'
    },
  }
}

function sharesOf(mood: Mood) {
  return [
    ['silent before', mood.silentBefore],
    ['silent after', mood.silentAfter],
    ['slow', mood.slow],
    ['error', mood.error],
  ] as const
}
