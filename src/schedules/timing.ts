// Turns the timing in a request into the columns of the row.

import { type Faults, Refusal, wrongField } from '../core/errors.ts'
import {
  anchorOf,
  lastOccurrence,
  nextOccurrence,
  type Recurrence,
  readRecurrence,
  ruleOf,
} from '../core/recurrence.ts'
import type { Schedule } from '../generated/client.ts'

export interface SentTiming {
  readonly rule: string
  readonly start: string | undefined
  readonly timezone: string
}

/** The columns that follow from the rule alone, independent of the current time. */
export type Timing = Pick<Schedule, 'rule' | 'anchor' | 'timezone' | 'maxRuns' | 'endAt'>

interface Timed {
  readonly timing: Timing
  readonly recurrence: Recurrence
}

/** Fields of a schedule that only its rule and its start can change. */
export const OF_TIMING = {
  max_runs: 'follows from the rule: send COUNT in it',
  end_at: 'follows from the rule: send UNTIL or COUNT in it',
  next_run_at: 'follows from the rule and the start: send the first run as start',
} as const

/** Earlier than any rule. */
const EVER = new Date(-8.64e15)

const COUNT = /\bCOUNT=(\d+)/

export function readTiming({ rule, start, timezone }: SentTiming, now: Date): Timed {
  const read = readRecurrence({ rule, start, zone: timezone }, now)
  if (read.kind === 'faults') {
    throw new Refusal('invalid_request', { faults: read.faults as Faults })
  }
  const { recurrence } = read
  const text = ruleOf(recurrence)
  const [, count] = COUNT.exec(text) ?? []
  const timing = {
    rule: text,
    anchor: anchorOf(recurrence),
    timezone,
    maxRuns: count === undefined ? null : Number(count),
    endAt: lastOccurrence(recurrence) ?? null,
  }
  return { timing, recurrence }
}

/** The first run is now or later: the time before the request is not billed. */
export function firstRun(recurrence: Recurrence, now: Date, start: string | undefined): Date {
  const first = nextOccurrence(recurrence, EVER)
  if (first !== undefined && first >= now) return first
  const field = start === undefined ? 'rule' : 'start'
  throw wrongField(field, 'must not begin in the past')
}
