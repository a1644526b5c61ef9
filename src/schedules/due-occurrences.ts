// Which occurrences of a schedule are due, and which comes next.

import { occurrencesAfter, type Recurrence } from '../core/recurrence.ts'
import { SHOWN_OCCURRENCES } from './schedule-view.ts'

interface DueOccurrences {
  /** The first so many. */
  readonly due: readonly Date[]
  /** Those after them, as many as are shown; the first of them may be due as well. */
  readonly later: readonly Date[]
}

/** A schedule that has far more to make up for than this lets others come between. */
const MOST_DUE = 50

export function dueOccurrences(recurrence: Recurrence, next: Date, now: Date): DueOccurrences {
  // One is due, nearly always; so what comes after it is looked for once, and told as well.
  const few = [next, ...occurrencesAfter(recurrence, next, SHOWN_OCCURRENCES)]
  const isOne = few[1] === undefined || few[1] > now
  const coming = isOne
    ? few
    : [next, ...occurrencesAfter(recurrence, next, MOST_DUE + SHOWN_OCCURRENCES - 1)]
  const due = coming.filter((occurrence) => occurrence <= now).slice(0, MOST_DUE)
  return { due, later: coming.slice(due.length, due.length + SHOWN_OCCURRENCES) }
}
