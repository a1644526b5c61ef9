// Payments in a state of the test's choice, and what the database says to a change of one.

import pg from 'pg'
import { sqlState } from '../../src/db/failure.ts'
import type { Merchant, TestHouse } from './house.ts'

export interface MadePayment {
  readonly card: string
  readonly customer: string
  readonly transaction: string
}

/** In a house without workers it stays PENDING. */
export async function makePending(
  house: TestHouse,
  whose: Merchant,
  charge: { readonly total?: number } = {},
): Promise<MadePayment> {
  const card = await house.card(whose)
  const body = { total: 10, ...charge, payment_method_id: card }
  const answer = await house.charge(whose, body, { prefer: 'respond-async' })
  return { card, customer: answer.body.customer_id, transaction: answer.body.id }
}

export async function makeFinal(
  house: TestHouse,
  whose: Merchant,
  status: 'SUCCESS' | 'FAILED',
  isManual = false,
): Promise<string> {
  const { transaction } = await makePending(house, whose)
  const captured = status === 'SUCCESS' ? 'total' : '0'
  await house.world.db.query(
    `UPDATE transaction SET status = $2::text::transaction_status, captured = ${captured}, owed = NULL,
       due_at = NULL, is_manual = $3, outcome_sequence = 1,
       gateway_name = CASE WHEN $3 THEN NULL ELSE gateway_name END,
       business_date = CASE WHEN $2::text = 'SUCCESS' AND NOT $3 THEN date '2026-03-02' END
     WHERE id = $1`,
    [transaction, status, isManual],
  )
  return transaction
}

/** The SQLSTATE with which the change was refused; undefined where it was made. */
export async function refusalOf(
  house: TestHouse,
  id: string,
  change: string,
): Promise<string | undefined> {
  return sqlState(await errorOf(house, id, change))
}

/** The name of the rule by which the change was refused; undefined where it was made. */
export async function ruleAgainst(
  house: TestHouse,
  id: string,
  change: string,
): Promise<string | undefined> {
  const error = await errorOf(house, id, change)
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/** A refusal that left something changed is an error of another kind. */
async function errorOf(house: TestHouse, id: string, change: string): Promise<unknown> {
  const before = await rowOf(house, id)
  try {
    await house.world.db.query(`UPDATE transaction SET ${change} WHERE id = $1`, [id])
    return undefined
  } catch (error) {
    if ((await rowOf(house, id)) !== before) throw new Error('refused, and changed all the same')
    return error
  }
}

export async function rowOf(house: TestHouse, id: string): Promise<string | undefined> {
  const sql = 'SELECT t::text AS row FROM transaction t WHERE id = $1'
  const [found] = await house.world.db.query(sql, [id])
  return found?.row
}
