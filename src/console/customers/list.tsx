// The list of customers: its filters, its columns, and how its rows are found.

import { isId } from '../../core/id.ts'
import { CUSTOMER_ROWS } from '../../customers/list-customers.ts'
import type { RowOwner } from '../../db/newest-anywhere.ts'
import type { Customer } from '../../generated/client.ts'
import { isName, SHORTEST_NAME } from '../../payments/anywhere/found.ts'
import { customersNamed } from '../../payments/anywhere/transactions-anywhere.ts'
import type { World } from '../../world.ts'
import type { FoundRows } from '../parts/found-rows.ts'
import { type ListPage, searchFilter } from '../parts/list-page.tsx'
import {
  newestOfAccounts,
  OWNED_COLUMNS,
  TEAM_COLUMN,
  TEAM_FILTER,
} from '../parts/rows-of-teams.tsx'
import { Id, LongLink, LongText, personName } from '../parts/shown.tsx'
import { isFaulty, presentFaults, searchedText } from '../parts/typed.ts'
import { customerPath } from '../paths.ts'
import { accountsAsked, type QueryParams } from '../query.ts'

const TOO_MANY =
  'More customers match than were searched. Enter more of the name, or choose a team.'

const TOO_SHORT = `Enter at least ${SHORTEST_NAME} characters.`

export type FoundCustomer = Customer & RowOwner

export const CUSTOMER_LIST: ListPage<FoundCustomer> = {
  title: 'Customers',
  place: 'customers',
  filters: [
    searchFilter('A part of a name, company, phone number or reference; a whole id'),
    TEAM_FILTER,
    { kind: 'text', name: 'email', label: 'E-mail', placeholder: 'The whole address' },
  ],
  columns: [
    {
      head: 'Customer, created (UTC)',
      sort: 'created_at',
      cell: (row) => <Id id={row.id} to={customerPath(row)} />,
      below: (row) => row.createdAt,
    },
    { head: 'Name', isMain: true, cell: (row) => <CustomerLink of={row} /> },
    TEAM_COLUMN,
    { head: 'E-mail', class: 'says', cell: ({ email }) => email && <LongText text={email} /> },
    {
      head: 'Reference',
      class: 'says',
      cell: ({ reference }) => reference && <LongText text={reference} />,
    },
  ],
  isInAccountTime: true,
  whenEmpty: 'There are no customers yet.',
  file: [...OWNED_COLUMNS, 'firstname', 'lastname', 'company', 'email', 'phone', 'reference'],
  find: searchCustomers,
}

export function CustomerLink({ of }: { of: Customer }) {
  return <LongLink to={customerPath(of)} text={personName(of)} />
}

export async function searchCustomers(
  world: World,
  query: QueryParams,
  rows?: number,
): Promise<FoundRows<FoundCustomer>> {
  const { accountIds, fault } = await accountsAsked(world, query)
  const { email } = query
  const q = searchedText(query.q)
  const isSearchable = q === undefined || isId(q) || isName(q)
  const faults = presentFaults({ team: fault, q: isSearchable ? undefined : TOO_SHORT })
  if (isFaulty(faults)) return { rows: [], shown: '', faults }
  const named = await namedBy(world, q, accountIds)
  const search = { query, list: CUSTOMER_ROWS, asked: { email, ids: named.ids }, rows }
  const found = await newestOfAccounts(world, search, named.accountIds)
  return { ...found, note: named.isCut ? TOO_MANY : undefined }
}

interface NamedCustomers {
  /** Undefined for all accounts. */
  readonly accountIds: readonly string[] | undefined
  /** Undefined for all customers. */
  readonly ids: readonly string[] | undefined
  readonly isCut: boolean
}

/** The index of names has no order, so the customers are found first and sorted afterwards. */
async function namedBy(
  world: World,
  word: string | undefined,
  accountIds: readonly string[] | undefined,
): Promise<NamedCustomers> {
  if (word === undefined) return { accountIds, ids: undefined, isCut: false }
  if (isId(word)) return { accountIds, ids: [word], isCut: false }
  const { customers, isCut } = await customersNamed(world, word, { accountIds, mode: undefined })
  return {
    accountIds: [...new Set(customers.map(({ accountId }) => accountId))],
    ids: customers.map(({ id }) => id),
    isCut,
  }
}
