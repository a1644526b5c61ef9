// What the database itself refuses, whichever program asks. These rows have moved money.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlState } from '../../src/db/failure.ts'
import { makeFinal, makePending, refusalOf, rowOf } from '../support/payments.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const CHECK_VIOLATION = '23514'

describe('the database', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

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
      expect(await refusalOf(service, await makeFinal(service, merchant, status), change)).toBe(
        CHECK_VIOLATION,
      )
    })

    it.each([
      `meta = '{"a": 1}'`,
      `message = 'noted'`,
      'receipt_email_at = now()',
      'updated_at = now()',
    ])('can be changed by: %s, as a control', async (change) => {
      expect(
        await refusalOf(service, await makeFinal(service, merchant, status), change),
      ).toBeUndefined()
    })

    it('cannot be given another customer or payment method of the same account', async () => {
      const id = await makeFinal(service, merchant, status)
      const to = await makePending(service, merchant)
      expect(await refusalOf(service, id, `customer_id = '${to.customer}'`)).toBe(CHECK_VIOLATION)
      expect(await refusalOf(service, id, `payment_method_id = '${to.card}'`)).toBe(CHECK_VIOLATION)
    })

    it('recorded by hand can get another customer, and no other outcome', async () => {
      const id = await makeFinal(service, merchant, status, true)
      const to = await makePending(service, merchant)
      expect(await refusalOf(service, id, `total = total + 1`)).toBeUndefined()
      expect(await refusalOf(service, id, `customer_id = '${to.customer}'`)).toBeUndefined()
      expect(await refusalOf(service, id, `status = '${opposite}', captured = 0`)).toBe(
        CHECK_VIOLATION,
      )
      expect(await refusalOf(service, id, 'is_manual = false')).toBe(CHECK_VIOLATION)
    })

    it('cannot be deleted', async () => {
      const id = await makeFinal(service, merchant, status)
      const deletion = service.world.db.query('DELETE FROM transaction WHERE id = $1', [id])
      await expect(deletion).rejects.toSatisfy((error) => sqlState(error) === CHECK_VIOLATION)
      expect(await rowOf(service, id)).toBeDefined()
    })

    it('keeps its outcome if the write comes through Prisma', async () => {
      const id = await makeFinal(service, merchant, status)
      const change = service.world.db.prisma.transaction.updateMany({
        where: { accountId: merchant.accountId, id },
        data: { status: opposite, captured: 0n },
      })
      await expect(change).rejects.toSatisfy((error) => sqlState(error) === CHECK_VIOLATION)
    })
  })
})
