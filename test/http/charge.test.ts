// The checks of a charge before it is written.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
const AT_ONCE = { prefer: 'respond-async' }

describe('a request for a charge', () => {
  let service: TestService
  let merchant: Merchant
  let card: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    card = await service.card(merchant)
  })
  afterAll(() => service.close())

  const charge = (body: object) =>
    service.charge(merchant, { total: 12.5, payment_method_id: card, ...body }, AT_ONCE)

  it.each([
    ['payment_method_id', UNKNOWN, 404, 'not_found'],
    ['invoice_id', UNKNOWN, 404, 'not_found'],
    ['payment_link_id', 'a'.repeat(32), 404, 'not_found'],
    ['payment_method_id', 'x', 400, 'invalid_id'],
    ['invoice_id', '1', 400, 'invalid_id'],
    ['payment_link_id', UNKNOWN, 400, 'invalid_id'],
    ['pre_auth', 'yes', 400, 'invalid_request'],
    ['channel', 5, 400, 'invalid_request'],
    ['meta', 'text', 400, 'invalid_request'],
  ])('whose %s is %j is refused', async (field, value, status, code) => {
    expectRefusal(await charge({ [field]: value }), status, code, [field])
  })

  describe('with Split Funding', () => {
    const shares = (...amounts: readonly unknown[]) => ({
      funding: amounts.map((amount, i) => ({ account_id: `acct-${i}`, amount, memo: 'share' })),
    })

    it('needs the team to be enrolled', async () => {
      expectRefusal(await charge(shares(12.5)), 403, 'split_funding_not_enabled')
    })

    it('takes shares that add up to the total, to the cent', async () => {
      const enrolled = await service.merchant()
      await setTeam(service.world, enrolled.teamId, ['split_funding_enabled=true'])
      const payment_method_id = await service.card(enrolled)
      const split = (total: number, ...amounts: readonly unknown[]) =>
        service.charge(enrolled, { total, payment_method_id, ...shares(...amounts) }, AT_ONCE)
      expect((await split(0.3, 0.1, '0.20')).status).toBe(202)
      expect((await split(12.5, 12.5)).status).toBe(202)
      for (const wrong of [await split(0.3, 0.1, 0.1), await split(12.5, 12.5, 0.01)]) {
        expectRefusal(wrong, 400, 'invalid_request', ['funding'])
      }
      expectRefusal(await split(1, 1, 0), 400, 'invalid_request', ['funding.1.amount'])
      expectRefusal(await split(1, 0.5, 'x', -1), 400, 'invalid_request', [
        'funding.1.amount',
        'funding.2.amount',
      ])
    })
  })
})
