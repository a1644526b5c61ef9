// The parts of a schedule that follow from its rule: the rule in words, and the runs after the next
// one. The code that writes the next run stores it in the row, so that lists of schedules compute
// nothing.

import { isoText } from '../core/iso-text.ts'
import {
  budgetOf,
  isTooComplex,
  NEXT_STEPS,
  nextOccurrence,
  occurrencesAfter,
  type Recurrence,
  ruleText,
} from '../core/recurrence.ts'
import { dayIn, isZone } from '../core/wall-clock.ts'
import type { Prisma, Schedule } from '../generated/client.ts'
import { nextRunAfter } from './next-run.ts'
import { scheduleRecurrence } from './schedule.ts'

/** The number of coming runs that are shown, including the next one. */
export const SHOWN_OCCURRENCES = 12

export interface Outlook {
  readonly ruleText: string
  /** The runs after the next one, in order. */
  readonly later: readonly Date[]
}

/** The stored form in the row. The previous version does not write it. */
interface Kept {
  readonly version: number
  readonly next: string | null
  readonly rule_text: string
  readonly later: readonly string[]
}

/** The outlook of a rule that may be continued. Throws `rule_too_complex` for any other. */
export function outlookOf(recurrence: Recurrence, nextRunAt: Date | null): Outlook {
  return { ruleText: ruleText(recurrence), later: nextRunAt ? laterOf(recurrence, nextRunAt) : [] }
}

/** The next run is of the timing before, if that was changed after it fell due. */
function laterOf(recurrence: Recurrence, nextRunAt: Date): readonly Date[] {
  const second = nextRunAfter(recurrence, nextRunAt, dayIn(recurrence.zone, nextRunAt))
  if (second === undefined) return []
  return [second, ...occurrencesAfter(recurrence, second, SHOWN_OCCURRENCES - 2)]
}

/** Returns the row with its outlook, ready to be written. */
export function withOutlook<S extends Schedule>(row: S, { ruleText, later }: Outlook): S {
  const kept: Kept = {
    version: row.version,
    next: row.nextRunAt && isoText(row.nextRunAt),
    rule_text: ruleText,
    later: later.slice(0, SHOWN_OCCURRENCES - 1).map(isoText),
  }
  return { ...row, outlook: kept as unknown as Prisma.JsonObject }
}

/**
 * Returns the stored outlook. For a row without one, returns as much as can be computed quickly:
 * nothing in a zone that this Node.js does not know.
 */
export function shownOutlook(row: Schedule): Outlook {
  return (
    keptOutlook(row) ?? {
      ruleText: cheapRuleText(row),
      later: laterAtOnce(row, SHOWN_OCCURRENCES - 1),
    }
  )
}

function keptOutlook(row: Schedule): Outlook | undefined {
  const kept = row.outlook as unknown as Kept | null
  const next = row.nextRunAt && isoText(row.nextRunAt)
  return kept !== null && kept.version === row.version && kept.next === next
    ? { ruleText: kept.rule_text, later: kept.later.map((at) => new Date(at)) }
    : undefined
}

/** The rule alone, because its runs may take a while to find. */
export function shownRuleText(row: Schedule): string {
  return keptOutlook(row)?.ruleText ?? cheapRuleText(row)
}

function cheapRuleText(row: Schedule): string {
  if (!isZone(row.timezone)) return row.rule
  try {
    return ruleText(scheduleRecurrence(row))
  } catch (error) {
    if (isTooComplex(error)) return row.rule
    throw error
  }
}

/**
 * The runs after the next one, with one time budget for all schedules of a page. A rule that was
 * accepted before there were limits shows fewer runs.
 */
export function laterAtOnce(row: Schedule, most: number): readonly Date[] {
  if (!isZone(row.timezone)) return []
  const later: Date[] = []
  const spend = budgetOf(NEXT_STEPS)
  try {
    let next = row.nextRunAt
    while (next !== null && later.length < most) {
      next = nextOccurrence(scheduleRecurrence(row), next, spend) ?? null
      if (next !== null) later.push(next)
    }
  } catch (error) {
    if (!isTooComplex(error)) throw error
  }
  return later
}
