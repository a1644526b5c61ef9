// Lists an account's customers. Each sort, each filter and the keywords have an index with exactly
// these expressions.

import { toE164 } from '../core/phone-number.ts'
import { declareList } from '../db/declared-list.ts'
import { allKeywords, containing, type Put } from '../db/terms.ts'
import { customerColumns, customerView } from './customer.ts'
import { customerMatches } from './search.ts'

const DECLARED = {
  table: 'customer',
  alias: 'c',
  always: 'c.deleted_at IS NULL',
  filters: {
    firstname: equal('c.firstname'),
    lastname: equal('c.lastname'),
    company: equal('c.company'),
    email: equal('c.email'),
    phone: ofPhone(equal('c.phone')),
    cc_emails: among('c.cc_emails'),
    cc_sms: ofPhone(among('c.cc_sms')),
    address_1: equal('c.address_1'),
    address_2: equal('c.address_2'),
    address_city: equal('c.address_city'),
    address_state: equal('c.address_state'),
    address_zip: equal('c.address_zip'),
    address_country: equal('c.address_country'),
    // The index contains only the beginning of a long text.
    notes: `left(lower(c.notes), 100) = left(lower($value), 100) AND ${equal('c.notes')}`,
    reference: equal('c.reference'),
    keywords: (keywords: readonly string[], put: Put) =>
      allKeywords(keywords, (keyword) => customerMatches(put(containing(keyword)))),
  },
  sorts: {
    created_at: 'c.created_at',
    updated_at: 'c.updated_at',
    firstname: { nullable: 'c.firstname' },
    lastname: { nullable: 'c.lastname' },
    company: { nullable: 'c.company' },
    email: { nullable: 'c.email' },
  },
  columns: customerColumns.list,
} as const

export const CUSTOMERS = declareList({
  ...DECLARED,
  view: (row) => customerView(customerColumns.read(row)),
})

/** The list for operators. */
export const CUSTOMER_ROWS = declareList({
  ...DECLARED,
  filters: { email: DECLARED.filters.email, ids: 'c.id = ANY($value::uuid[])' },
  view: (row) => customerColumns.read(row),
})

function equal(column: string): string {
  return `lower(${column}) = lower($value)`
}

function among(column: string): string {
  return `${column} <> '{}' AND lowered(${column}) @> ARRAY[lower($value)]`
}

/** Numbers are stored as E.164, but callers send them in other forms too. */
function ofPhone(term: string) {
  return (phone: string, put: Put) => term.replace('$value', () => put(toE164(phone) ?? phone))
}
