// Filters as callers combine them: some at once, most of them with values that one row has.

import fc from 'fast-check'
import { METHODS, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../src/core/transaction.ts'
import { type Listing, OWNERS } from '../../src/payments/lists/listing.ts'
import { listing, type PartialFilters, SORTED_BY } from './listings.ts'
import type { PlainRow } from './plain-list.ts'

const MOST_FILTERS = 4

const DAY = 24 * 60 * 60_000

const OF_KIND: readonly fc.Arbitrary<PartialFilters>[] = [
  fc.record({ type: fc.constantFrom(...TRANSACTION_TYPES) }),
  fc.record({ status: fc.constantFrom(...TRANSACTION_STATUSES) }),
  fc.record({ success: fc.boolean() }),
  fc.record({ method: fc.constantFrom(...METHODS) }),
  fc.record({ isManual: fc.boolean() }),
  fc.record({ isPreAuth: fc.boolean() }),
]

function ofRow(row: PlainRow): readonly fc.Arbitrary<PartialFilters>[] {
  const owners = OWNERS.filter((owner) => owner !== 'batch_id' && row[owner] !== null)
  const texts = [row.customer, row.message, row.source, row.id, row.auth_id, row.meta.reference]
  const words = texts.flatMap((text) => (text ? [partOf(String(text))] : []))
  const cents = BigInt(row.cents)
  const day = new Date(row.created_at.toISOString().slice(0, 10))
  const times: readonly Listing['filters']['created'][] = [
    { from: row.created_at, before: undefined },
    { from: undefined, before: new Date(row.created_at.getTime() + DAY) },
    { from: day, before: new Date(day.getTime() + 40 * DAY) },
  ]
  return [
    fc.constantFrom(...owners).map((owner) => ({ owners: { [owner]: row[owner] } })),
    fc.constantFrom(
      { least: cents },
      { least: cents, most: cents },
      { least: cents, most: 10n * cents },
      { most: cents },
    ),
    fc.constant({ lastFour: row.last_four ?? '0000' }),
    fc.record({ keywords: fc.array(fc.oneof(...words), { minLength: 1, maxLength: 2 }) }),
    fc.constantFrom(...times).map((created) => ({ created })),
  ]
}

/** One letter, some, or the whole text. */
function partOf(text: string): fc.Arbitrary<string> {
  const starts = fc.nat({ max: text.length - 1 })
  const part = fc
    .tuple(fc.constantFrom(1, 3, 8), starts)
    .map(([length, at]) => text.slice(at, at + length).trim())
  return fc.oneof(fc.constant(text), part).filter((keyword) => keyword !== '')
}

export function randomListings(rows: readonly PlainRow[]): fc.Arbitrary<Listing> {
  return fc
    .constantFrom(...rows)
    .chain((row) => {
      const filters = fc.oneof(...OF_KIND, ...ofRow(row))
      return fc.tuple(
        fc.array(filters, { minLength: 1, maxLength: MOST_FILTERS }),
        fc.record({
          sort: fc.constantFrom(...SORTED_BY),
          order: fc.constantFrom('asc' as const, 'desc' as const),
        }),
        fc.boolean(),
      )
    })
    .map(([filters, order, withChildren]) =>
      listing(Object.assign({ withChildren }, ...filters), order),
    )
}
