// The newest payments of a customer, an invoice or a payment link, and their sums. Both are
// bounded, however many payments there are.

import type { Cents } from '../../core/money.ts'
import { allOf, type Statement, statementOf } from '../../db/terms.ts'
import type { World } from '../../world.ts'
import { HOLDS_MONEY } from '../afterwards/taken-back.ts'
import { hiddenFromPlanner, IS_DECIDED, IS_PENDING, type Owner } from '../lists/listing.ts'
import { type FoundTransaction, transactionsAt } from './transactions-anywhere.ts'

export interface OwnedPayments {
  /** The newest first. */
  readonly rows: readonly FoundTransaction[]
  readonly hasMore: boolean
  /** Undefined if there are too many transactions to add them up at once. */
  readonly sums: PaymentSums | undefined
}

interface PaymentSums {
  /** Payments that succeeded, those that were refunded later included. */
  readonly payments: number
  /** The money that they brought, less refunds and what banks have taken back. */
  readonly received: Cents
}

interface OwnedBy {
  readonly accountId: string
  readonly owner: Owner
  readonly id: string
}

/** With more of them the sums are left out. */
const MOST_SUMMED = 1_000

/** An open authorization brought nothing yet; its captures are transactions of their own. */
const BRINGS = "t.status = 'SUCCESS' AND NOT t.is_voided AND t.type IN ('charge', 'capture')"

/** A refund or a credit by hand has no payment that shows it. */
const IS_RETURNED_BY_HAND =
  "t.type IN ('refund', 'credit') AND t.reference_id IS NULL AND t.status = 'SUCCESS'"

/**
 * What went back to payers beside refunds, less refunds that did not reach them: their payments
 * show these as made. `$1` is the account.
 */
const WENT_BACK = `
  (SELECT coalesce(sum(CASE r.kind WHEN 'refund_failed' THEN -r.amount ELSE r.amount END), 0)
    FROM reversal r JOIN t ON t.id = r.transaction_id
    WHERE r.account_id = $1 AND NOT t.is_voided)
  + (SELECT coalesce(sum(d.amount), 0)
    FROM dispute d JOIN t ON t.id = d.transaction_id
    WHERE d.account_id = $1 AND NOT t.is_voided AND d.${HOLDS_MONEY})`

/** Returns the ids. The index of the owner has the decided ones in this order. */
export function newestOwned({ accountId, owner, id }: OwnedBy, most: number): Statement {
  return statementOf((put) => {
    const account = `t.account_id = ${put(accountId)}`
    const owned = `t.${owner} = ${put(id)}`
    const limit = put(most)
    const pending = allOf([account, IS_PENDING, ...hiddenFromPlanner([owned])])
    return `
      SELECT id FROM (
        (SELECT t.id, t.created_at FROM transaction t WHERE ${allOf([account, owned, IS_DECIDED])}
          ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit})
        UNION ALL
        (SELECT t.id, t.created_at FROM transaction t WHERE ${pending}
          ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit})
      ) t
      ORDER BY created_at DESC, id DESC LIMIT ${limit}`
  })
}

export function sumsOfOwned({ accountId, owner, id }: OwnedBy): Statement {
  return statementOf(
    (put) => `
      WITH t AS (
        SELECT t.* FROM transaction t
        WHERE t.account_id = ${put(accountId)} AND t.${owner} = ${put(id)} AND ${IS_DECIDED}
        ORDER BY t.created_at DESC, t.id DESC LIMIT ${MOST_SUMMED + 1}
      )
      SELECT count(*)::integer AS read,
        (count(*) FILTER (WHERE ${BRINGS}))::integer AS payments,
        coalesce(sum(t.captured - t.refunded) FILTER (WHERE ${BRINGS}), 0)
          - coalesce(sum(t.total) FILTER (WHERE ${IS_RETURNED_BY_HAND}), 0)
          - (${WENT_BACK}) AS received
      FROM t`,
  )
}

export async function paymentsOwned(
  world: World,
  owned: OwnedBy,
  most: number,
): Promise<OwnedPayments> {
  const [newest, summed] = [newestOwned(owned, most + 1), sumsOfOwned(owned)]
  const [ids, [sums]] = await Promise.all([
    world.db.query(newest.text, newest.values),
    world.db.query(summed.text, summed.values),
  ])
  const { accountId } = owned
  const keys = ids.slice(0, most).map(({ id }) => ({ accountId, id: id as string }))
  const isWhole = sums !== undefined && sums.read <= MOST_SUMMED
  return {
    rows: await transactionsAt(world, keys),
    hasMore: ids.length > most,
    sums: isWhole ? { payments: sums.payments, received: BigInt(sums.received) } : undefined,
  }
}
