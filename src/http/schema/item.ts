// The schemas of catalogue items: what creates and changes one, their list, and the answer.

import { ITEM } from '../../items/item.ts'
import { ITEMS } from '../../items/list-items.ts'
import { Type } from '../../resource/json-schema.ts'
import { currency, id, idempotencyId, queryFlag, text } from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { IGNORED, keywordsFilter, listQuery } from './list.ts'
import { removal } from './removal.ts'

const COFFEE = {
  item: 'Coffee, a bag',
  code: 'COF-250',
  details: '250 g, whole beans',
  price: 12.5,
}

export const newItem = Type.Object(
  {
    ...ITEM.creation,
    currency: Type.Optional(currency),
    idempotency_id: idempotencyId,
  },
  { examples: [{ ...COFFEE, is_taxable: true, in_stock: 12 }] },
)

export const itemChange = Type.Object(
  {
    ...ITEM.change,
    remove: removal(['code', 'details', 'in_stock']),
    currency: Type.Optional(currency),
  },
  {
    description: 'Absent fields keep their value; meta is replaced as a whole.',
    examples: [{ price: 13, in_stock: 11 }],
  },
)

export const itemParams = Type.Object({ id: id('The item.') })

export const itemQuery = listQuery(ITEMS.sorts, {
  is_active: Type.Optional(queryFlag('Only items that are offered, or only the others.')),
  code: Type.Optional(text('An exact match, ignoring case.')),
  keywords: keywordsFilter('Must be found in the name or the code.'),
  ...IGNORED,
})

export const item = resourceSchema('Item', ITEM.answer)
