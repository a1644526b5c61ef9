// The receipts of what was paid on a page: to who gave an address while paying, and to who asks for
// one afterwards.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'
import {
  DECLINED_CARD,
  MANY_PAYERS,
  newBill,
  newLink,
  newNonce,
  open,
  payAt,
  textOf,
  transactionsOf,
} from '../support/pages.ts'
import { outboxOf, owedBy, sendByItself } from '../support/receipts.ts'

describe('a receipt', () => {
  let house: TestHouse
  let merchant: Merchant

  beforeAll(async () => {
    house = await openTestHouse({ backend: 'postgres', timings: MANY_PAYERS })
  })
  afterAll(() => house.close())
  beforeEach(async () => {
    merchant = await house.merchant()
  })

  const receipts = async () =>
    (await outboxOf({ house, merchant })).map(({ recipient }) => recipient).sort()

  const sent = (...to: readonly string[]) =>
    vi.waitFor(async () => {
      await allSent()
      expect(await receipts()).toEqual(to)
    }, 10_000)

  const allSent = async () => {
    const owed = await owedBy({ house, merchant })
    expect(owed.filter(({ status }) => status === 'pending')).toEqual([])
  }

  const askFor = (path: string, email: string) =>
    house.app.inject({
      method: 'POST',
      url: `${path}/receipt`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email }).toString(),
    })

  it('goes by itself to who gave an address, and to nobody who was declined', async () => {
    const path = await newLink(house, merchant)
    await payAt(house, path, { email: 'no@example.com' }, DECLINED_CARD)
    await payAt(house, path, { email: 'yes@example.com' })
    await sent('yes@example.com')
    const [{ receipt_email_at }] = await transactionsOf(house, merchant)
    expect(receipt_email_at).not.toBeNull()
  })

  it('is asked for on the page by who gave none, once an address', async () => {
    const path = await newLink(house, merchant)
    const nonce = newNonce()
    await payAt(house, path, { nonce, email: '' })
    for (const _ of [1, 2]) {
      const { statusCode, headers } = await askFor(`${path}/${nonce}`, 'later@example.com')
      expect([statusCode, headers.location]).toEqual([303, `${path}/${nonce}?receipt=sent`])
    }
    await sent('later@example.com')
    expect(textOf(await open(house, `${path}/${nonce}`))).toContain('on its way')
  })

  it('goes to a few addresses, not to a crowd', async () => {
    const path = await newLink(house, merchant)
    const nonce = newNonce()
    await payAt(house, path, { nonce, email: '' })
    const places: unknown[] = []
    for (let i = 0; i < 7; i += 1) {
      places.push((await askFor(`${path}/${nonce}`, `crowd${i}@example.com`)).headers.location)
    }
    expect(places.map((place) => String(place).split('=')[1])).toEqual([
      ...Array.from({ length: 5 }, () => 'sent'),
      'refused',
      'refused',
    ])
  })

  it('goes once to who is told by the account’s own switch as well', async () => {
    await sendByItself(house, merchant, ['email'])
    const path = await newLink(house, merchant)
    await payAt(house, path, { email: 'Once@example.com' })
    await sent('Once@example.com')
  })

  it('of a bill goes to who paid it, and to its customer where the account has it so', async () => {
    const first = await newBill(house, merchant)
    await payAt(house, first.path, { email: 'assistant@example.com' })
    await sent('assistant@example.com')
    await sendByItself(house, merchant, ['email'])
    const second = await newBill(house, merchant)
    await payAt(house, second.path, { email: 'assistant@example.com' })
    await sent('ada@example.com', 'assistant@example.com', 'assistant@example.com')
    // Who paid for somebody is not that somebody.
    const { body } = await call(
      house.app,
      'GET',
      `/customer/${second.customerId}`,
      merchant.headers,
    )
    expect(body).toMatchObject({ firstname: 'Ada', email: 'ada@example.com' })
  })

  it('goes out though the payer has long left when the payment is decided', async () => {
    const path = await newLink(house, merchant, { amount: 763.64 })
    await payAt(house, path, { amount: '763.64', email: 'patient@example.com' })
    await sent('patient@example.com')
  })
})
