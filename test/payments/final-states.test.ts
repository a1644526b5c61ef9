// What the database itself refuses, whoever asks. Money has moved by these rows.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlState } from '../../src/db/failure.ts'
import { type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'

const CHECK_VIOLATION = '23514'

describe('the database', () => {
  let house: TestHouse
  let merchant: Merchant

  interface Made {
    readonly card: string
    readonly customer: string
    readonly transaction: string
  }

  beforeAll(async () => {
    house = await openTestHouse({ queues: [] })
    merchant = await house.merchant()
  })
  afterAll(() => house.close())

  async function makePending(whose: Merchant): Promise<Made> {
    const card = await house.card(whose)
    const body = { total: 10, payment_method_id: card }
    const answer = await house.charge(whose, body, { prefer: 'respond-async' })
    return { card, customer: answer.body.customer_id, transaction: answer.body.id }
  }

  async function makeFinal(status: 'SUCCESS' | 'FAILED', isManual = false): Promise<string> {
    const { transaction } = await makePending(merchant)
    const captured = status === 'SUCCESS' ? 'total' : '0'
    await house.world.db.query(
      `UPDATE transaction SET status = $2, captured = ${captured}, owed = NULL,
         due_at = NULL, is_manual = $3, outcome_sequence = 1
       WHERE id = $1`,
      [transaction, status, isManual],
    )
    return transaction
  }

  /** The SQLSTATE with which the change was refused; undefined where it was made. */
  async function refusalOf(id: string, change: string): Promise<string | undefined> {
    const before = await rowOf(id)
    try {
      await house.world.db.query(`UPDATE transaction SET ${change} WHERE id = $1`, [id])
      return undefined
    } catch (error) {
      expect(await rowOf(id)).toEqual(before)
      return sqlState(error)
    }
  }

  const rowOf = async (id: string) =>
    (await house.world.db.query('SELECT t::text AS row FROM transaction t WHERE id = $1', [id]))[0]

  describe.each(['SUCCESS', 'FAILED'] as const)('a transaction that is %s', (status) => {
    const opposite = status === 'SUCCESS' ? 'FAILED' : 'SUCCESS'
    const unowed = 'owed = NULL, due_at = NULL'

    it.each([
      `status = '${opposite}', captured = 0`,
      `status = 'PENDING', captured = 0, owed = 'charge', due_at = now()`,
      `status = 'PENDING', captured = 0, owed = 'doubt', parked_at = now()`,
      `type = 'pre_auth'`,
      `type = 'credit'`,
      `type = 'refund', reference_id = id`,
      'reference_id = id',
      'total = total + 1',
      'total = total - 1, captured = 0',
      `currency = 'EUR'`,
      `customer_id = '${'0'.repeat(8)}-0000-7000-8000-000000000000'`,
      `payment_method_id = '${'0'.repeat(8)}-0000-7000-8000-000000000000'`,
      `id = '01941f29-7c00-7000-8000-000000000009'`,
      'is_manual = true',
      'outcome_sequence = 2',
      `is_manual = true, total = 1, captured = 0, ${unowed}`,
    ])('cannot be changed by: %s', async (change) => {
      expect(await refusalOf(await makeFinal(status), change)).toBe(CHECK_VIOLATION)
    })

    it.each([
      `meta = '{"a": 1}'`,
      `message = 'noted'`,
      'receipt_email_at = now()',
      'updated_at = now()',
    ])('may be changed by: %s, as a control', async (change) => {
      expect(await refusalOf(await makeFinal(status), change)).toBeUndefined()
    })

    it('cannot be given another customer or payment method of the same account', async () => {
      const id = await makeFinal(status)
      const to = await makePending(merchant)
      expect(await refusalOf(id, `customer_id = '${to.customer}'`)).toBe(CHECK_VIOLATION)
      expect(await refusalOf(id, `payment_method_id = '${to.card}'`)).toBe(CHECK_VIOLATION)
    })

    it('recorded by hand may be given another customer, and no other outcome', async () => {
      const id = await makeFinal(status, true)
      const to = await makePending(merchant)
      expect(await refusalOf(id, `total = total + 1`)).toBeUndefined()
      expect(await refusalOf(id, `customer_id = '${to.customer}'`)).toBeUndefined()
      expect(await refusalOf(id, `status = '${opposite}', captured = 0`)).toBe(CHECK_VIOLATION)
      expect(await refusalOf(id, 'is_manual = false')).toBe(CHECK_VIOLATION)
    })

    it('cannot be deleted', async () => {
      const id = await makeFinal(status)
      const deletion = house.world.db.query('DELETE FROM transaction WHERE id = $1', [id])
      await expect(deletion).rejects.toSatisfy((error) => sqlState(error) === CHECK_VIOLATION)
      expect(await rowOf(id)).toBeDefined()
    })

    it('keeps its outcome when it is written through Prisma as well', async () => {
      const id = await makeFinal(status)
      const change = house.world.db.prisma.transaction.updateMany({
        where: { accountId: merchant.accountId, id },
        data: { status: opposite, captured: 0n },
      })
      await expect(change).rejects.toSatisfy((error) => sqlState(error) === CHECK_VIOLATION)
    })
  })
})
