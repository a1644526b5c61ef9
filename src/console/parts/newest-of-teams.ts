// A page of the newest rows of all teams, or of the team that the filter names.

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
import { BY_TIME, sortingOf } from './sorting.ts'
import { isFaulty, presentFaults } from './typed.ts'

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
