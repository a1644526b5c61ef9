// A batch as statements read it, and as the API shows it, in answers and in events.

import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import { columnsOf, type RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { Batch } from '../generated/client.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField } from '../resource/schemas.ts'
import type { World } from '../world.ts'
import { netAfterFees, type Sums, sumsOfDay } from './sums.ts'

export const BATCH_STATUSES = ['open', 'closing', 'closed'] as const

/** Fields of a closed batch and of its deposit. */
export const FEE_FIELDS = {
  fees: {
    shown: {
      ...answerField.amountOrNull,
      description:
        'What the gateway has kept of its sales and refunds, in major units. Null while that is unknown: until paid payouts hold all of them, and where the gateway does not report its payouts. Fees that it charges by themselves, and those of disputes, are not in it.',
    },
    from: ({ fees }: BatchRow) => (fees === null ? null : toDecimal(fees)),
  },
  net_after_fees: {
    shown: {
      ...answerField.amountOrNull,
      description: 'sales − refunds − fees. Null while the fees are unknown.',
    },
    from: (batch: BatchRow) => {
      const net = netAfterFees(batch)
      return net === null ? null : toDecimal(net)
    },
  },
} as const

export const BATCH = declareFields<BatchRow, Sums>()({
  id: { shown: answerField.id },
  business_date: {
    shown: Type.Unsafe<string>({
      type: 'string',
      format: 'date',
      description: "The date of its cutoff, on the account's wall clock.",
    }),
    show: dateText,
  },
  cutoff_at: {
    shown: {
      ...answerField.time,
      description: 'Payments that succeed at this instant or later are not in it.',
    },
  },
  status: {
    shown: Type.Enum(BATCH_STATUSES, {
      description:
        'open: it takes payments that succeed; closing: its cutoff has passed; closed: for good.',
    }),
  },
  count: {
    shown: Type.Integer({ description: 'The number of its sales and refunds.' }),
    from: (_, { count }) => count,
  },
  sales: {
    shown: {
      ...answerField.amount,
      description: 'The sum of its charges and captures, in major units.',
    },
    from: (_, { sales }) => toDecimal(sales),
  },
  refunds: {
    shown: { ...answerField.amount, description: 'The sum of its refunds, in major units.' },
    from: (_, { refunds }) => toDecimal(refunds),
  },
  net: {
    shown: { ...answerField.amount, description: 'sales − refunds.' },
    from: (_, { sales, refunds }) => toDecimal(sales - refunds),
  },
  created_at: { shown: answerField.time },
  closed_at: {
    shown: answerField.timeOrNull,
    // The time of the freeze is shown only once the batch is closed.
    from: ({ status, closedAt }) => (status === 'closed' ? closedAt : null),
  },
  deposit_at: {
    shown: {
      ...answerField.timeOrNull,
      description:
        'When its money arrives, once that is known: by the calendar from its closing on; where the gateway pays out, from its last payout on. Null again if a payout fails.',
    },
  },
  ...FEE_FIELDS,
})

/** A closed batch has its own sums; any other gets live ones. */
export const batchView = (batch: BatchRow, sums: Sums = batch) => BATCH.view(batch, sums)

/** `businessDate` is the midnight of that day in UTC. */
export type BatchRow = Batch

/** The columns for statements that call the table `b`. */
const batches = columnsOf<BatchRow>('Batch', 'b', ['sales', 'refunds', 'fees'])
export const { hold: holdBatch, list: BATCH_COLUMNS, read: readBatch } = batches

export interface FoundBatch {
  readonly row: BatchRow
  readonly sums: Sums
}

/**
 * One batch, with the sums that it would close with now, or has closed with.
 *
 * Also undefined for an open batch without transactions, which its closing deletes.
 */
export async function findBatch(world: World, key: RowKey): Promise<FoundBatch | undefined> {
  const row = await batches.find(world.db.query, key)
  if (row === undefined) return undefined
  const sums = await sumsOfBatch(world.db.query, row)
  return row.status !== 'closed' && sums.count === 0 ? undefined : { row, sums }
}

/** Those that it would close with now, or has closed with. */
export async function sumsOfBatch(query: Query, row: BatchRow): Promise<Sums> {
  if (row.status === 'closed') return row
  return sumsOfDay(query, row.accountId, dateText(row.businessDate))
}
