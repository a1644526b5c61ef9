import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'

describe('a charge', () => {
  let house: TestHouse
  let merchant: Merchant
  let card: string

  beforeAll(async () => {
    house = await openTestHouse()
    merchant = await house.merchant()
    card = await house.card(merchant)
  })
  afterAll(() => house.close())

  it('is answered with its outcome once the gateway has spoken', async () => {
    const { status, body } = await house.charge(merchant, { total: 12.5, payment_method_id: card })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'SUCCESS', success: true, total: 12.5, is_captured: true })
  })
})
