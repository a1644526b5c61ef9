// A page of an account's customers.

import type { Page, Paged } from '../db/page.ts'
import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { customerView } from './customer-view.ts'

export const CUSTOMER_SORTS = {
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  firstname: 'firstname',
  lastname: 'lastname',
  company: 'company',
  email: 'email',
} as const

/** Fields that a list can be narrowed by: an exact match, but for upper and lower case. */
export const CUSTOMER_FILTERS = {
  firstname: 'firstname',
  lastname: 'lastname',
  company: 'company',
  email: 'email',
  phone: 'phone',
  cc_emails: 'ccEmails',
  cc_sms: 'ccSms',
  address_1: 'address1',
  address_2: 'address2',
  address_city: 'addressCity',
  address_state: 'addressState',
  address_zip: 'addressZip',
  address_country: 'addressCountry',
  notes: 'notes',
  reference: 'reference',
} as const

export interface CustomerQuery {
  readonly page: Page<keyof typeof CUSTOMER_SORTS>
  readonly filters: Readonly<Partial<Record<keyof typeof CUSTOMER_FILTERS, string>>>
  /** Each must be found in one of the fields. */
  readonly keywords: readonly string[]
}

const SEARCHED = ['firstname', 'lastname', 'company', 'email', 'phone', 'reference'] as const

export async function listCustomers(
  world: World,
  accountId: string,
  query: CustomerQuery,
): Promise<Paged<ReturnType<typeof customerView>>> {
  const where: Prisma.CustomerWhereInput = {
    accountId,
    deletedAt: null,
    AND: [...filterTerms(query.filters), ...keywordTerms(query.keywords)],
  }
  const { sort, order, skip, take } = query.page
  const [total, rows] = await Promise.all([
    world.db.prisma.customer.count({ where }),
    world.db.prisma.customer.findMany({
      where,
      orderBy: [sortTerm(sort, order), { id: order }],
      skip,
      take,
    }),
  ])
  return { total, rows: rows.map(customerView) }
}

/** Nulls last, either way. */
function sortTerm(sort: keyof typeof CUSTOMER_SORTS, order: 'asc' | 'desc') {
  const field = CUSTOMER_SORTS[sort]
  const isNullable = field !== 'createdAt' && field !== 'updatedAt'
  return { [field]: isNullable ? { sort: order, nulls: 'last' } : order }
}

function filterTerms(filters: CustomerQuery['filters']): Prisma.CustomerWhereInput[] {
  const entries = Object.entries(filters) as [keyof typeof CUSTOMER_FILTERS, string][]
  return entries.map(([name, value]) => {
    const isOneOfMany = name === 'cc_emails' || name === 'cc_sms'
    const term = { equals: literal(value), mode: 'insensitive' }
    return { [CUSTOMER_FILTERS[name]]: isOneOfMany ? { has: value } : term }
  })
}

function keywordTerms(keywords: readonly string[]): Prisma.CustomerWhereInput[] {
  return keywords.map((keyword) => ({
    OR: SEARCHED.map((field) => ({ [field]: { contains: literal(keyword), mode: 'insensitive' } })),
  }))
}

/** Without regard to case Prisma compares by ILIKE, and leaves its wildcards as they are. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
