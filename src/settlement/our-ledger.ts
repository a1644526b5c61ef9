// Reads the transactions of a batch, or those with given ids, to compare them with a gateway's
// ledger.

import { BEFORE_ALL_IDS, isId } from '../core/id.ts'
import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import { columnsOf } from '../db/columns.ts'
import type { Row } from '../db/gathered.ts'
import type { Transaction } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch.ts'

const COMPARED = [
  'id',
  'type',
  'status',
  'total',
  'authId',
  'gatewayName',
  'businessDate',
  'voidId',
  'isVoided',
  'createdAt',
] as const

type ComparedColumns = Pick<Transaction, (typeof COMPARED)[number]>

export interface OurTransaction extends ComparedColumns {
  /** The gateway's token of its payment method. */
  readonly gatewayToken: string | null
  /** The gateway could not pay a refund, or that of its void, after it had succeeded. */
  readonly hasFailedLater: boolean
}

const transaction = columnsOf<ComparedColumns>('Transaction', 't', ['total'], COMPARED)

type Day = Pick<BatchRow, 'accountId' | 'businessDate'>

/** Transactions in one statement. */
const PAGE = 1_000

const FIRST = { id: BEFORE_ALL_IDS, createdAt: new Date(0) }

const COLUMNS = `
  ${transaction.list}, (
    SELECT gateway_token FROM payment_method
    WHERE account_id = t.account_id AND id = t.payment_method_id
  ) AS gateway_token, EXISTS (
    SELECT FROM reversal
    WHERE account_id = t.account_id AND transaction_id IN (t.id, t.void_id)
      AND kind = 'refund_failed'
  ) AS has_failed_later`

const IN_BATCH = `
  SELECT ${COLUMNS} FROM transaction t
  WHERE account_id = $1 AND business_date = $2::date AND void_id IS NULL
    AND (created_at, id) > ($3, $4)
  ORDER BY business_date, created_at, id
  LIMIT ${PAGE}`

/**
 * Yields the transactions of the day's batch page by page. For an open batch these are the ones
 * that it would close with now.
 */
export async function* pagesOfDay(
  world: World,
  { accountId, businessDate }: Day,
): AsyncGenerator<readonly OurTransaction[]> {
  let last: Pick<OurTransaction, 'id' | 'createdAt'> | undefined = FIRST
  while (last !== undefined) {
    const values = [accountId, dateText(businessDate), last.createdAt, last.id]
    const page: readonly OurTransaction[] = (await world.db.query(IN_BATCH, values)).map(read)
    if (page.length > 0) yield page
    last = page.length === PAGE ? page.at(-1) : undefined
  }
}

/** True if the transaction is in the day's batch, or would join it. */
export function isOfDay(t: OurTransaction, { businessDate }: Day): boolean {
  return t.voidId === null && t.businessDate?.getTime() === businessDate.getTime()
}

const NAMED = `
  SELECT ${COLUMNS} FROM transaction t WHERE account_id = $1 AND id = ANY($2::uuid[])`

/** A reference that is not an id of ours belongs to an order that this service did not make. */
export async function ourTransactions(
  world: World,
  accountId: string,
  keys: readonly string[],
): Promise<readonly OurTransaction[]> {
  return (await world.db.query(NAMED, [accountId, keys.filter(isId)])).map(read)
}

/** The payment method of a lost order, and what would charge it again. */
export interface OurMethod {
  readonly id: string
  readonly customerId: string | null
  /** The active schedules that charge it. */
  readonly scheduleIds: readonly string[]
  /** The invoices whose failed payment is tried again with it, whatever their schedule does. */
  readonly invoiceIds: readonly string[]
}

/** Named as in `OurMethod`. */
const METHODS = `
  SELECT n.name, m.id, m.customer_id AS "customerId", ARRAY(
    SELECT s.id FROM schedule s
    WHERE s.account_id = m.account_id AND s.payment_method_id = m.id AND s.status = 'active'
  ) AS "scheduleIds", ARRAY(
    SELECT v.id FROM invoice v
    WHERE v.account_id = m.account_id AND v.payment_method_id = m.id AND v.retry_at IS NOT NULL
      AND v.deleted_at IS NULL
  ) AS "invoiceIds"
  FROM payment_method m, unnest(string_to_array(m.gateway_token, ':')) AS n (name)
  WHERE m.account_id = $1 AND n.name = ANY($2::text[])
  ORDER BY m.deleted_at IS NULL, m.id`

/**
 * The payment methods with one of these names at the gateway, by that name. Of several, the last
 * one that is not deleted, which may be charged again.
 */
export async function methodsNamed(
  world: World,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, OurMethod>> {
  const rows = names.length === 0 ? [] : await world.db.query(METHODS, [accountId, names])
  return new Map(rows.map(({ name, ...method }) => [name, method as OurMethod]))
}

export interface AfterwardsNote {
  /** The transaction. */
  readonly id: string
  readonly what: string
}

const AFTERWARDS = `
  SELECT t.id, 'dispute' AS kind, d.status::text AS state, d.amount, d.created_at
  FROM dispute d JOIN transaction t ON t.account_id = d.account_id AND t.id = d.transaction_id
  WHERE d.account_id = $1 AND t.business_date = $2::date
  UNION ALL
  SELECT t.id, 'reversal' AS kind, r.kind::text AS state, r.amount, r.created_at
  FROM reversal r JOIN transaction t ON t.account_id = r.account_id AND t.id = r.transaction_id
  WHERE r.account_id = $1 AND t.business_date = $2::date
  ORDER BY created_at`

/** The disputes and reversals of the day's transactions. */
export async function afterwardsOf(
  world: World,
  { accountId, businessDate }: Day,
): Promise<readonly AfterwardsNote[]> {
  const rows = await world.db.query(AFTERWARDS, [accountId, dateText(businessDate)])
  return rows.map(({ id, kind, state, amount }) => {
    const words = state.replaceAll('_', ' ')
    return { id, what: `a ${kind} of ${toDecimal(BigInt(amount))}: ${words}` }
  })
}

function read(row: Row): OurTransaction {
  const { gateway_token: gatewayToken, has_failed_later: hasFailedLater } = row
  return { ...transaction.read(row), gatewayToken, hasFailedLater }
}
