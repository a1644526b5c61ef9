// The file of a list: all rows that match its filters. A list that can read them all does so. Any
// other is read part after part, as the page's own links to older rows find them. Such a file is
// bounded: one that ends before the rows do says so in its last line, with the address of the next.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { grouped } from '../../core/counts.ts'
import { csvOf } from '../../core/csv.ts'
import { cleanText } from '../../core/redact.ts'
import { dateText } from '../../core/whole-days.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { answerCsv, marked } from '../../web/answer-csv.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { forReading, type World } from '../../world.ts'
import type { MenuPlace } from '../layout.tsx'
import { FIRST_PAGE, pathWith, type QueryParams, queryOf } from '../query.ts'
import { operatorOf, refuseIfEnded } from '../who.ts'
import type { FoundRows } from './found-rows.ts'
import { isSortedAs } from './sorting.ts'

/** A column has the name of the API. If a property of the row has the same, that is enough. */
export type FileColumn<Row> =
  | ColumnName<keyof Row>
  | readonly [head: string, of: (row: Row) => unknown]

/** The name of a property in the API: `created_at`. */
type ColumnName<Property> = Property extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : Property extends ''
    ? ''
    : never

export interface ListFile<Row> {
  /** The page is `/admin/<place>`, the file `/admin/<place>.csv`. */
  readonly place: MenuPlace
  readonly columns: readonly FileColumn<Row>[]
  readonly keyOf: (row: Row) => string
  readonly find: (world: World, query: QueryParams, rows: number) => Promise<FoundRows<Row>>
  /** Why filters are off. A page names them and shows the rest; a file would hide that. */
  readonly faultsOf?: (query: QueryParams) => readonly string[]
  /** If its table is unlogged: a replica has none of its rows. */
  readonly isUnlogged?: true
  /** If the file must be read at once: the most rows that it has. */
  readonly mostAtOnce?: number
}

const ROWS_A_READ = 250

const MOST_ROWS = 10_000

/** A filter without an index may find few rows in each part that a read looks at. */
const MOST_READS = 400

/** The limit in the audit log. */
const LONGEST_QUERY = 300

export function addListFile<Row>(own: FastifyInstance, world: World, file: ListFile<Row>): void {
  own.get(`/${file.place}.csv`, async (request, reply) => {
    const name = `${file.place}-${dateText(world.clock.now())}.csv`
    const pieces = piecesOf(world, file, request)
    // All operators share the export places of one imaginary account.
    return answerCsv(reply, world, { name, accountId: 'console', pieces: marked(pieces) })
  })
}

async function* piecesOf<Row>(
  world: World,
  file: ListFile<Row>,
  request: FastifyRequest,
): AsyncGenerator<string> {
  const query = queryOf(request)
  const turn = async () => {
    await world.exports.turn()
    await refuseIfEnded(world, request)
  }
  await turn()
  const reading = readingFrom(world, file)
  const found = await file.find(reading, query, file.mostAtOnce ?? ROWS_A_READ)
  const isSorted = isSortedAs(query, found.sorts ?? [])
  const isPart = found.every !== undefined && query.page !== undefined
  refuseFaulty([
    ...(file.faultsOf?.(query) ?? []),
    ...Object.values(found.faults ?? {}),
    ...(isSorted ? [] : ['The rows can’t be put in that order.']),
    ...(isPart ? ['This file has all rows: leave out the page.'] : []),
  ])
  await writeAuditEntry(world, operatorOf(request), auditEntryOf(file.place, query))
  yield csvOf([file.columns.map((column) => (typeof column === 'string' ? column : column[0]))])
  yield* found.every === undefined
    ? partsFrom(world, file, found, turn)
    : everyRow(file, found.every(), turn)
}

/** The world of a list, which a replica may answer if it has the rows. */
export function readingFrom(
  world: World,
  { isUnlogged }: Pick<ListFile<unknown>, 'isUnlogged'>,
): World {
  return isUnlogged === true ? world : forReading(world)
}

async function* everyRow<Row>(
  file: ListFile<Row>,
  every: AsyncGenerator<readonly Row[]>,
  turn: () => Promise<void>,
): AsyncGenerator<string> {
  for await (const rows of every) {
    await turn()
    yield linesOf(file, rows)
  }
}

async function* partsFrom<Row>(
  world: World,
  file: ListFile<Row>,
  first: FoundRows<Row>,
  turn: () => Promise<void>,
): AsyncGenerator<string> {
  const [rowsARead, mostRows] = [file.mostAtOnce ?? ROWS_A_READ, file.mostAtOnce ?? MOST_ROWS]
  let found = first
  let count = 0
  let before: ReadonlySet<string> = new Set()
  for (let reads = 1; ; reads++) {
    const { older, note } = found
    // Rows that were added meanwhile may move others to the next numbered page.
    const rows = found.rows.filter((row) => !before.has(file.keyOf(row)))
    before = new Set(found.rows.map(file.keyOf))
    count += rows.length
    if (rows.length > 0) yield linesOf(file, rows)
    if (older === undefined) {
      if (note !== undefined) yield csvOf([[note]])
      return
    }
    if (count + rowsARead > mostRows || reads === MOST_READS) {
      const next = world.adminAddress() + pathWith(`/admin/${file.place}.csv`, older)
      yield csvOf([[`This file is not the end: more rows may match. The next file: ${next}`]])
      return
    }
    await turn()
    found = await file.find(readingFrom(world, file), older, rowsARead)
  }
}

function linesOf<Row>({ columns }: ListFile<Row>, rows: readonly Row[]): string {
  const readers = columns.map((column) =>
    typeof column === 'string' ? propertyNamed<Row>(column) : column[1],
  )
  return csvOf(rows.map((row) => readers.map((read) => read(row))))
}

function propertyNamed<Row>(column: string): (row: Row) => unknown {
  const property = column.replace(/_(.)/g, (_, first) => first.toUpperCase())
  return (row) => Object(row)[property]
}

function refuseFaulty(faults: readonly string[]): void {
  if (faults.length === 0) return
  throw new PageRefusal(400, 'A filter is not valid', faults.join(' '))
}

function auditEntryOf(list: string, query: QueryParams) {
  const filters = cleanText(new URLSearchParams(query).toString()).slice(0, LONGEST_QUERY)
  return { action: 'list downloaded', detail: { list, ...(filters === '' ? {} : { filters }) } }
}

interface DownloadLinkProps {
  readonly place: MenuPlace
  readonly query: QueryParams
  /** `all` if the list reads them all. */
  readonly mostRows?: number | 'all' | undefined
  /** A page shows its rows without a faulty filter. The file would be refused. */
  readonly isFaulty: boolean
}

export function DownloadLink({ place, query, mostRows = MOST_ROWS, isFaulty }: DownloadLinkProps) {
  if (isFaulty) return null
  const path = pathWith(`/admin/${place}.csv`, query, FIRST_PAGE)
  return (
    <p class="quiet">
      <a href={path} download>
        Download CSV
      </a>
      , {mostRows === 'all' ? 'all rows' : `up to ${grouped(mostRows)} rows a file`}
    </p>
  )
}
