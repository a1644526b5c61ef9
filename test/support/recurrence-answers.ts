// The answers of a process about schedules and business days, for a comparison with other
// processes.

import { businessDayOf, depositAt } from '../../src/core/business-day.ts'
import { lastOccurrence, ruleOf, ruleText } from '../../src/core/recurrence.ts'
import { CALENDAR_RUNS } from './calendar-runs.ts'
import { RUNS_BY_THE_CLOCK } from './recurrence-runs.ts'
import { firstOf, taken } from './recurrences.ts'

const CUTOFF = { time: '02:30', zone: 'America/New_York' }

export function recurrenceAnswers(): string {
  const schedules = [...CALENDAR_RUNS, ...RUNS_BY_THE_CLOCK].map((one) => {
    const recurrence = taken(one.rule, one.start, 'zone' in one ? one.zone : undefined)
    const last = lastOccurrence(recurrence)
    return [firstOf(recurrence, 50), last, ruleOf(recurrence), ruleText(recurrence)]
  })
  const days = ['2026-03-08T07:00:00Z', '2026-11-01T06:30:00Z', '2011-12-30T12:00:00Z'].map(
    (instant) => {
      const day = businessDayOf(new Date(instant), CUTOFF)
      return [day, depositAt(day.date, 'Pacific/Apia')]
    },
  )
  return JSON.stringify({ schedules, days })
}
