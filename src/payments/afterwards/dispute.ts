// A dispute as statements read and write it, as the API shows it, and the list of them.

import { DISPUTE_STATUSES } from '../../core/dispute.ts'
import { toDecimal } from '../../core/money.ts'
import { orNotFound } from '../../core/or-not-found.ts'
import { columnsOf, type RowKey } from '../../db/columns.ts'
import { declareList } from '../../db/declared-list.ts'
import type { Dispute } from '../../generated/client.ts'
import { declareFields } from '../../resource/declare-fields.ts'
import { Type } from '../../resource/json-schema.ts'
import { answerField } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'

export const DISPUTE = declareFields<Dispute>()({
  id: { shown: answerField.id },
  transaction_id: {
    shown: { ...answerField.id, description: 'The contested payment, which stays as it is.' },
  },
  status: {
    shown: Type.Enum(DISPUTE_STATUSES, {
      description:
        'warning: the bank asks, and has taken no money; warning_closed: that ended without a dispute; needs_response: the bank has taken the money, and you can contest that; under_review: the bank decides; won: the money is yours again; lost: it is not.',
    }),
  },
  reason: { shown: { ...answerField.text, description: "The gateway's own word for it." } },
  amount: {
    shown: {
      ...answerField.amount,
      description: 'Major units. It may be a part of the payment.',
    },
    show: toDecimal,
  },
  currency: { shown: answerField.text },
  gateway_name: { shown: answerField.text },
  gateway_id: {
    shown: { ...answerField.text, description: 'The id that the gateway gave it.' },
  },
  respond_by: {
    shown: {
      ...answerField.timeOrNull,
      description: "Until when you can answer, in the gateway's dashboard; null if you cannot.",
    },
  },
  opened_at: { shown: answerField.time },
  closed_at: { shown: answerField.timeOrNull },
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
})

export const disputeView = (dispute: Dispute) => DISPUTE.view(dispute)

const disputes = columnsOf<Dispute>('Dispute', 'd', ['amount'])

export const {
  list: DISPUTE_COLUMNS,
  read: readDispute,
  insertion: disputeInsertion,
  change: disputeChange,
} = disputes

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

export async function findDispute(world: World, key: RowKey): Promise<Dispute> {
  return orNotFound(await disputes.find(world.db.query, key))
}
