// What becomes of occurrences that have come due. Where nobody ran them in time, because nobody was
// there or because the team was not active, the schedule says what it wants done about them.

import { HOUR } from './time-units.ts'

/** all: each is made up for. one: the last of several stands for all. skip: none is. */
export type MissedRuns = 'all' | 'one' | 'skip'

export interface MissedRun {
  readonly occursAt: Date
  /** Else it is left out, once and for all. */
  readonly isRun: boolean
}

/** Later than this nobody counts it as in time. */
const IN_TIME_MS = HOUR

interface Due {
  /** In order, and none of them seen to yet. */
  readonly occurrences: readonly Date[]
  /** There are later ones that are due as well. */
  readonly goesOn: boolean
}

export function fatesOf(policy: MissedRuns, due: Due, now: Date): readonly MissedRun[] {
  const last = due.goesOn ? undefined : due.occurrences.at(-1)
  return due.occurrences.map((occursAt) => ({
    occursAt,
    isRun: isRun(policy, occursAt, occursAt === last, now),
  }))
}

function isRun(policy: MissedRuns, occursAt: Date, isLast: boolean, now: Date): boolean {
  switch (policy) {
    case 'all':
      return true
    case 'one':
      return isLast
    case 'skip':
      return isLast && now.getTime() - occursAt.getTime() <= IN_TIME_MS
  }
}
