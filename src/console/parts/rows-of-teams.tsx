// Lists of the rows of all teams, or of the team that their filter names: that filter, the columns
// that name the owner of a row, and how the newest rows are found.

import type { DeclaredList } from '../../db/declared-list.ts'
import {
  type NewestFilter,
  type RowOwner,
  readNewest,
  readNewestWithin,
} from '../../db/newest-anywhere.ts'
import type { Filters, FilterValues } from '../../db/terms.ts'
import type { World } from '../../world.ts'
import { accountsAsked, type QueryParams } from '../query.ts'
import { cursorOf, type FoundRows, newestFirstOf, newestWithin, ROWS_A_PAGE } from './found-rows.ts'
import type { FileColumn } from './list-file.tsx'
import type { Filter } from './list-page.tsx'
import type { Column } from './row-table.tsx'
import { LongText } from './shown.tsx'
import { BY_TIME, sortingOf } from './sorting.ts'
import { isFaulty, presentFaults } from './typed.ts'

export const TEAM_FILTER: Filter = {
  kind: 'text',
  name: 'team',
  label: 'Team',
  placeholder: 'Its name or id',
}

export const TEAM_COLUMN: Column<{ readonly teamName: string; readonly mode: string }> = {
  head: 'Team',
  cell: ({ teamName }) => <LongText text={teamName} />,
  below: ({ mode }) => mode,
}

/** The owner in a file. */
export const OWNER_COLUMNS: readonly FileColumn<RowOwner & { readonly accountId: string }>[] = [
  'account_id',
  ['team', (row) => row.teamName],
  'mode',
]

interface OwnedRow extends RowOwner {
  readonly id: string
  readonly accountId: string
  readonly createdAt: Date
}

/** How the file of most lists begins. */
export const OWNED_COLUMNS: readonly FileColumn<OwnedRow>[] = ['id', 'created_at', ...OWNER_COLUMNS]

/** What a query asks of a list. Unless all rows are searched, the newest come first. */
interface Asked<F extends Filters> {
  readonly asked: FilterValues<F>
  /** False if no index knows the filters: a limited number of the newest rows is searched. */
  readonly isIndexed?: boolean
  /** Only the rows between two ids. */
  readonly span?: Pick<NewestFilter, 'before' | 'since'>
  /** Only the rows that were created then. */
  readonly created?: NewestFilter['created']
  /** Faults of filters. With any of them nothing is read. */
  readonly faults?: Readonly<Record<string, string>>
  /** What the page says above the rows. */
  readonly note?: string | undefined
}

/** How a list page finds its rows: `askedBy` reads the other filters than that of the team. */
export function newestOf<F extends Filters, Sort extends string, T extends { readonly id: string }>(
  list: DeclaredList<F, Sort, T, World>,
  askedBy: (query: QueryParams) => Asked<F>,
) {
  return async (world: World, query: QueryParams, rows?: number) => {
    const { accountIds, fault } = await accountsAsked(world, query)
    const asked = askedBy(query)
    const faults = { ...asked.faults, ...presentFaults({ team: fault }) }
    if (isFaulty(faults)) return { rows: [], shown: '', faults, sorts: sortsOf(asked) }
    return newestOfAccounts(world, { query, list, rows, ...asked }, accountIds)
  }
}

interface Search<F extends Filters, Sort extends string, T> extends Asked<F> {
  readonly query: QueryParams
  readonly list: DeclaredList<F, Sort, T, World>
  readonly rows?: number | undefined
}

/** For a list that chooses the accounts itself. Undefined stands for all of them. */
export async function newestOfAccounts<
  F extends Filters,
  Sort extends string,
  T extends { readonly id: string },
>(
  world: World,
  search: Search<F, Sort, T>,
  accountIds: readonly string[] | undefined,
): Promise<FoundRows<T & RowOwner>> {
  const { query, list, asked, rows = ROWS_A_PAGE, isIndexed = true, span, created, note } = search
  const sorts = sortsOf(search)
  const direction = sorts.length > 0 ? sortingOf(query, BY_TIME).direction : undefined
  const part = { accountIds, before: cursorOf(query), most: rows + 1, direction }
  const filter = { ...part, created, ...span }
  if (!isIndexed) {
    return newestWithin(query, await readNewestWithin(world, list, filter, asked), rows)
  }
  const read = await readNewest(world, list, filter, asked)
  return { ...newestFirstOf(query, read, rows), sorts, note }
}

function sortsOf({ isIndexed = true, span }: Omit<Asked<Filters>, 'asked'>) {
  return isIndexed && span === undefined ? BY_TIME : []
}
