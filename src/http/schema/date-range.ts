// A list narrowed to a span of time. Clients write the names in two ways.

import { type Static, Type } from '../../resource/json-schema.ts'

const FORM = 'ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.'

const instant = (description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string>({ 'x-kind': 'instant', type: 'string', description, examples: [example] }),
  )

/** What the start and the end of it mean. */
export function dateRangeOf(start: string, end: string) {
  return {
    start_date: instant(`${start} ${FORM}`, '2026-01-01'),
    startDate: instant('The same as start_date.', '2026-01-01'),
    end_date: instant(`${end} ${FORM}`, '2099-12-31'),
    endDate: instant('The same as end_date.', '2099-12-31'),
  }
}

export const dateRange = dateRangeOf(
  'Created at this instant or later.',
  'Created at this instant or earlier; a date includes that whole day.',
)

const schema = Type.Object(dateRange)

export type DateRange = Static<typeof schema>
