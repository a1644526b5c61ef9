// The parameters of lists, and the envelope of their answers.

import { type Schema, type Static, Type } from '../../resource/json-schema.ts'
import { instant, text } from '../../resource/schemas.ts'
import { ref } from './answers.ts'

export const MOST_A_PAGE = 200
export const DEFAULT_A_PAGE = 50

/** Deeper pages would skip rows one at a time; filters are the better way. */
export const MOST_PAGES = 1_000_000

const pageNumber = Type.Integer({
  minimum: 1,
  maximum: MOST_PAGES,
  description: '1 when absent.',
  examples: [1],
})

const pageSize = Type.Integer({
  minimum: 1,
  maximum: MOST_A_PAGE,
  description: `${DEFAULT_A_PAGE} when absent.`,
  examples: [DEFAULT_A_PAGE],
})

const order = Type.Unsafe<string>({
  'x-kind': 'order',
  type: 'string',
  description: 'ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.',
  examples: ['DESC'],
})

export function listQuery<Sort extends string, F extends Readonly<Record<string, Schema>>>(
  sorts: Readonly<Record<Sort, unknown>>,
  filters: F,
) {
  return Type.Object(
    {
      page: Type.Optional(pageNumber),
      limit: Type.Optional(pageSize),
      per_page: Type.Optional({ ...pageSize, description: 'The same as limit.' }),
      sort: Type.Optional(sortOf(Object.keys(sorts) as Sort[])),
      order: Type.Optional(order),
      ...filters,
    },
    { additionalProperties: false },
  )
}

function sortOf<Sort extends string>(sorts: readonly Sort[]) {
  return Type.Unsafe<Sort>({
    type: 'string',
    enum: sorts,
    description: 'created_at when absent.',
  })
}

/** Existing clients send `all` for any status; it is removed before validation. */
export function statusFilter<const S extends string>(
  statuses: readonly S[],
  description = 'Only this status; `all` is no filter.',
) {
  return Type.Optional(
    Type.Unsafe<S>({
      type: 'string',
      enum: [...statuses, 'all'],
      'x-absent': 'all',
      description,
    }),
  )
}

export const MOST_KEYWORDS = 10

/**
 * The limit of all keywords together, because each is compared with every text that may hold it.
 */
export const KEYWORD_CHARACTERS = 255

/** `keyword` says where each of them is looked for. */
export function keywordsFilter(keyword: string) {
  return Type.Optional(
    Type.Array(text(keyword), {
      'x-kind': 'keywords',
      maxItems: MOST_KEYWORDS,
      description: `Text to find; if repeated, each must be found. ${KEYWORD_CHARACTERS} characters together at most.`,
    }),
  )
}

const ignored = (name: string) =>
  Type.Optional(
    text(`No filter: accepted because clients of other services send ${name} with this list.`),
  )

/** Names that existing clients send with their lists, and that filter nothing here. */
export const IGNORED = { user_id: ignored('user_id'), meta: ignored('meta') }

export function listSchema(schema: Schema) {
  return Type.Object({
    data: Type.Array(ref(schema)),
    total: Type.Integer({ description: 'How many the filters find, on all pages.', examples: [1] }),
    per_page: Type.Integer({ examples: [DEFAULT_A_PAGE] }),
    current_page: Type.Integer({ examples: [1] }),
    last_page: Type.Integer({ examples: [1] }),
    from: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        'The position of the first row of this page in the list, from 1; null if the page is empty.',
      examples: [1],
    }),
    to: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        'The position of the last row of this page in the list; null if the page is empty.',
      examples: [1],
    }),
    next_page_url: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    prev_page_url: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  })
}

export function listOrFileOf(schema: Schema) {
  return Type.Unsafe<unknown>({
    description: 'One page; with `export=csv` the whole list as a file.',
    content: {
      'application/json': { schema: listSchema(schema) },
      'text/csv': { schema: Type.String() },
    },
  })
}

export const exportAs = (line: string, more = '') =>
  Type.Optional(
    Type.Enum(['csv'], {
      description:
        `The whole list as a file, without pages: one line for each ${line}. ${more}`.trimEnd(),
    }),
  )

const FORM = 'ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.'

/**
 * Narrows a list to a span of time: `start` and `end` say what its ends mean. Clients write the
 * names in two ways.
 */
export function dateRangeOf(start: string, end: string) {
  return {
    start_date: Type.Optional(instant(`${start} ${FORM}`, '2026-01-01')),
    startDate: Type.Optional(instant('The same as start_date.', '2026-01-01')),
    end_date: Type.Optional(instant(`${end} ${FORM}`, '2099-12-31')),
    endDate: Type.Optional(instant('The same as end_date.', '2099-12-31')),
  }
}

export const dateRange = dateRangeOf(
  'Created at this instant or later.',
  'Created at this instant or earlier; a date includes that whole day.',
)

const schema = Type.Object(dateRange)

export type DateRange = Static<typeof schema>
