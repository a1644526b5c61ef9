// The list of payment links: its filters, its columns, and how its rows are found.

import { counted } from '../../core/counts.ts'
import { isLinkId } from '../../core/id.ts'
import type { PaymentLink } from '../../generated/client.ts'
import { findLinkOfPayer } from '../../links/find-link.ts'
import {
  type FoundLink,
  LINK_STATES,
  type LinkState,
  linkOfAccount,
  listLinksAnywhere,
} from '../../links/links-anywhere.ts'
import type { World } from '../../world.ts'
import { type FoundRows, newestFirstOf, ROWS_A_PAGE } from '../parts/found-rows.ts'
import type { ListPage } from '../parts/list-page.tsx'
import { OWNED_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { Amount, StatusWord } from '../parts/shown.tsx'
import { BY_TIME, sortingOf } from '../parts/sorting.ts'
import { LINKS_PATH, linkPath } from '../paths.ts'
import { accountsAsked, choiceOf, type QueryParams } from '../query.ts'

export const NEW_LINK_PATH = `${LINKS_PATH}/new`

export const LINK_LIST: ListPage<FoundLink> = {
  title: 'Payment links',
  place: 'links',
  toCreate: { path: NEW_LINK_PATH, words: 'New payment link' },
  filters: [
    { kind: 'choice', name: 'state', label: 'State', any: 'Any but deleted', choices: LINK_STATES },
    TEAM_FILTER,
    { kind: 'text', name: 'name', label: 'Name', placeholder: 'The whole name' },
  ],
  columns: [
    { head: 'Created (UTC)', sort: 'created_at', cell: (row) => row.createdAt },
    { head: 'Name', isMain: true, cell: (row) => <a href={linkPath(row)}>{row.commonName}</a> },
    { head: 'State', cell: (row) => <StatusWord status={linkStateOf(row)} /> },
    { head: 'Amount', class: 'amount', cell: (row) => <LinkAmount of={row} /> },
    { head: 'Payments', cell: (row) => counted(row.totalTransactions, 'payment') },
    { head: 'Received', class: 'amount', cell: (row) => row.totalSales },
    TEAM_COLUMN,
  ],
  isInAccountTime: true,
  whenEmpty: 'There are no payment links yet.',
  file: [
    ...OWNED_COLUMNS,
    'common_name',
    ['state', linkStateOf],
    'amount',
    ['payments', (row) => row.totalTransactions],
    ['received', (row) => row.totalSales],
  ],
  find,
}

export function linkStateOf({ active, deletedAt }: PaymentLink): LinkState {
  if (deletedAt !== null) return 'deleted'
  return active ? 'active' : 'inactive'
}

export function LinkAmount({ of: { amount } }: { of: Pick<PaymentLink, 'amount'> }) {
  return amount === null ? <span class="quiet">payer enters it</span> : <Amount cents={amount} />
}

async function find(
  world: World,
  query: QueryParams,
  rows = ROWS_A_PAGE,
): Promise<FoundRows<FoundLink>> {
  const { accountIds, fault } = await accountsAsked(world, query)
  if (fault !== undefined) return { rows: [], shown: '', faults: { team: fault } }
  const read = await listLinksAnywhere(world, {
    accountIds,
    state: choiceOf(query, 'state', LINK_STATES),
    name: query.name,
    before: await linkBefore(world, query),
    most: rows + 1,
    direction: sortingOf(query, BY_TIME).direction,
  })
  return { ...newestFirstOf(query, read, rows), sorts: BY_TIME }
}

/** The last link of the page before, since its id does not say when it was made. */
async function linkBefore(
  world: World,
  { before = '' }: QueryParams,
): Promise<PaymentLink | undefined> {
  const id = before.toLowerCase()
  const owner = isLinkId(id) ? await world.db.ask(findLinkOfPayer, { id }) : undefined
  return owner && (await linkOfAccount(world, { accountId: owner.accountId, id }))
}
