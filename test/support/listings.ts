// Lists of transactions as requests: every filter, and filters that interact.

import type pg from 'pg'
import {
  type Listing,
  TRANSACTION_SORTS,
  type TransactionFilters,
  type TransactionSort,
} from '../../src/payments/lists/listing.ts'
import { CROWD_CLOSING_DAY, CROWD_OPEN_DAY, CROWDED } from './transaction-crowd.ts'

export const SORTED_BY = Object.keys(TRANSACTION_SORTS) as TransactionSort[]

export type PartialFilters = Partial<TransactionFilters>

const ANY: TransactionFilters = {
  type: undefined,
  status: undefined,
  success: undefined,
  method: undefined,
  isManual: undefined,
  isPreAuth: undefined,
  withChildren: false,
  owners: {},
  least: undefined,
  most: undefined,
  lastFour: undefined,
  keywords: [],
  created: { from: undefined, before: undefined },
}

export function listing(filters: PartialFilters, more: Partial<Listing> = {}): Listing {
  return {
    accountId: CROWDED,
    sort: 'created_at',
    order: 'desc',
    ...more,
    filters: { ...ANY, ...filters },
  }
}

const between = (from: string | undefined, before: string | undefined): PartialFilters => ({
  created: {
    from: from ? new Date(from) : undefined,
    before: before ? new Date(before) : undefined,
  },
})

/** Filters that use the kind and time alone. */
export const TALLIED: Readonly<Record<string, PartialFilters>> = {
  nothing: {},
  'children too': { withChildren: true },
  charges: { type: 'charge' },
  'pre_auths, by their type': { type: 'pre_auth' },
  captures: { type: 'capture', withChildren: true },
  voids: { type: 'void', withChildren: true },
  refunds: { type: 'refund', withChildren: true },
  'credits, of which there are none': { type: 'credit' },
  'what failed': { status: 'FAILED' },
  'what succeeded': { status: 'SUCCESS' },
  'what is PENDING': { status: 'PENDING' },
  success: { success: true },
  'no success': { success: false },
  'cards alone': { method: 'card' },
  'checks, of which there are few': { method: 'check' },
  'recorded by hand': { isManual: true },
  'not recorded by hand': { isManual: false },
  pre_auths: { isPreAuth: true },
  'no pre_auths': { isPreAuth: false },
  'failed refunds': { type: 'refund', status: 'FAILED', withChildren: true },
  'failed and a success, of which there are none': { status: 'FAILED', success: true },
  'a day': between('2026-05-01', '2026-05-02'),
  'a month and some days': between('2026-01-30', '2026-03-03'),
  'since an instant': between('2025-03-05T07:13:00Z', undefined),
  'until an instant': between(undefined, '2026-06-11T17:11:00Z'),
  'between two instants': between('2026-03-05T17:13:00Z', '2026-06-11T07:11:00Z'),
  'some hours of a day': between('2026-03-05T02:13:00Z', '2026-03-05T11:11:00Z'),
  'no time at all': between('2026-03-05', '2026-03-05'),
  'failed cards of a month': {
    ...between('2026-04-01', '2026-05-01'),
    status: 'FAILED',
    method: 'card',
  },
}

/** Filters that an index serves. */
export async function narrowedFilters(
  client: pg.Client,
): Promise<Readonly<Record<string, PartialFilters>>> {
  const pick = async (table: string, condition: string) => {
    const text = `SELECT * FROM ${table} WHERE account_id = $1 AND ${condition} ORDER BY id LIMIT 1`
    return (await client.query(text, [CROWDED])).rows[0]
  }
  const listed = "type = 'charge' AND status = 'SUCCESS'"
  const ofInvoice = await pick('transaction', `${listed} AND invoice_id IS NOT NULL`)
  const ofSchedule = await pick('transaction', `${listed} AND schedule_id IS NOT NULL`)
  const ofLink = await pick('transaction', `${listed} AND payment_link_id IS NOT NULL`)
  const closed = await pick('batch', "status = 'closed'")
  const closing = await pick('batch', "status = 'closing'")
  const keyed = await pick('transaction', `${listed} AND idempotency_id IS NOT NULL`)
  const ordered = await pick(
    'transaction',
    `${listed} AND meta ? 'reference' AND meta->>'poNumber' LIKE '____'`,
  )
  const manual = await pick('transaction', 'is_manual')
  const capture = await pick('transaction', "type = 'capture'")
  const customer = await pick('customer', `id = '${ofInvoice.customer_id}'`)
  const owner = { customer_id: ofInvoice.customer_id }
  const word = (...keywords: readonly string[]): PartialFilters => ({ keywords })
  return {
    'a customer': { owners: owner },
    'a payment method': { owners: { payment_method_id: ofInvoice.payment_method_id } },
    'an invoice': { owners: { invoice_id: ofInvoice.invoice_id } },
    'a schedule': { owners: { schedule_id: ofSchedule.schedule_id } },
    'a payment link': { owners: { payment_link_id: ofLink.payment_link_id } },
    'a batch': { owners: { batch_id: closed.id }, withChildren: true },
    'a batch that is closing': {
      owners: { batch_id: closing.id },
      batchDay: CROWD_CLOSING_DAY,
      withChildren: true,
    },
    'a batch that is open': {
      owners: { batch_id: CROWDED },
      batchDay: CROWD_OPEN_DAY,
      withChildren: true,
    },
    'last four': { lastFour: ofLink.last_four },
    'one total': { least: BigInt(ofLink.total), most: BigInt(ofLink.total) },
    'a total that nothing has': { least: 99_999_999_99n },
    "a customer's name": word(customer.lastname),
    "a customer's first name and e-mail": word(customer.firstname, customer.email.slice(0, 6)),
    'an id': word(ofLink.id.toUpperCase()),
    'an auth_id': word(ofLink.auth_id),
    "a capture's auth_id": { ...word(capture.reference_id), withChildren: true },
    'an idempotency key': word(keyed.idempotency_id),
    'an order number': word(ordered.meta.reference.toUpperCase()),
    'a number of a purchase order': word(String(ordered.meta.poNumber)),
    'words of a message': word(manual.message.slice(-8)),
    'words of a source, and a name': word('till 7', 'a'),
    'last four as a keyword': word(ofLink.last_four),
    'a keyword that nothing has': word('zzz%_\\'),
    'failures of a customer': { owners: owner, status: 'FAILED' },
    'a customer within a year': { owners: owner, ...between('2025-01-01', '2026-01-01') },
    'a link at some totals': {
      owners: { payment_link_id: ofLink.payment_link_id },
      least: 10_00n,
      most: 500_00n,
    },
    'last four since an instant': {
      lastFour: ofLink.last_four,
      created: { from: ofLink.created_at, before: undefined },
    },
    "a customer's name at nearly any total": { ...word(customer.lastname), least: 50n },
    'a keyword that nothing has, up to a total': { ...word('zzz%_\\'), most: 9_999_99n },
    'a keyword at one total': {
      ...word('till'),
      least: BigInt(manual.total),
      most: BigInt(manual.total),
    },
    'a keyword among the failed': { ...word(customer.lastname), success: false },
  }
}

/** Filters that leave many rows, which are counted. */
export const MANY: Readonly<Record<string, PartialFilters>> = {
  'at least a total': { least: 1_000_00n },
  'at most a total': { most: 10_00n },
  'between two totals': { least: 50_00n, most: 500_00n },
  'totals of a month': { least: 50_00n, ...between('2026-03-01', '2026-04-01') },
  'totals of bank accounts': { most: 500_00n, method: 'bank' },
  'a keyword of every customer': { keywords: ['example.com'] },
  'a letter of customers and messages': { keywords: ['e'] },
  'a digit of customers and of messages': { keywords: ['6'] },
  'a keyword of every customer, and totals': { keywords: ['example.com'], least: 50_00n },
}
