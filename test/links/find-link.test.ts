// The facts about a payment link that a charge through it gets.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LinkForCharge, linkForCharge, refusalOfPayment } from '../../src/links/find-link.ts'
import { UNKNOWN_LINK } from '../support/links.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('the link of a charge', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  async function made(body: object): Promise<string> {
    const sent = { common_name: 'A', ...body }
    return (await call(service.app, 'POST', '/payment-link', merchant.headers, sent)).body.id
  }

  const found = (id: string, whose = merchant) => linkForCharge(service.world, whose.accountId, id)

  it.each([
    [{}, { amount: null, isTotalEditable: false, active: true }],
    [
      { amount: 99_999_999.99, active: false },
      { amount: 99_999_999_99n, active: false },
    ],
    [{ link_meta: { isTotalEditable: true } }, { isTotalEditable: true }],
    [{ link_meta: { isTotalEditable: 1 } }, { isTotalEditable: true }],
    [{ link_meta: { isTotalEditable: '1' } }, { isTotalEditable: true }],
    [{ link_meta: { isTotalEditable: false } }, { isTotalEditable: false }],
    [{ link_meta: { isTotalEditable: '0' } }, { isTotalEditable: false }],
    [{ link_meta: { isTotalEditable: null } }, { isTotalEditable: false }],
    [{ link_meta: { nested: { isTotalEditable: true } } }, { isTotalEditable: false }],
  ])('for %j is found with its facts', async (sent, facts) => {
    const id = await made(sent)
    expect(await found(id)).toMatchObject({ id, isDeleted: false, ...facts })
  })

  it('is found though it is deleted, and marked so', async () => {
    const id = await made({ amount: 5 })
    await call(service.app, 'DELETE', `/query/payment-links/${id}`, merchant.headers)
    expect(await found(id)).toMatchObject({ id, isDeleted: true, amount: 500n })
  })

  it('is found among others that are requested at the same moment', async () => {
    const ids = await Promise.all([1, 2, 3].map((amount) => made({ amount })))
    const asked = await Promise.all([...ids, UNKNOWN_LINK].map((id) => found(id)))
    expect(asked.map((link) => link?.amount)).toEqual([100n, 200n, 300n, undefined])
  })

  it("is unknown if it is another account's", async () => {
    const id = await made({})
    expect(await found(id, await service.merchant())).toBeUndefined()
  })
})

describe('a payment through a link', () => {
  const LINK: LinkForCharge = {
    id: UNKNOWN_LINK,
    amount: 1_250n,
    isTotalEditable: false,
    active: true,
    isDeleted: false,
  }

  const faults = (of: LinkForCharge | undefined, total: bigint) => {
    const refusal = refusalOfPayment(of, total)
    const fields = Object.keys(refusal?.faults ?? {})
    return refusal && [refusal.status, refusal.code, ...fields]
  }

  it.each([
    ['its amount', LINK, 1_250n, undefined],
    ['a cent more', LINK, 1_251n, [400, 'invalid_request', 'total']],
    ['a cent less', LINK, 1_249n, [400, 'invalid_request', 'total']],
    ['anything, where the total is editable', { ...LINK, isTotalEditable: true }, 7n, undefined],
    ['anything, where there is no amount', { ...LINK, amount: null }, 7n, undefined],
    ['its amount, inactive', { ...LINK, active: false }, 1_250n, [409, 'payment_link_inactive']],
    ['its amount, deleted', { ...LINK, isDeleted: true }, 1_250n, [409, 'payment_link_deleted']],
    [
      'something else, inactive and deleted',
      { ...LINK, active: false, isDeleted: true },
      7n,
      [409, 'payment_link_deleted'],
    ],
    ['anything, unknown', undefined, 7n, [404, 'not_found', 'payment_link_id']],
  ])('for %s', (_what, link, total, refusal) => {
    expect(faults(link, total)).toEqual(refusal)
  })

  it('names the accepted total in its refusal', () => {
    expect(refusalOfPayment(LINK, 1n)?.message).toBe(
      'total must be 12.5, the amount of the payment link',
    )
  })
})
