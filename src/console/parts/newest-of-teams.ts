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

/** Which rows are searched. Unless all of them are, the newest come first. */
interface Reach {
  /** False if no index knows the filters: a limited number of the newest rows is searched. */
  readonly isIndexed?: boolean
  /** Only the rows between two ids. */
  readonly span?: Pick<NewestFilter, 'before' | 'since'>
  /** Only the rows that were created then. */
  readonly created?: NewestFilter['created']
}

interface Search<F extends Filters, Sort extends string, T> extends Reach {
  readonly query: QueryParams
  readonly list: DeclaredList<F, Sort, T, World>
  readonly asked: FilterValues<F>
  readonly rows?: number | undefined
  /** Faults of filters. With any of them nothing is read. */
  readonly faults?: Readonly<Record<string, string>>
}

export async function newestOfTeams<
  F extends Filters,
  Sort extends string,
  T extends { readonly id: string },
>(world: World, search: Search<F, Sort, T>): Promise<FoundRows<T & RowOwner>> {
  const { accountIds, fault } = await accountsAsked(world, search.query)
  const faults = { ...search.faults, ...presentFaults({ team: fault }) }
  if (isFaulty(faults)) return { rows: [], shown: '', faults, sorts: sortsOf(search) }
  return newestOfAccounts(world, search, accountIds)
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
  const { query, list, asked, rows = ROWS_A_PAGE, isIndexed = true, span, created } = search
  const sorts = sortsOf(search)
  const direction = sorts.length > 0 ? sortingOf(query, BY_TIME).direction : undefined
  const filter = {
    accountIds,
    before: cursorOf(query),
    most: rows + 1,
    direction,
    created,
    ...span,
  }
  if (!isIndexed) {
    return newestWithin(query, await readNewestWithin(world, list, filter, asked), rows)
  }
  const read = await readNewest(world, list, filter, asked)
  return { ...newestFirstOf(query, read, rows), sorts }
}

function sortsOf({ isIndexed = true, span }: Reach) {
  return isIndexed && span === undefined ? BY_TIME : []
}
