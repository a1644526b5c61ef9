// Cash and check are built-in payment methods of the account, the same for each payment.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('the built-in payment methods', () => {
  let service: TestService

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
  })
  afterAll(() => service.close())

  const customerOf = async ({ headers }: Merchant): Promise<string> =>
    (await call(service.app, 'POST', '/customer', headers, { firstname: 'Ada' })).body.id

  const paidBy = async (whose: Merchant, method: string, customer_id: string): Promise<string> => {
    const body = { total: 5, type: 'charge', method, customer_id }
    const answer = await call(service.app, 'POST', '/transaction', whose.headers, body)
    expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
    return answer.body.payment_method.id
  }

  const rowsOf = async ({ accountId }: Merchant) => {
    const sql = `SELECT method, customer_id, gateway_token FROM payment_method
      WHERE account_id = $1 AND method IN ('cash', 'check') ORDER BY method`
    return service.world.db.query(sql, [accountId])
  }

  it('are one of each kind, whichever customer pays', async () => {
    const merchant = await service.merchant()
    const [ada, grace] = [await customerOf(merchant), await customerOf(merchant)]
    const cash = await paidBy(merchant, 'cash', ada)
    const check = await paidBy(merchant, 'check', ada)
    expect(check).not.toBe(cash)
    expect(await paidBy(merchant, 'cash', grace)).toBe(cash)
    expect(await paidBy(merchant, 'check', grace)).toBe(check)
    expect(await rowsOf(merchant)).toEqual([
      { method: 'cash', customer_id: null, gateway_token: null },
      { method: 'check', customer_id: null, gateway_token: null },
    ])
  })

  it('belong to their account, and need no gateway, in live mode neither', async () => {
    const [one, other] = [await service.merchant('live'), await service.merchant()]
    const cash = await paidBy(one, 'cash', await customerOf(one))
    expect(await paidBy(other, 'cash', await customerOf(other))).not.toBe(cash)
  })

  it('are made once, however many requests need them first at the same moment', async () => {
    const merchant = await service.merchant()
    const ada = await customerOf(merchant)
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) => paidBy(merchant, i % 2 === 0 ? 'cash' : 'check', ada)),
    )
    expect(new Set(ids.filter((_, i) => i % 2 === 0)).size).toBe(1)
    expect(new Set(ids.filter((_, i) => i % 2 === 1)).size).toBe(1)
    expect(await rowsOf(merchant)).toHaveLength(2)
  })

  it('cannot be charged, since no gateway knows them', async () => {
    const merchant = await service.merchant()
    const cash = await paidBy(merchant, 'cash', await customerOf(merchant))
    const body = { total: 5, payment_method_id: cash }
    const answer = await service.charge(merchant, body, { prefer: 'respond-async' })
    expect([400, 404, 409]).toContain(answer.status)
    expect(answer.body).toHaveProperty('error')
    const sql = 'SELECT 1 FROM transaction WHERE account_id = $1 AND NOT is_manual'
    expect(await service.world.db.query(sql, [merchant.accountId])).toEqual([])
  })
})
