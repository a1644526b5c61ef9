// The query parameters of lists, and the envelope of their answers.

import type { FastifyRequest } from 'fastify'
import { wrongField } from '../core/errors.ts'
import { parseEnd, parseInstant } from '../core/instant.ts'
import type { Span } from '../core/whole-days.ts'
import { type DeclaredList, type Page, type Paged, readPage } from '../db/declared-list.ts'
import type { Filters, FilterValues } from '../db/terms.ts'
import type { World } from '../world.ts'
import { readingWorld } from './limit-reading.ts'
import { callerOf } from './requests.ts'
import { type DateRange, DEFAULT_A_PAGE } from './schema/list.ts'

interface AskedPage<Sort extends string> {
  readonly page?: number
  readonly limit?: number
  readonly per_page?: number
  readonly sort?: Sort
  readonly order?: string
}

export function askedPage<Sort extends string>(query: AskedPage<Sort>): Page<Sort | 'created_at'> {
  const { page = 1, sort = 'created_at', order = 'DESC' } = query
  const take = either('per_page', query.limit, query.per_page) ?? DEFAULT_A_PAGE
  return {
    number: page,
    skip: (page - 1) * take,
    take,
    sort,
    order: order.toLowerCase() === 'asc' ? 'asc' : 'desc',
  }
}

/** Returns a page of a list of the caller's account, in its envelope. A span limits it by time. */
export async function answerListPage<F extends Filters, Sort extends string, T>(
  world: World,
  request: RequestAddress & Pick<FastifyRequest, 'caller' | 'reading'>,
  list: DeclaredList<F, Sort | 'created_at', T, World>,
  query: AskedPage<Sort | 'created_at'> & DateRange & FilterValues<F>,
) {
  const page = askedPage<Sort | 'created_at'>(query)
  const { accountId } = callerOf(request)
  const asked = { ...query, ...dateRangeSpan(query) }
  const found = await readPage(readingWorld(world, request), list, accountId, page, asked)
  return envelope(request, page, found)
}

type RequestAddress = Pick<FastifyRequest, 'publicAddress' | 'url'>

export function envelope<T>(request: RequestAddress, page: Page<string>, found: Paged<T>) {
  const { number, skip, take } = page
  const last = Math.max(1, Math.ceil(found.total / take))
  const hasRows = found.rows.length > 0
  return {
    data: found.rows,
    total: found.total,
    per_page: take,
    current_page: number,
    last_page: last,
    from: hasRows ? skip + 1 : null,
    to: hasRows ? skip + found.rows.length : null,
    next_page_url: number < last ? addressOf(request, number + 1) : null,
    prev_page_url: number > 1 ? addressOf(request, number - 1) : null,
  }
}

/** The same query for another page. */
function addressOf(request: RequestAddress, page: number): string {
  // A query may hold further question marks.
  const [, path = '', query] = /^([^?]*)\??(.*)$/s.exec(request.url) ?? []
  const asked = new URLSearchParams(query)
  asked.set('page', String(page))
  // The Host header may name any host, and a client that follows such a link sends its key there.
  // The URL is concatenated, not resolved: a doubled slash would be read as a host.
  return `${request.publicAddress}${path.replace(/\/{2,}/g, '/')}?${asked}`
}

/** The schema has checked that these are instants. */
export function dateRangeSpan(query: DateRange): Span {
  const start = either('start_date', query.start_date, query.startDate)
  const end = either('end_date', query.end_date, query.endDate)
  return {
    from: start === undefined ? undefined : parseInstant(start),
    before: end === undefined ? undefined : parseEnd(end),
  }
}

function either<T>(field: string, one: T | undefined, other: T | undefined): T | undefined {
  if (one !== undefined && other !== undefined && one !== other) {
    throw wrongField(field, 'was sent twice, and differs')
  }
  return one ?? other
}
