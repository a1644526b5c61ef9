// An item of a merchant's catalogue: its fields and its columns. Line items of invoices may name
// one; they carry their own name and price, so a change here changes no bill.

import { columnsOf } from '../db/columns.ts'
import type { Item } from '../generated/client.ts'
import { column } from '../resource/column-kinds.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField } from '../resource/schemas.ts'

/** The largest INTEGER of the database. */
const MOST_PIECES = 2_147_483_647

export const ITEM = declareFields<Item>()({
  id: { shown: answerField.id },
  item: column.requiredText('Its name.'),
  code: column.text('The merchant’s own code for it, such as a SKU.'),
  details: column.note('The text about it on a bill.'),
  price: column.openMoney(
    'The price of one.',
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Major units; null if it has no fixed price.',
    }),
  ),
  is_active: column.flag('Whether it is offered; true when absent.', true),
  is_taxable: column.flag('Whether tax is added to it; false when absent.', false),
  is_service: column.flag('Whether it is a service; false when absent.', false),
  in_stock: {
    sent: Type.Integer({
      minimum: 0,
      maximum: MOST_PIECES,
      description: 'How many there are, as the merchant counts them.',
      examples: [12],
    }),
    initial: null,
    shown: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'null: the merchant does not count them. No payment changes it.',
    }),
  },
  meta: column.meta(),
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
  deleted_at: { shown: answerField.timeOrNull },
})

export type NewItem = Parameters<typeof ITEM.newColumns>[0]

export const itemView = (item: Item) => ITEM.view(item)

export const itemColumns = columnsOf<Item>('Item', 'i', ['price'])
