// Reads the search in the query string, and finds the transactions.

import { MODES } from '../../accounts/key.ts'
import { isId } from '../../core/id.ts'
import type { Cents } from '../../core/money.ts'
import { METHODS, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../core/transaction.ts'
import {
  everyInAccount,
  type FoundTransaction,
  listAnywhere,
  listInAccount,
} from '../../payments/anywhere/transactions-anywhere.ts'
import type { World } from '../../world.ts'
import { cursorOf, type FoundRows, newestFirst, ROWS_A_PAGE } from '../parts/found-rows.ts'
import { numberedPage } from '../parts/pager.tsx'
import { BY_TIME, sortingOf } from '../parts/sorting.ts'
import { isFaulty, presentFaults, searchedText, typedAmount } from '../parts/typed.ts'
import { accountsAsked, choiceOf, type QueryParams, queriedSpan } from '../query.ts'

/** The orders of one account's list. Over all accounts, only time has an index. */
const SORTS = ['created_at', 'total', 'status'] as const

export const AMOUNT_FAULT = 'Enter an amount such as 12.50, up to 99,999,999.99.'

type Searched = FoundRows<FoundTransaction>

interface Wanted {
  /** Undefined for all accounts. */
  readonly accountIds: readonly string[] | undefined
  readonly total: Cents | undefined
  /** The number of rows on a page. */
  readonly rows: number
}

export async function search(
  world: World,
  query: QueryParams,
  rows = ROWS_A_PAGE,
): Promise<Searched> {
  const { accounts, fault } = await accountsAsked(world, query)
  const mode = choiceOf(query, 'mode', MODES)
  const asked = accounts?.filter((one) => mode === undefined || one.mode === mode)
  const accountIds = asked?.map(({ id }) => id)
  const { amount } = query
  const total = amount === undefined ? undefined : typedAmount(amount)
  const isNoAmount = amount !== undefined && total === undefined
  const faults = presentFaults({ team: fault, amount: isNoAmount ? AMOUNT_FAULT : undefined })
  if (isFaulty(faults)) return { rows: [], shown: '', faults }
  const wanted = { accountIds, total, rows }
  const [one, ...others] = accountIds ?? []
  // An id may be that of a customer or a batch, but the list of an account knows transactions only.
  const isOfOne = one !== undefined && others.length === 0 && !isId(query.q ?? '')
  return isOfOne ? inAccount(world, query, one, wanted) : anywhere(world, query, wanted)
}

async function anywhere(
  world: World,
  query: QueryParams,
  { rows: most, ...wanted }: Wanted,
): Promise<Searched> {
  const found = await listAnywhere(world, searchedText(query.q), {
    ...wanted,
    ...kindOf(query),
    mode: choiceOf(query, 'mode', MODES),
    lastFour: query.last_four,
    accepted: queriedSpan(query),
    before: cursorOf(query),
    most,
    direction: sortingOf(query, BY_TIME).direction,
  })
  return {
    ...newestFirst(query, found.rows, found.older),
    sorts: BY_TIME,
    note: found.isCut
      ? 'More customers match than were searched. Enter more of the name, or choose a team.'
      : undefined,
  }
}

async function inAccount(
  world: World,
  query: QueryParams,
  accountId: string,
  { total, rows: take }: Wanted,
): Promise<Searched> {
  const page = numberedPage(query, take)
  const filters = {
    ...kindOf(query),
    withChildren: true,
    owners: {},
    least: total,
    most: total,
    lastFour: query.last_four,
    keywords: [searchedText(query.q) ?? []].flat(),
    created: queriedSpan(query),
  }
  const { sort, direction: order } = sortingOf(query, SORTS)
  const part = { skip: page.skip, take, sort, order }
  const { rows, total: all } = await listInAccount(world, accountId, filters, part)
  const every = () => everyInAccount(world, accountId, { filters, sort, order })
  return { rows, ...page.pagerOf(rows.length, all), sorts: SORTS, every }
}

function kindOf(query: QueryParams) {
  return {
    type: choiceOf(query, 'type', TRANSACTION_TYPES),
    status: choiceOf(query, 'status', TRANSACTION_STATUSES),
    method: choiceOf(query, 'method', METHODS),
  }
}
