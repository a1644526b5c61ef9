// A dispute as statements read and write it, as the API shows it, and the list of them.

import { Refusal } from '../../core/errors.ts'
import { toDecimal } from '../../core/money.ts'
import { columnsOf } from '../../db/columns.ts'
import { declareList } from '../../db/declared-list.ts'
import type { Dispute } from '../../generated/client.ts'
import type { World } from '../../world.ts'

export function disputeView(d: Dispute) {
  return {
    id: d.id,
    transaction_id: d.transactionId,
    status: d.status,
    reason: d.reason,
    amount: toDecimal(d.amount),
    currency: d.currency,
    gateway_name: d.gatewayName,
    gateway_id: d.gatewayId,
    respond_by: d.respondBy,
    opened_at: d.openedAt,
    closed_at: d.closedAt,
    created_at: d.createdAt,
    updated_at: d.updatedAt,
  }
}

export const {
  list: DISPUTE_COLUMNS,
  read: readDispute,
  insertion: disputeInsertion,
  change: disputeChange,
} = columnsOf<Dispute>('Dispute', 'd', ['amount'])

const DECLARED = {
  table: 'dispute',
  alias: 'd',
  filters: {
    transaction_id: 'd.transaction_id = $value',
    status: 'd.status = $value',
    from: 'd.created_at >= $value',
    before: 'd.created_at < $value',
    to_answer: '(d.respond_by IS NOT NULL) = $value',
  },
  sorts: { created_at: 'd.created_at' },
  columns: DISPUTE_COLUMNS,
} as const

export const DISPUTES = declareList({
  ...DECLARED,
  view: (row) => disputeView(readDispute(row)),
})

/** The list for operators. */
export const DISPUTE_ROWS = declareList({ ...DECLARED, view: (row) => readDispute(row) })

export async function findDispute(world: World, accountId: string, id: string): Promise<Dispute> {
  const where = { accountId_id: { accountId, id } }
  const found = await world.db.prisma.dispute.findUnique({ where })
  if (found === null) throw new Refusal('not_found')
  return found
}
