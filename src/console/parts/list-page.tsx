// The shape of a list page: filters, a table, and a pager. A page declares its filters, its columns
// and how its rows are found. The address holds the filters, so people edit and bookmark them: an
// invalid one is off, and the page says so beside its field.

import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import { parseInstant } from '../../core/instant.ts'
import { accountClocks } from '../../operators/account-clocks.ts'
import type { AssetName } from '../../web/assets.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { takeDone } from '../done.ts'
import type { MenuPlace } from '../layout.tsx'
import {
  LONGEST_VALUE,
  notAChoice,
  pathWith,
  type QueryParams,
  queryOf,
  unknownNotes,
} from '../query.ts'
import { DayChoices, timeAsked } from './day-choices.tsx'
import {
  ChoiceField,
  type ChoiceProps,
  FilterForm,
  Notes,
  TextField,
  type TextProps,
} from './fields.tsx'
import type { FoundRows } from './found-rows.ts'
import {
  addListFile,
  DownloadLink,
  type FileColumn,
  type ListFile,
  readingFrom,
} from './list-file.tsx'
import { Pager } from './pager.tsx'
import { type Column, RowTable } from './row-table.tsx'
import type { SortHead } from './shown.tsx'
import { isSortedAs, NOT_SORTED, sortBy } from './sorting.ts'
import { isFaulty, lengthFault, presentFaults } from './typed.ts'

interface ListRow {
  readonly id: string
  readonly accountId?: string | null
}

/** The page is `/admin/<place>`. */
export interface ListPage<Row extends ListRow>
  extends Pick<ListFile<Row>, 'place' | 'isUnlogged' | 'mostAtOnce'> {
  readonly title: string
  readonly intro?: (world: World) => ComponentChildren
  /** The page with the form for a new row. It gets the team of the filter. */
  readonly toCreate?: { readonly path: string; readonly words: string }
  readonly filters: readonly Filter[]
  readonly styles?: readonly AssetName[]
  /** Filters without a field, which links set. */
  readonly hiddenFilters?: readonly string[]
  /** The title of the table for screen readers, if it differs from that of the page. */
  readonly rowsTitle?: string
  readonly columns: readonly ListColumn<Row>[]
  /** If the instants of a row are its account's own time, which may be that of a sandbox clock. */
  readonly isInAccountTime?: true
  /** Shown if there are no rows at all. */
  readonly whenEmpty: string
  /** A page has as many rows as the list says, a part of the file `rows`. */
  readonly find: (world: World, query: QueryParams, rows?: number) => Promise<FoundRows<Row>>
  /** The columns of the file: one value each, with the names of the API. */
  readonly file: readonly FileColumn<Row>[]
  /** Shown above the table: a link to a form, or an action on what the filters name. */
  readonly above?: (shown: {
    readonly world: World
    readonly query: QueryParams
    readonly found: FoundRows<Row>
  }) => ComponentChildren | Promise<ComponentChildren>
}

interface ListColumn<Row> extends Column<Row> {
  /** The name of the order in the address, where the found rows have it. */
  readonly sort?: string
}

export type Filter =
  | (Unfilled<TextProps> & { readonly kind: 'text'; readonly isWide?: boolean })
  | (Unfilled<ChoiceProps> & { readonly kind: 'choice' })
  | { readonly kind: 'date'; readonly name: string; readonly label: string }

type Unfilled<Props> = Omit<Props, 'value' | 'fault'>

/** The search across the filters: its placeholder names what it looks through. */
export function searchFilter(placeholder: string, hint?: string): Filter {
  return {
    kind: 'text',
    isWide: true,
    name: 'q',
    type: 'search',
    label: 'Search',
    placeholder,
    hint,
  }
}

/** Dates by the `created_at` of the rows. */
export const DATE_FILTERS: readonly Filter[] = [
  { kind: 'date', name: 'from', label: 'From (UTC)' },
  { kind: 'date', name: 'to', label: 'To (UTC)' },
]

export function addListPage<Row extends ListRow>(
  own: FastifyInstance,
  world: World,
  list: ListPage<Row>,
): void {
  const find = findBy(list)
  addListFile(own, world, {
    ...list,
    find,
    columns: list.file,
    keyOf: ({ id }) => id,
    faultsOf: (query) => faultsIn(list, query),
  })
  own.get(`/${list.place}`, async (request, reply) => {
    const query = queryOf(request)
    const found = await find(readingFrom(world, list), query)
    const inAccountTime = list.isInAccountTime ? found.rows : []
    const clocks = await accountClocks(world, inAccountTime.map(accountIdOf))
    const { team, mode } = query
    const of = { team, mode: list.filters.some(({ name }) => name === 'mode') ? mode : undefined }
    return answerConsole(
      reply,
      {
        title: list.title,
        place: list.place,
        done: takeDone(world, reply),
        styles: list.styles ?? [],
      },
      <>
        {list.intro === undefined ? null : <p class="quiet">{list.intro(world)}</p>}
        {list.toCreate === undefined ? null : (
          <p>
            <a class="button" href={pathWith(list.toCreate.path, {}, { team: query.team })}>
              {list.toCreate.words}
            </a>
          </p>
        )}
        <Filters list={list} query={query} found={found} />
        <Notes all={unknownNotes(query, knownIn(list))} />
        {list.filters.some(({ kind }) => kind === 'date') ? (
          <DayChoices
            path={`/admin/${list.place}`}
            query={query}
            now={await timeAsked(world, of)}
          />
        ) : null}
        {found.note === undefined ? null : <p class="note">{found.note}</p>}
        {isSortedAs(query, found.sorts ?? []) ? null : <p class="note">{NOT_SORTED}</p>}
        {await list.above?.({ world, query, found })}
        <Rows list={list} query={query} found={found} clocks={clocks} />
      </>,
    )
  })
}

function accountIdOf({ accountId }: ListRow): string {
  return accountId ?? ''
}

/** What was kept of a text that is too long may be another row's, so nothing is looked for. */
function findBy<Row extends ListRow>({ filters, find }: ListPage<Row>): ListPage<Row>['find'] {
  const texts = filters.filter(({ kind }) => kind === 'text')
  return async (world, query, rows) => {
    const faultOf = (name: string) => lengthFault(query[name] ?? '', LONGEST_VALUE)
    const faults = presentFaults(Object.fromEntries(texts.map(({ name }) => [name, faultOf(name)])))
    return isFaulty(faults) ? { rows: [], shown: '', faults } : find(world, query, rows)
  }
}

interface PartProps<Row extends ListRow> {
  readonly list: ListPage<Row>
  readonly query: QueryParams
  readonly found: FoundRows<Row>
}

function Filters<Row extends ListRow>({ list, query, found }: PartProps<Row>) {
  const { place, filters, hiddenFilters = [] } = list
  if (filters.length === 0) return null
  const isFiltered = filters.some(({ name }) => query[name] !== undefined)
  const kept = [...hiddenFilters, 'sort', 'order'].map((name) => [name, query[name]])
  return (
    <FilterForm path={`/admin/${place}`} isFiltered={isFiltered} fields={Object.fromEntries(kept)}>
      {filters.map((filter) => {
        const value = query[filter.name]
        const fault = found.faults?.[filter.name] ?? filterFault(filter, value)
        return <FilterField key={filter.name} {...{ filter, value, fault }} />
      })}
    </FilterForm>
  )
}

interface FilterFieldProps {
  readonly filter: Filter
  readonly value: string | undefined
  readonly fault: string | undefined
}

function FilterField({ filter, ...filled }: FilterFieldProps) {
  switch (filter.kind) {
    case 'choice':
      return <ChoiceField any="Any" {...filter} {...filled} />
    case 'date':
      return <TextField type="date" name={filter.name} label={filter.label} {...filled} />
    case 'text': {
      const field = <TextField {...filter} {...filled} />
      return filter.isWide ? <div class="wide">{field}</div> : field
    }
  }
}

/** On a phone, where the rows are cards, there are no heads to sort by. */
function Orders<Row extends ListRow>({ list, query, found }: PartProps<Row>) {
  const heads = list.columns.flatMap((column) => {
    const head = headOf(column, list.place, query, found)
    return typeof head === 'string' ? [] : [head]
  })
  if (heads.length === 0 || found.rows.length === 0) return null
  return (
    <nav class="choices on-phone" aria-label="Order">
      {heads.map(({ words, path, sorted }) => (
        <a key={words} href={path} aria-current={sorted === undefined ? undefined : 'true'}>
          {words} {sorted === undefined ? '' : { ascending: '↑', descending: '↓' }[sorted]}
        </a>
      ))}
    </nav>
  )
}

function headOf<Row>(
  { head, sort }: ListColumn<Row>,
  place: MenuPlace,
  query: QueryParams,
  { sorts = [] }: FoundRows<Row>,
): string | SortHead {
  if (sort === undefined || !sorts.includes(sort)) return head
  return { words: head, ...sortBy(`/admin/${place}`, query, sorts, sort) }
}

function isSorted<Row>(query: QueryParams, { sorts = [] }: FoundRows<Row>): boolean {
  return (query.sort ?? query.order) !== undefined && isSortedAs(query, sorts)
}

/** The order and the place in it. */
const OF_PLACE = ['sort', 'order', 'before', 'page']

function faultsIn<Row extends ListRow>(list: ListPage<Row>, query: QueryParams): readonly string[] {
  const faults = list.filters.flatMap((filter) => filterFault(filter, query[filter.name]) ?? [])
  return [...faults, ...unknownNotes(query, knownIn(list))]
}

function knownIn<Row extends ListRow>({
  filters,
  hiddenFilters = [],
}: ListPage<Row>): readonly string[] {
  return [...filters.map(({ name }) => name), ...hiddenFilters, ...OF_PLACE]
}

/** Why the filter is off. Undefined if it is on, or not set. */
function filterFault(filter: Filter, value: string | undefined): string | undefined {
  if (value === undefined || filter.kind === 'text') return undefined
  if (filter.kind === 'date') {
    return parseInstant(value) === undefined
      ? `“${value}” is not a date, so this filter is off. Enter one like 2026-03-07.`
      : undefined
  }
  const values = filter.choices.map((choice) => (typeof choice === 'string' ? choice : choice[0]))
  return values.includes(value) ? undefined : notAChoice(value)
}

interface RowsProps<Row extends ListRow> extends PartProps<Row> {
  readonly clocks: ReadonlyMap<string, Date>
}

function Rows<Row extends ListRow>({ list, query, found, clocks }: RowsProps<Row>) {
  const { columns } = list
  const { rows, shown, newer, older } = found
  const isFaulty = faultsIn(list, query).length > 0 || !isSortedAs(query, found.sorts ?? [])
  return (
    <>
      <RowTable
        title={list.rowsTitle ?? list.title}
        columns={columns}
        rows={rows}
        whenEmpty={Object.keys(query).length > 0 ? 'Nothing matches.' : list.whenEmpty}
        heads={columns.map((column) => headOf(column, list.place, query, found))}
        hasOwnClock={(row) => clocks.has(accountIdOf(row))}
      />
      <Orders {...{ list, query, found }} />
      <Pager
        path={`/admin/${list.place}`}
        {...{ shown, newer, older }}
        isSorted={isSorted(query, found)}
      />
      {rows.length === 0 && older === undefined ? null : (
        <DownloadLink
          place={list.place}
          query={query}
          mostRows={found.every === undefined ? list.mostAtOnce : 'all'}
          isFaulty={isFaulty}
        />
      )}
    </>
  )
}
