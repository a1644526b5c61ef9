// Lists an account's payment links. The indexes payment_link_by_…, payment_link_named and
// payment_link_search have exactly these expressions.

import type { Cents } from '../core/money.ts'
import { declareList } from '../db/declared-list.ts'
import { allKeywords, containing } from '../db/terms.ts'
import type { World } from '../world.ts'
import { linkColumns, linkView } from './link.ts'

/** One text for one index; a line break separates the two. */
const SEARCHED = "l.common_name || E'\\n' || coalesce(l.link_meta->>'memo', '')"

export const LINKS = declareList({
  table: 'payment_link',
  alias: 'l',
  always: 'l.deleted_at IS NULL',
  filters: {
    active: (isActive: boolean) => (isActive ? 'l.active' : 'NOT l.active'),
    // A link without an amount lets the payer enter one.
    amount: (amount: Cents | null, put) =>
      amount === null ? 'l.amount IS NULL' : `l.amount = ${put(amount)}`,
    common_name: 'lower(l.common_name) = lower($value::text)',
    keywords: (keywords: readonly string[], put) =>
      allKeywords(keywords, (keyword) => `(${SEARCHED}) ILIKE ${put(containing(keyword))}`),
  },
  sorts: {
    common_name: 'l.common_name',
    amount: { nullable: 'l.amount' },
    created_at: 'l.created_at',
    total_sales: 'l.total_sales',
    total_transactions: 'l.total_transactions',
  },
  columns: linkColumns.list,
  view: (row, world: World) => linkView(world, linkColumns.read(row)),
})
