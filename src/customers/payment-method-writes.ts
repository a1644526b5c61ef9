// Holds a payment method, and writes one with its event, in a commit.

import type { Asking } from '../accounts/asking.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import { changeOf, insertEvent } from '../events/insert-event.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { World } from '../world.ts'
import { paymentMethodView } from './payment-method-view.ts'

const paymentMethods = columnsOf<PaymentMethod>('PaymentMethod', 'm')

const HOLD = `
  SELECT ${paymentMethods.list} FROM payment_method m
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`

const HOLD_DEFAULT = `
  SELECT ${paymentMethods.list} FROM payment_method m
  WHERE account_id = $1 AND customer_id = $2 AND is_default AND deleted_at IS NULL
  FOR NO KEY UPDATE`

/** Undefined where it is deleted or unknown. */
export async function holdPaymentMethod(
  query: Query,
  { accountId, id }: Pick<PaymentMethod, 'accountId' | 'id'>,
): Promise<PaymentMethod | undefined> {
  const [row] = await query(HOLD, [accountId, id])
  return row && paymentMethods.read(row)
}

/** Of a customer that is held. */
export async function holdDefault(
  query: Query,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<PaymentMethod | undefined> {
  const [row] = await query(HOLD_DEFAULT, [accountId, customerId])
  return row && paymentMethods.read(row)
}

/** False where a unique key has it already: nothing is written then. */
export async function insertPaymentMethod(
  world: World,
  query: Query,
  asking: Asking,
  row: PaymentMethod,
): Promise<boolean> {
  const { text, json } = paymentMethods.insertion
  const inserted = await query(`${text} ON CONFLICT DO NOTHING RETURNING id`, [json(row)])
  if (inserted.length === 0) return false
  await tell(world, query, asking, 'create_payment_method', row)
  return true
}

/** The next version of a payment method that is held. */
export async function updatePaymentMethod(
  world: World,
  query: Query,
  asking: Asking,
  next: PaymentMethod,
): Promise<void> {
  await paymentMethods.update(query, next)
  await tell(world, query, asking, 'update_payment_method', next)
}

const DELETE = `
  UPDATE payment_method SET deleted_at = $3, version = version + 1
  WHERE account_id = $1 AND id = ANY($2)`

/** Of one account. Their rows stay for the transactions that were made of them. */
export async function deletePaymentMethods(
  world: World,
  query: Query,
  asking: Asking,
  held: readonly PaymentMethod[],
): Promise<void> {
  const updatedAt = world.accountNow(asking)
  await query(DELETE, [asking.accountId, held.map(({ id }) => id), updatedAt])
  for (const row of held) {
    // It is told as it was last.
    const deleted = { ...row, version: row.version + 1, updatedAt }
    const view = paymentMethodView(row)
    await insertEvent(world, query, changeOf('delete_payment_method', deleted, view, asking))
  }
}

function tell(
  world: World,
  query: Query,
  asking: Asking,
  type: `${'create' | 'update'}_payment_method`,
  row: PaymentMethod,
): Promise<void> {
  return insertEvent(world, query, changeOf(type, row, paymentMethodView(row), asking))
}
