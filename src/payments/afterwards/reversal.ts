// A reversal as statements read and write it, as the API shows it, and the list of them.

import { REVERSAL_KINDS } from '../../core/dispute.ts'
import { toDecimal } from '../../core/money.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import { columnsOf, type RowKey } from '../../db/columns.ts'
import { declareList } from '../../db/declared-list.ts'
import type { Reversal } from '../../generated/client.ts'
import { declareFields } from '../../resource/declare-fields.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { DISPUTE } from './dispute.ts'

export const REVERSAL = declareFields<Reversal>()({
  id: { shown: answerField.id },
  transaction_id: {
    shown: {
      ...answerField.id,
      description: 'The refund or the charge, whose status stays SUCCESS.',
    },
  },
  kind: {
    shown: Type.Enum(REVERSAL_KINDS, {
      description:
        "refund_failed: the refund did not reach the payer, and its money is in your balance again; those who were sent its receipt are sent a correction. debit_returned: the payer's bank took the debit back. An invoice that it paid stays PAID, and its page says so; bill the customer anew.",
    }),
  },
  reason: DISPUTE.fields.reason,
  amount: { shown: answerField.amount, show: toDecimal },
  currency: { shown: answerField.text },
  gateway_name: { shown: answerField.text },
  gateway_id: DISPUTE.fields.gateway_id,
  created_at: { shown: answerField.time },
})

export const reversalView = (reversal: Reversal) => REVERSAL.view(reversal)

const {
  list: REVERSAL_COLUMNS,
  read: readReversal,
  find,
  insertion,
} = columnsOf<Reversal>('Reversal', 'r', ['amount'])

export const reversalInsertion = insertion

export const REVERSALS = declareList({
  table: 'reversal',
  alias: 'r',
  filters: {
    transaction_id: 'r.transaction_id = $value',
    kind: 'r.kind = $value',
    from: 'r.created_at >= $value',
    before: 'r.created_at < $value',
  },
  sorts: { created_at: 'r.created_at' },
  columns: REVERSAL_COLUMNS,
  view: (row) => reversalView(readReversal(row)),
})

export async function findReversal(world: World, key: RowKey): Promise<Reversal> {
  return orNotFound(await find(world.db.query, key))
}
