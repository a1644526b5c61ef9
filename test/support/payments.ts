// Payments in a state of the test's choice, and the database's answer to a change of one.

import pg from 'pg'
import { sqlState } from '../../src/db/failure.ts'
import type { Merchant, TestService } from './test-service.ts'

export interface MadePayment {
  readonly card: string
  readonly customer: string
  readonly transaction: string
}

/** Makes a payment that stays PENDING in a service without workers. */
export async function makePending(
  service: TestService,
  whose: Merchant,
  charge: { readonly total?: number } = {},
): Promise<MadePayment> {
  const card = await service.card(whose)
  const body = { total: 10, ...charge, payment_method_id: card }
  const answer = await service.charge(whose, body, { prefer: 'respond-async' })
  return { card, customer: answer.body.customer_id, transaction: answer.body.id }
}

export async function makeFinal(
  service: TestService,
  whose: Merchant,
  status: 'SUCCESS' | 'FAILED',
  isManual = false,
): Promise<string> {
  const { transaction } = await makePending(service, whose)
  const captured = status === 'SUCCESS' ? 'total' : '0'
  await service.world.db.query(
    `UPDATE transaction SET status = $2::text::transaction_status, captured = ${captured}, owed = NULL,
       due_at = NULL, is_manual = $3, outcome_sequence = 1,
       gateway_name = CASE WHEN $3 THEN NULL ELSE gateway_name END,
       business_date = CASE WHEN $2::text = 'SUCCESS' AND NOT $3 THEN date '2026-03-02' END
     WHERE id = $1`,
    [transaction, status, isManual],
  )
  return transaction
}

/** The SQLSTATE of the refusal; undefined if the change was made. */
export async function refusalOf(
  service: TestService,
  id: string,
  change: string,
): Promise<string | undefined> {
  return sqlState(await errorOf(service, id, change))
}

/** The name of the rule that refused the change; undefined if it was made. */
export async function ruleAgainst(
  service: TestService,
  id: string,
  change: string,
): Promise<string | undefined> {
  const error = await errorOf(service, id, change)
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/** A refusal that left something changed is a different error. */
async function errorOf(service: TestService, id: string, change: string): Promise<unknown> {
  const before = await rowOf(service, id)
  try {
    await service.world.db.query(`UPDATE transaction SET ${change} WHERE id = $1`, [id])
    return undefined
  } catch (error) {
    if ((await rowOf(service, id)) !== before) throw new Error('refused, and changed all the same')
    return error
  }
}

export async function rowOf(service: TestService, id: string): Promise<string | undefined> {
  const sql = 'SELECT t::text AS row FROM transaction t WHERE id = $1'
  const [found] = await service.world.db.query(sql, [id])
  return found?.row
}
