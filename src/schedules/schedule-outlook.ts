// What a schedule shows of its rule: the rule in words, and the runs after the next one. It is kept
// in the row by whoever writes the next run, so that a list of schedules works nothing out.

import {
  budgetOf,
  isTooComplex,
  NEXT_STEPS,
  nextOccurrence,
  occurrencesAfter,
  type Recurrence,
  ruleText,
} from '../core/recurrence.ts'
import type { Prisma, Schedule } from '../generated/client.ts'
import { scheduleRecurrence } from './schedule.ts'

/** So many of the runs to come are shown, the next one among them. */
export const SHOWN_OCCURRENCES = 12

export interface Outlook {
  readonly ruleText: string
  /** In order, those after the next run. */
  readonly later: readonly Date[]
}

/** As the row keeps it: a version of before knew nothing of it, and may have written since. */
interface Kept {
  readonly version: number
  readonly next: string | null
  readonly rule_text: string
  readonly later: readonly string[]
}

/** Of a rule that may be continued; throws `rule_too_complex` of another. */
export function outlookOf(recurrence: Recurrence, nextRunAt: Date | null): Outlook {
  const later =
    nextRunAt === null ? [] : occurrencesAfter(recurrence, nextRunAt, SHOWN_OCCURRENCES - 1)
  return { ruleText: ruleText(recurrence), later }
}

/** The row with its outlook, as it is to be written. */
export function withOutlook<S extends Schedule>(row: S, { ruleText, later }: Outlook): S {
  const kept: Kept = {
    version: row.version,
    next: row.nextRunAt?.toISOString() ?? null,
    rule_text: ruleText,
    later: later.slice(0, SHOWN_OCCURRENCES - 1).map((at) => at.toISOString()),
  }
  return { ...row, outlook: kept as unknown as Prisma.JsonObject }
}

/** What the row keeps, or of a row that keeps none yet as much as can be had cheaply. */
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
  const next = row.nextRunAt?.toISOString() ?? null
  return kept !== null && kept.version === row.version && kept.next === next
    ? { ruleText: kept.rule_text, later: kept.later.map((at) => new Date(at)) }
    : undefined
}

/** Without the runs, which may take a while to find. */
export function shownRuleText(row: Schedule): string {
  return keptOutlook(row)?.ruleText ?? cheapRuleText(row)
}

function cheapRuleText(row: Schedule): string {
  try {
    return ruleText(scheduleRecurrence(row))
  } catch (error) {
    if (isTooComplex(error)) return row.rule
    throw error
  }
}

/**
 * The runs after the next one, up to so many, on one budget for all of them: a page shows many
 * schedules, and one that was taken before there were bounds shows fewer runs.
 */
export function laterAtOnce(row: Schedule, most: number): readonly Date[] {
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
