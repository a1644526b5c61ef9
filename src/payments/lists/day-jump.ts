// Finds a page far down a list by created_at without reading the rows before it: the tally says on
// which day the page begins.

import { after, DAY } from '../../core/time-units.ts'
import { monthsAround, type Span } from '../../core/whole-days.ts'
import type { Query } from '../../db/database.ts'
import { allOf, type Put, statementOf } from '../../db/terms.ts'
import { startTerms } from './kinds.ts'
import { accountTerm, IS_PENDING, type Listing, listedKindTerms } from './listing.ts'
import type { Stretch } from './stretch.ts'

export interface Jump {
  /** Conditions for reading from there on. */
  readonly within: (put: Put) => readonly string[]
  /** The number of rows that must still be skipped. */
  readonly skip: number
}

interface Landing {
  readonly starts: Date
  /** The number of rows before it. */
  readonly passed: number
}

/** Skipping fewer rows costs no more than reading the tally. */
const WORTH_IT = 2_000

/** Undefined if it saves nothing, or the list does not begin with a whole day. */
export async function jumpToDay(
  query: Query,
  listing: Listing,
  { isDown, skip }: Pick<Stretch, 'isDown' | 'skip'>,
): Promise<Jump | undefined> {
  const { created } = listing.filters
  const begin = isDown ? created.before : created.from
  if (skip < WORTH_IT || (begin && begin.getTime() % DAY !== 0)) return undefined
  const isAll = created.from === undefined && created.before === undefined
  const month = isAll ? await land(query, listing, 'month', created, { isDown, skip }) : undefined
  const within =
    month === undefined ? created : monthsAround({ from: month.starts, before: month.starts })
  const passed = month?.passed ?? 0
  const day = await land(query, listing, 'day', within, { isDown, skip: skip - passed })
  if (day === undefined) return undefined
  const from = day.starts
  const before = after(from, DAY)
  return {
    within: (put) => [isDown ? `t.created_at < ${put(before)}` : `t.created_at >= ${put(from)}`],
    skip: skip - passed - day.passed,
  }
}

/** The first day or month whose rows reach beyond the skipped ones. */
async function land(
  query: Query,
  listing: Listing,
  span: 'day' | 'month',
  within: Span,
  { isDown, skip }: Pick<Stretch, 'isDown' | 'skip'>,
): Promise<Landing | undefined> {
  const direction = isDown ? 'DESC' : 'ASC'
  const { text, values } = statementOf((put) => {
    const where = (...terms: readonly string[]) =>
      [accountTerm(listing, put), ...terms, ...listedKindTerms(listing, put)].join(' AND ')
    return `
      SELECT t.starts::text, t.passed::float8 FROM (
        SELECT t.starts, sum(t.count) AS count,
          sum(sum(t.count)) OVER (ORDER BY t.starts ${direction}) - sum(t.count) AS passed
        FROM (
          SELECT t.starts, t.count FROM transaction_tally t
          WHERE ${where(`t.span = '${span}'`, ...startTerms(within, put))}
          UNION ALL
          SELECT t.starts, 1 FROM (
            SELECT *, date_trunc('${span}', t.created_at AT TIME ZONE 'UTC')::date AS starts
            FROM transaction t WHERE ${where(IS_PENDING)}
          ) t WHERE ${allOf(startTerms(within, put))}
        ) t GROUP BY t.starts
      ) t
      WHERE t.passed + t.count > ${put(skip)} ORDER BY t.passed LIMIT 1`
  })
  const [row] = await query(text, values)
  return row && { starts: new Date(row.starts), passed: row.passed }
}
