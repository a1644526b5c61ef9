// The file of a list: all rows that match its filters, part after part, as the page's own links to
// older rows find them. A file is bounded. One that ends before the rows do says so in its last
// line, with the address of the next file.

import type { FastifyInstance } from 'fastify'
import { grouped } from '../../core/counts.ts'
import { csvOf } from '../../core/csv.ts'
import { cleanText } from '../../core/redact.ts'
import { dateText } from '../../core/whole-days.ts'
import type { RowOwner } from '../../db/newest-anywhere.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import type { Operator } from '../../operators/session.ts'
import { answerCsv, marked } from '../../web/answer-csv.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import type { Place } from '../layout.tsx'
import { pathWith, type QueryParams, queryOf } from '../query.ts'
import { operatorOf } from '../who.ts'
import type { FoundRows } from './found-rows.ts'
import { isSortedAs } from './sorting.ts'

export type FileColumn<Row> = readonly [head: string, of: (row: Row) => unknown]

export interface ListFile<Row> {
  /** The page is `/admin/<place>`, the file `/admin/<place>.csv`. */
  readonly place: Place
  readonly columns: readonly FileColumn<Row>[]
  readonly keyOf: (row: Row) => string
  readonly find: (world: World, query: QueryParams, rows: number) => Promise<FoundRows<Row>>
  /** Why filters are off. A page names them and shows the rest; a file would hide that. */
  readonly faultsOf?: (query: QueryParams) => readonly string[]
  /** How many rows are read at once. */
  readonly rowsARead?: number
  readonly mostRows?: number
}

/** The columns of rows of every team. */
export const OWNER_COLUMNS: readonly FileColumn<RowOwner & { readonly accountId: string }>[] = [
  ['account_id', (row) => row.accountId],
  ['team', (row) => row.teamName],
  ['mode', (row) => row.mode],
]

const ROWS_A_READ = 250

const MOST_ROWS = 10_000

/** A filter without an index may find few rows in each part that a read looks at. */
const MOST_READS = 400

/** The limit in the audit log. */
const LONGEST_QUERY = 300

export function addListFile<Row>(own: FastifyInstance, world: World, file: ListFile<Row>): void {
  own.get(`/${file.place}.csv`, { schema: { hide: true } }, async (request, reply) => {
    const name = `${file.place}-${dateText(world.clock.now())}.csv`
    const pieces = piecesOf(world, file, queryOf(request), operatorOf(request))
    // All operators share the export places of one imaginary account.
    return answerCsv(reply, world, { name, accountId: 'console', pieces: marked(pieces) })
  })
}

async function* piecesOf<Row>(
  world: World,
  file: ListFile<Row>,
  query: QueryParams,
  operator: Operator,
): AsyncGenerator<string> {
  const { columns, keyOf, rowsARead = ROWS_A_READ, mostRows = MOST_ROWS } = file
  let asked = query
  let count = 0
  let before: ReadonlySet<string> = new Set()
  for (let reads = 1; ; reads++) {
    await world.exports.turn()
    const found = await file.find(world, asked, rowsARead)
    if (reads === 1) {
      const isSorted = isSortedAs(query, found.sorts ?? [])
      refuseFaulty([
        ...(file.faultsOf?.(query) ?? []),
        ...Object.values(found.faults ?? {}),
        ...(isSorted ? [] : ['The rows can’t be put in that order.']),
      ])
      await writeAuditEntry(world, operator, auditEntryOf(file.place, query))
      yield csvOf([columns.map(([head]) => head)])
    }
    // Rows that were added meanwhile may move others to the next numbered page.
    const rows = found.rows.filter((row) => !before.has(keyOf(row)))
    before = new Set(found.rows.map(keyOf))
    count += rows.length
    if (rows.length > 0) yield csvOf(rows.map((row) => columns.map(([, of]) => of(row))))
    const { older, note } = found
    if (older === undefined) {
      if (note !== undefined) yield csvOf([[note]])
      return
    }
    asked = queryIn(older)
    if (count + rowsARead > mostRows || reads === MOST_READS) {
      const next = world.adminAddress() + pathWith(`/admin/${file.place}.csv`, asked)
      yield csvOf([[`This file is not the end: more rows may match. The next file: ${next}`]])
      return
    }
  }
}

function refuseFaulty(faults: readonly string[]): void {
  if (faults.length === 0) return
  throw new PageRefusal(400, 'A filter is not valid', faults.join(' '))
}

function auditEntryOf(list: string, query: QueryParams) {
  const filters = cleanText(new URLSearchParams(query).toString()).slice(0, LONGEST_QUERY)
  return { action: 'list downloaded', detail: { list, ...(filters === '' ? {} : { filters }) } }
}

function queryIn(path: string): QueryParams {
  return Object.fromEntries(new URL(path, 'http://console').searchParams)
}

interface DownloadLinkProps {
  readonly place: Place
  readonly query: QueryParams
  readonly mostRows?: number
  /** A page shows its rows without a faulty filter. The file would be refused. */
  readonly isFaulty: boolean
}

export function DownloadLink({ place, query, mostRows = MOST_ROWS, isFaulty }: DownloadLinkProps) {
  if (isFaulty) return null
  const path = pathWith(`/admin/${place}.csv`, query, { before: undefined, page: undefined })
  return (
    <p class="quiet">
      <a href={path} download>
        Download CSV
      </a>
      , up to {grouped(mostRows)} rows a file
    </p>
  )
}
