// Lists an account's items. The indexes item_by_…, item_coded and item_search have exactly these
// expressions.

import { declareList } from '../db/declared-list.ts'
import { allKeywords, containing, type Put } from '../db/terms.ts'
import { itemColumns, itemView } from './item.ts'

/**
 * One text for one index; a line break separates the two. Details may be long, and a search costs
 * the length of the text times that of the keyword.
 */
const SEARCHED = "i.item || E'\\n' || coalesce(i.code, '')"

export const ITEMS = declareList({
  table: 'item',
  alias: 'i',
  always: 'i.deleted_at IS NULL',
  filters: {
    is_active: (isActive: boolean) => (isActive ? 'i.is_active' : 'NOT i.is_active'),
    code: 'lower(i.code) = lower($value::text)',
    keywords: (keywords: readonly string[], put: Put) =>
      allKeywords(keywords, (keyword) => `(${SEARCHED}) ILIKE ${put(containing(keyword))}`),
  },
  sorts: { created_at: 'i.created_at', updated_at: 'i.updated_at', item: 'i.item' },
  columns: itemColumns.list,
  view: (row) => itemView(itemColumns.read(row)),
})
