// A page of an account's customers. Each sort, each filter and the keywords have an index of their
// own, in the words that stand here.

import { columnsOf } from '../db/columns.ts'
import type { Page, Paged } from '../db/page.ts'
import type { Customer } from '../generated/client.ts'
import type { World } from '../world.ts'
import { customerView } from './customer-view.ts'
import { customerMatches, patternOf } from './search.ts'

export const CUSTOMER_SORTS = {
  created_at: 'c.created_at',
  updated_at: 'c.updated_at',
  firstname: 'c.firstname',
  lastname: 'c.lastname',
  company: 'c.company',
  email: 'c.email',
} as const

/** Fields that a list can be narrowed by, each as what it must be equal to in lower case. */
export const CUSTOMER_FILTERS = {
  firstname: equal,
  lastname: equal,
  company: equal,
  email: equal,
  phone: equal,
  cc_emails: among,
  cc_sms: among,
  address_1: equal,
  address_2: equal,
  address_city: equal,
  address_state: equal,
  address_zip: equal,
  address_country: equal,
  notes: equalFromItsBeginning,
  reference: equal,
} as const

export interface CustomerQuery {
  readonly page: Page<keyof typeof CUSTOMER_SORTS>
  readonly filters: Readonly<Partial<Record<keyof typeof CUSTOMER_FILTERS, string>>>
  /** Each must be found. */
  readonly keywords: readonly string[]
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

const customer = columnsOf<Customer>('Customer', 'c')

export async function listCustomers(
  world: World,
  accountId: string,
  query: CustomerQuery,
): Promise<Paged<ReturnType<typeof customerView>>> {
  const { count, page } = customerStatements(accountId, query)
  const [[counted], rows] = await Promise.all([
    world.db.query(count.text, count.values),
    world.db.query(page.text, page.values),
  ])
  return { total: counted?.total, rows: rows.map((row) => customerView(customer.read(row))) }
}

/** What the list asks of the database. */
export function customerStatements(
  accountId: string,
  { page, filters, keywords }: CustomerQuery,
): { readonly count: Statement; readonly page: Statement } {
  const values: unknown[] = [accountId]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const entries = Object.entries(filters) as [keyof typeof CUSTOMER_FILTERS, string][]
  const terms = [
    'c.account_id = $1',
    'c.deleted_at IS NULL',
    ...entries.map(([name, value]) => CUSTOMER_FILTERS[name](`c.${name}`, parameter(value))),
    ...keywords.map((keyword) => customerMatches('c', parameter(patternOf(keyword)))),
  ]
  const from = `FROM customer c WHERE ${terms.join(' AND ')}`
  return {
    count: { text: `SELECT count(*)::integer AS total ${from}`, values: [...values] },
    page: {
      text: `SELECT ${customer.list} ${from}
        ORDER BY ${orderOf(page)}
        LIMIT ${parameter(page.take)} OFFSET ${parameter(page.skip)}`,
      values,
    },
  }
}

/** Of what is never unknown nothing may be said of it, or the index would not be seen to fit. */
function orderOf({ sort, order }: CustomerQuery['page']): string {
  const isKnown = sort === 'created_at' || sort === 'updated_at'
  return `${CUSTOMER_SORTS[sort]} ${order} ${isKnown ? '' : 'NULLS LAST'}, c.id ${order}`
}

function equal(column: string, parameter: string): string {
  return `lower(${column}) = lower(${parameter})`
}

/** An index holds no more of a long text. */
function equalFromItsBeginning(column: string, parameter: string): string {
  const beginning = (text: string) => `left(lower(${text}), 100)`
  return `${beginning(column)} = ${beginning(parameter)} AND ${equal(column, parameter)}`
}

function among(column: string, parameter: string): string {
  return `${column} <> '{}' AND lowered(${column}) @> ARRAY[lower(${parameter})]`
}
