// What the database itself refuses, whichever program asks. These rows have moved money.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlState } from '../../src/db/failure.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { type MadePayment, makeFinal, makePending, refusalOf } from '../support/payments.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const CHECK_VIOLATION = '23514'
const FOREIGN_KEY_VIOLATION = '23503'

describe('the rules of the database', () => {
  let service: TestService
  let merchant: Merchant
  let other: Merchant
  let made: MadePayment
  let theirs: MadePayment

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    other = await service.merchant()
    made = await makePending(service, merchant)
    theirs = await makePending(service, other)
  })
  afterAll(() => service.close())

  it.each([
    ['refunded = captured + 1', CHECK_VIOLATION],
    ['reserved = captured + 1', CHECK_VIOLATION],
    ['refunded = captured, reserved = 1', CHECK_VIOLATION],
    ['refunded = -1', CHECK_VIOLATION],
    ['reserved = -1', CHECK_VIOLATION],
    ['captured = total + 1', CHECK_VIOLATION],
    ['captured = -1', CHECK_VIOLATION],
    ['refunded = captured', undefined],
    ['reserved = captured', undefined],
    ['refunded = 1, reserved = captured - 1', undefined],
  ])('hold the sums of a batched transaction: %s', async (change, refusal) => {
    const id = await makeFinal(service, merchant, 'SUCCESS')
    await takeIntoBatch(service, [id])
    expect(await refusalOf(service, id, change)).toBe(refusal)
  })

  it.each([
    ['total = 0'],
    ['total = -1'],
    ['total = 10000000000'],
    [`currency = 'EUR'`],
    ['captured = 1'],
    ['owed = NULL'],
    [`owed = 'money'`],
    ['due_at = NULL'],
    ['parked_at = now()'],
    ['deadline_at = NULL'],
    [`status = 'SUCCESS'`],
    [`status = 'FAILED', owed = NULL`],
    [`type = 'refund'`],
    ['reference_id = id'],
  ])(
    'require pending work of a PENDING transaction, and nothing impossible: %s',
    async (change) => {
      const { transaction } = await makePending(service, merchant)
      expect(await refusalOf(service, transaction, change)).toBe(CHECK_VIOLATION)
    },
  )

  it.each([
    ['customer_id', () => theirs.customer],
    ['payment_method_id', () => theirs.card],
    ['account_id', () => other.accountId],
  ] as const)('let no %s point to a row of another account', async (column, id) => {
    const change = `${column} = '${id()}'`
    expect(await refusalOf(service, made.transaction, change)).toBe(FOREIGN_KEY_VIOLATION)
  })

  it('let no payment method belong to the customer of another account', async () => {
    const update = (customer: string) =>
      service.world.db.query('UPDATE payment_method SET customer_id = $1 WHERE id = $2', [
        customer,
        made.card,
      ])
    await expect(update(theirs.customer)).rejects.toSatisfy(
      (error) => sqlState(error) === FOREIGN_KEY_VIOLATION,
    )
    await update(made.customer)
  })

  it('let no refund have a parent in another account', async () => {
    const insert = (parent: string) =>
      service.world.db.query(
        `INSERT INTO transaction (account_id, id, type, method, status, currency, total,
           customer_id, payment_method_id, gateway_name, meta, request_id, reference_id,
           outcome_sequence, created_at, updated_at)
         SELECT account_id, $2, 'refund', method, 'FAILED', currency, total, customer_id,
           payment_method_id, gateway_name, meta, request_id, $3, 1, created_at, updated_at
         FROM transaction WHERE id = $1`,
        [made.transaction, service.world.newId(), parent],
      )
    await expect(insert(theirs.transaction)).rejects.toSatisfy(
      (error) => sqlState(error) === FOREIGN_KEY_VIOLATION,
    )
    await insert(made.transaction)
  })

  it('keep numbers of cards and accounts out of the column for tokens', async () => {
    for (const number of ['4111111111111111', '4111 1111 1111 1111', '9876543210', '']) {
      const change = service.world.db.query(
        'UPDATE payment_method SET gateway_token = $1 WHERE id = $2',
        [number, made.card],
      )
      await expect(change).rejects.toSatisfy((error) => sqlState(error) === CHECK_VIOLATION)
    }
  })
})
