import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('two accounts', () => {
  let service: TestService
  let mine: Merchant
  let strangers: readonly (readonly [who: string, merchant: Merchant])[]
  let card: string
  let customer: string
  let transaction: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    mine = await service.merchant()
    strangers = [
      ['another team', await service.merchant()],
      ['the live account of the same team', await liveOf(mine)],
    ]
    card = await service.card(mine)
    const prefer = { prefer: 'respond-async', 'idempotency-key': 'mine' }
    const made = await service.charge(mine, { total: 10, payment_method_id: card }, prefer)
    transaction = made.body.id
    customer = made.body.customer_id
  })
  afterAll(() => service.close())

  async function liveOf({ teamId }: Merchant): Promise<Merchant> {
    const { id: accountId } = await service.world.db.prisma.account.findFirstOrThrow({
      where: { teamId, mode: 'live' },
    })
    const { key } = await createKey(service.world, { accountId, mode: 'live', name: 'live' })
    return { teamId, accountId, key, headers: { authorization: `Bearer ${key}` } }
  }

  const get = (whose: Merchant, url: string) => call(service.app, 'GET', url, whose.headers)

  it('can be read with their own keys, as a control', async () => {
    expect((await get(mine, `/transaction/${transaction}`)).status).toBe(200)
    expect((await get(mine, '/customer')).body.total).toBe(1)
    expect((await get(mine, '/payment-method')).body.total).toBe(1)
    expect((await get(mine, `/payment-method?customer_id=${customer}`)).body.total).toBe(1)
  })

  it("do not appear in each other's lists", async () => {
    for (const [who, stranger] of strangers) {
      const lists = [
        '/customer',
        '/customer?firstname=Ada',
        '/customer?keywords=Ada',
        '/payment-method',
        `/payment-method?customer_id=${customer}`,
      ]
      for (const url of lists) {
        const { status, body } = await get(stranger, url)
        expect([who, url, status, body.total, body.data]).toEqual([who, url, 200, 0, []])
      }
    }
  })

  it('answer the same for a foreign transaction as for an unknown one', async () => {
    for (const [, stranger] of strangers) {
      const foreign = await get(stranger, `/transaction/${transaction}`)
      const unknown = await get(stranger, `/transaction/${UNKNOWN}`)
      expectRefusal(foreign, 404, 'not_found')
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
      expect(Object.keys(foreign.headers).sort()).toEqual(Object.keys(unknown.headers).sort())
    }
  })

  it('answer the same for a foreign payment method or customer as for an unknown one', async () => {
    const [[, stranger] = [], [, live] = []] = strangers
    if (stranger === undefined || live === undefined) throw new Error('no strangers')
    const charge = (id: string) => service.charge(stranger, { total: 10, payment_method_id: id })
    expectRefusal(await charge(card), 404, 'not_found', ['payment_method_id'])
    expect(withoutRequestId(await charge(card))).toEqual(withoutRequestId(await charge(UNKNOWN)))
    for (const one of [CARD, BANK]) {
      const add = (id: string) =>
        call(service.app, 'POST', '/payment-method', stranger.headers, { ...one, customer_id: id })
      expectRefusal(await add(customer), 404, 'not_found', ['customer_id'])
      expect(withoutRequestId(await add(customer))).toEqual(withoutRequestId(await add(UNKNOWN)))
    }
    const rows = await service.world.db.query('SELECT 1 FROM transaction WHERE account_id <> $1', [
      mine.accountId,
    ])
    expect(rows).toEqual([])
  })

  it('do not share idempotency keys', async () => {
    const [[, stranger] = []] = strangers
    if (stranger === undefined) throw new Error('no stranger')
    const key = { 'idempotency-key': 'mine', prefer: 'respond-async' }
    const own = await service.card(stranger)
    const answer = await service.charge(stranger, { total: 1, payment_method_id: own }, key)
    expect(answer.status).toBe(202)
    expect(answer.headers).not.toHaveProperty('idempotent-replayed')
  })

  it.each(['customer', 'paymentMethod', 'transaction', 'event'] as const)(
    'are not mixed up by a forgotten account in a query of %s',
    async (model) => {
      const accountId = undefined as unknown as string
      const find = service.world.db.prisma[model] as {
        findMany(query: object): Promise<readonly object[]>
      }
      await expect(find.findMany({ where: { accountId } })).rejects.toThrow(/undefined/)
      const found = await find.findMany({ where: { accountId: mine.accountId } })
      expect(found.length).toBeGreaterThan(0)
    },
  )
})
