// Split Funding: how a payment's money is divided, as the charge said.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFinal } from '../support/payments.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
const AT_ONCE = { prefer: 'respond-async' }

describe('the funding instructions of a transaction', () => {
  let service: TestService
  let enrolled: Merchant
  let card: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    enrolled = await service.merchant()
    await setTeam(service.world, enrolled.teamId, ['split_funding_enabled=true'])
    card = await service.card(enrolled)
  })
  afterAll(() => service.close())

  const charge = (body: object, headers: Record<string, string> = {}) =>
    service.charge(enrolled, { payment_method_id: card, ...body }, { ...AT_ONCE, ...headers })

  const fundingOf = (id: string, whose = enrolled) =>
    call(service.app, 'GET', `/transaction/${id}/funding`, whose.headers)

  it('are answered as they were sent', async () => {
    const funding = [
      { account_id: 'acct-1', amount: '0.20', memo: 'rent' },
      { account_id: 'acct-2', amount: 0.1, memo: null },
      { account_id: 'acct-1', amount: '12' },
    ]
    const made = await charge({ total: 12.3, funding })
    expect(`${made.status} ${made.text}`).toMatch(/^202 /)
    const { status, body } = await fundingOf(made.body.id)
    expect([status, body]).toEqual([
      200,
      [
        { account_id: 'acct-1', amount: 0.2, memo: 'rent' },
        { account_id: 'acct-2', amount: 0.1, memo: null },
        { account_id: 'acct-1', amount: 12, memo: null },
      ],
    ])
  })

  it('are an empty list if none were sent', async () => {
    const { body } = await charge({ total: 5 })
    expect(await fundingOf(body.id)).toMatchObject({ status: 200, body: [] })
  })

  it('belong to the request that a key stands for', async () => {
    const key = { 'idempotency-key': 'split' }
    const of = (...amounts: readonly unknown[]) => ({
      total: 5,
      funding: amounts.map((amount, i) => ({ account_id: `acct-${i}`, amount })),
    })
    const first = await charge(of(2, 3), key)
    expect((await charge(of('2.00', 3), key)).body.id).toBe(first.body.id)
    expectRefusal(await charge(of(3, 2), key), 409, 'idempotency_conflict', ['funding'])
  })

  it.each<[what: string, body: object, fields: readonly string[]]>([
    ['too little', { funding: [{ account_id: 'a', amount: 4.99 }] }, ['funding']],
    ['too much', { funding: [{ account_id: 'a', amount: 5.01 }] }, ['funding']],
    ['no account', { funding: [{ amount: 5 }] }, ['funding.0.account_id']],
    [
      'an account without a name',
      { funding: [{ account_id: '', amount: 5 }] },
      ['funding.0.account_id'],
    ],
    ['no amount', { funding: [{ account_id: 'a' }] }, ['funding.0.amount']],
    ['less than nothing', { funding: [{ account_id: 'a', amount: -5 }] }, ['funding.0.amount']],
    ['half a cent', { funding: [{ account_id: 'a', amount: 4.995 }] }, ['funding.0.amount']],
    ['no list', { funding: { account_id: 'a', amount: 5 } }, ['funding']],
  ])('that name %s are refused', async (_, body, fields) => {
    expectRefusal(await charge({ total: 5, ...body }), 400, 'invalid_request', fields)
  })

  it('require an enrolled team, to be sent and to be read', async () => {
    const merchant = await service.merchant()
    const body = {
      total: 5,
      payment_method_id: await service.card(merchant),
      funding: [{ account_id: 'a', amount: 5 }],
    }
    const sent = await service.charge(merchant, body, AT_ONCE)
    expectRefusal(sent, 403, 'split_funding_not_enabled')
    const id = await makeFinal(service, merchant, 'SUCCESS')
    expectRefusal(await fundingOf(id, merchant), 403, 'split_funding_not_enabled')
    await setTeam(service.world, merchant.teamId, ['split_funding_enabled=true'])
    expect(await fundingOf(id, merchant)).toMatchObject({ status: 200, body: [] })
  })

  it('are visible to their account only, and not found for an unknown id', async () => {
    const id = await makeFinal(service, await service.merchant(), 'SUCCESS')
    const foreign = await fundingOf(id)
    expectRefusal(foreign, 404, 'not_found')
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(await fundingOf(UNKNOWN)))
    expectRefusal(await fundingOf('x'), 400, 'invalid_id', ['id'])
  })
})
