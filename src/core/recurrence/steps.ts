// Limits on the cost of computing a rule. A client decides what its rule says, but not how long all
// other callers wait.

import { Refusal } from '../errors.ts'

/** Counts steps: a look at a month, a day or a position. Throws when the budget is used up. */
export type Spend = (steps: number) => void

/**
 * The search for one occurrence. From any year that far-ahead.ts checks, it takes at most
 * AHEAD_STEPS. The five years up to that year take three steps a day (1,100 a year) if the rule
 * names one day of the month. A rule may take more if it names many days and yet hardly ever comes
 * due, or if a zone moves its steps to other days for years: its search fails, and its schedule is
 * parked.
 */
export const NEXT_STEPS = 10_000

/** The search from a future year while a rule is checked: about a millisecond at most. */
export const AHEAD_STEPS = 4_000

/** Occurrences of a rule with COUNT are counted one by one. */
export const MOST_COUNT = 10_000

/** The search for the end of a rule with COUNT: each occurrence, and the periods between them. */
export const COUNT_STEPS = 2 * MOST_COUNT

/** EXDATE and RDATE of a rule together. */
export const MOST_DATES = 1_000

/** Room for that many dates in any form, and a rule. */
export const MOST_TEXT = 32_000

export function budgetOf(most: number): Spend {
  let left = most
  return (steps) => {
    left -= steps
    if (left < 0) throw tooComplex('takes too many steps to find its occurrences')
  }
}

/** The fault follows the word `rule` in a sentence. */
export function tooComplex(fault: string): Refusal {
  return new Refusal('rule_too_complex', { faults: { rule: [fault] } })
}

export function isTooComplex(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'rule_too_complex'
}
