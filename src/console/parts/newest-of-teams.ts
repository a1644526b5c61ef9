// A page of the newest rows of all teams, or of the team that the filter names.

import type { DeclaredList } from '../../db/declared-list.ts'
import { type RowOwner, readNewest } from '../../db/newest-anywhere.ts'
import type { Filters, FilterValues } from '../../db/terms.ts'
import type { World } from '../../world.ts'
import { accountsAsked, type QueryParams } from '../query.ts'
import { cursorOf, type FoundRows, newestFirstOf } from './found-rows.ts'
import { BY_TIME, sortingOf } from './sorting.ts'

const ROWS = 50

export async function newestOfTeams<
  F extends Filters,
  Sort extends string,
  T extends { readonly id: string },
>(
  world: World,
  path: string,
  query: QueryParams,
  list: DeclaredList<F, Sort, T, World>,
  asked: FilterValues<F>,
  rows = ROWS,
): Promise<FoundRows<T & RowOwner>> {
  const { accounts, fault } = await accountsAsked(world, query)
  const accountIds = accounts?.map(({ id }) => id)
  const { direction } = sortingOf(query, BY_TIME)
  const filter = { accountIds, before: cursorOf(query), most: rows + 1, direction }
  const read = await readNewest(world, list, filter, asked)
  const faults = fault === undefined ? {} : { team: fault }
  return { ...newestFirstOf(path, query, read, rows), faults, sorts: BY_TIME }
}
