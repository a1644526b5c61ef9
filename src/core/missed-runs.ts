// Decides which due occurrences run. If they were not run in time, because no worker ran or the
// team was not active, the schedule's `missed_runs` decides.

import { HOUR } from './time-units.ts'

/** all: each missed run is made. one: the last one stands for all. skip: none is made. */
export const MISSED_RUNS = ['all', 'one', 'skip'] as const

export type MissedRuns = (typeof MISSED_RUNS)[number]

export interface MissedRun {
  readonly occursAt: Date
  /** False if the occurrence is skipped for good. */
  readonly isRun: boolean
}

/** A run that is later than this is missed. */
const IN_TIME_MS = HOUR

interface Due {
  /** The due occurrences in order, without those that were run or skipped before. */
  readonly occurrences: readonly Date[]
  /** More occurrences are due after these. */
  readonly goesOn: boolean
}

export function decideMissedRuns(policy: MissedRuns, due: Due, now: Date): readonly MissedRun[] {
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
