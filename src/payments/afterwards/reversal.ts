// A reversal as statements read and write it, as the API shows it, and the list of them.

import { Refusal } from '../../core/errors.ts'
import { toDecimal } from '../../core/money.ts'
import { columnsOf } from '../../db/columns.ts'
import { declareList } from '../../db/declared-list.ts'
import type { Reversal } from '../../generated/client.ts'
import type { World } from '../../world.ts'

export function reversalView(r: Reversal) {
  return {
    id: r.id,
    transaction_id: r.transactionId,
    kind: r.kind,
    reason: r.reason,
    amount: toDecimal(r.amount),
    currency: r.currency,
    gateway_name: r.gatewayName,
    gateway_id: r.gatewayId,
    created_at: r.createdAt,
  }
}

const {
  list: REVERSAL_COLUMNS,
  read: readReversal,
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

export async function findReversal(world: World, accountId: string, id: string): Promise<Reversal> {
  const where = { accountId_id: { accountId, id } }
  const found = await world.db.prisma.reversal.findUnique({ where })
  if (found === null) throw new Refusal('not_found')
  return found
}
