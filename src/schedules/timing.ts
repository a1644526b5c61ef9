// When a schedule runs, as the row keeps it: of what a request says about it.

import { type Faults, Refusal } from '../core/errors.ts'
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

/** What follows from a rule, whenever it is looked at. */
export type Timing = Pick<Schedule, 'rule' | 'anchor' | 'timezone' | 'maxRuns' | 'endAt'>

interface Timed {
  readonly timing: Timing
  readonly recurrence: Recurrence
}

/** Before any rule. */
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

/** Of one that begins now or later: nobody is billed for what was before anybody asked. */
export function firstRun(recurrence: Recurrence, now: Date, start: string | undefined): Date {
  const first = nextOccurrence(recurrence, EVER)
  if (first !== undefined && first >= now) return first
  const field = start === undefined ? 'rule' : 'start'
  throw new Refusal('invalid_request', { faults: { [field]: ['must not begin in the past'] } })
}
