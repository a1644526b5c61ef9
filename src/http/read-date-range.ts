import { Refusal } from '../core/errors.ts'
import { parseEnd, parseInstant } from '../core/instant.ts'
import type { Span } from '../core/whole-days.ts'
import type { DateRange } from './schema/date-range.ts'

/** Of instants that a schema has held to be such. */
export function dateRangeSpan(query: DateRange): Span {
  const start = either('start_date', query.start_date, query.startDate)
  const end = either('end_date', query.end_date, query.endDate)
  return {
    from: start === undefined ? undefined : parseInstant(start),
    before: end === undefined ? undefined : parseEnd(end),
  }
}

function either(field: string, one: string | undefined, other: string | undefined) {
  if (one !== undefined && other !== undefined && one !== other) {
    throw new Refusal('invalid_request', { faults: { [field]: ['was sent twice, and differs'] } })
  }
  return one ?? other
}
