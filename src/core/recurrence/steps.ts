// What a question asked of a rule may cost. Whoever sends a rule decides what it says, not how long
// everybody else waits for the answer.

import { Refusal } from '../errors.ts'

/** Counts steps: a look at a month, a day or a position. Throws beyond what the question may cost. */
export type Spend = (steps: number) => void

/**
 * Of the search for one occurrence. It holds a rule that was taken: from any year that
 * far-ahead.ts looks from it takes at most AHEAD_STEPS, to that year at most 366 a year, and each
 * EXDATE may take one more.
 */
export const NEXT_STEPS = 8_000

/** Of the search from a year to come, while a rule is taken: about a millisecond at most. */
export const AHEAD_STEPS = 4_000

/** Occurrences that are counted one by one, since COUNT ends the rule. */
export const MOST_COUNT = 10_000

/** Of the search for the end of a rule with COUNT: each occurrence, and what lies between. */
export const COUNT_STEPS = 2 * MOST_COUNT

/** EXDATE and RDATE of a rule, together. */
export const MOST_DATES = 1_000

/** As much as these dates come to, in whatever form, and a rule beside them. */
export const MOST_TEXT = 32_000

export function budgetOf(most: number): Spend {
  let left = most
  return (steps) => {
    left -= steps
    if (left < 0) throw tooComplex('takes too many steps to find its occurrences')
  }
}

/** The fault follows the name of the rule. */
export function tooComplex(fault: string): Refusal {
  return new Refusal('rule_too_complex', { faults: { rule: [fault] } })
}

export function isTooComplex(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'rule_too_complex'
}
