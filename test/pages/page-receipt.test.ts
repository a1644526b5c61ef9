// The receipts of payments on a page: for a payer who gave an address while paying, and for one who
// requests it afterwards.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  MANY_PAYERS,
  newBill,
  newLink,
  newNonce,
  openPage,
  pageTextOf,
  payAt,
  transactionsOf,
} from '../support/pages.ts'
import { messagesOf, outboxOf, sendByItself } from '../support/receipts.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('a receipt', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    merchant = await service.merchant()
  })

  const receipts = async () =>
    (await outboxOf({ service, merchant })).map(({ recipient }) => recipient).sort()

  const sent = (...to: readonly string[]) =>
    soon(async () => {
      await allSent()
      expect(await receipts()).toEqual(to)
    })

  const allSent = async () => {
    const owed = await messagesOf({ service, merchant })
    expect(owed.filter(({ status }) => status === 'pending')).toEqual([])
  }

  const askFor = (path: string, email: string) =>
    service.app.inject({
      method: 'POST',
      url: `${path}/receipt`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email }).toString(),
    })

  it('is automatic for a payer who gave an address, and for no declined payer', async () => {
    const path = await newLink(service, merchant)
    await payAt(service, path, { email: 'no@example.com' }, DECLINED_CARD)
    await payAt(service, path, { email: 'yes@example.com' })
    await sent('yes@example.com')
    const [{ receipt_email_at }] = await transactionsOf(service, merchant)
    expect(receipt_email_at).not.toBeNull()
  })

  it('can be requested on the page by a payer who gave none, once an address', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce, email: '' })
    for (const _ of [1, 2]) {
      const { statusCode, headers } = await askFor(`${path}/${nonce}`, 'later@example.com')
      expect([statusCode, headers.location]).toEqual([303, `${path}/${nonce}?receipt=sent`])
    }
    await sent('later@example.com')
    expect(pageTextOf(await openPage(service, `${path}/${nonce}`))).toContain('on its way')
  })

  it.each(['4111111111111111@example.com', '4111 1111 1111 1111', ''])(
    'does not go to %j, which is stored nowhere',
    async (email) => {
      const path = await newLink(service, merchant)
      const nonce = newNonce()
      await payAt(service, path, { nonce, email: '' })
      const { headers } = await askFor(`${path}/${nonce}`, email)
      expect(headers.location).toBe(`${path}/${nonce}?receipt=refused`)
      const page = pageTextOf(await openPage(service, String(headers.location)))
      expect(page).toContain('Check the e-mail address')
      expect(await receipts()).toEqual([])
    },
  )

  it('goes once to an address that is typed in several spellings', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce, email: '' })
    const spellings = ['Ada@münchen.example', 'ada@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example']
    for (const email of spellings) {
      const { statusCode, headers } = await askFor(`${path}/${nonce}`, email)
      expect([statusCode, headers.location]).toEqual([303, `${path}/${nonce}?receipt=sent`])
    }
    await sent('Ada@münchen.example')
  })

  it('goes to a few addresses, and not to many', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce, email: '' })
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

  it('goes to no more addresses that are named at the same moment', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce, email: '' })
    const emails = Array.from({ length: 12 }, (_, i) => `crowd${i}@example.com`)
    const answers = await Promise.all(emails.map((email) => askFor(`${path}/${nonce}`, email)))
    const places = answers.map(({ headers }) => String(headers.location).split('=')[1])
    expect(places.filter((place) => place === 'sent')).toHaveLength(5)
    expect(places.filter((place) => place === 'refused')).toHaveLength(7)
  })

  it("goes once to a payer whom the account's own setting notifies as well", async () => {
    await sendByItself(service, merchant, ['email'])
    const path = await newLink(service, merchant)
    await payAt(service, path, { email: 'Once@example.com' })
    await sent('Once@example.com')
  })

  it('of a bill goes to its payer, and to its customer if the account is set so', async () => {
    const first = await newBill(service, merchant)
    await payAt(service, first.path, { email: 'assistant@example.com' })
    await sent('assistant@example.com')
    await sendByItself(service, merchant, ['email'])
    const second = await newBill(service, merchant)
    await payAt(service, second.path, { email: 'assistant@example.com' })
    await sent('ada@example.com', 'assistant@example.com', 'assistant@example.com')
    // The payer of a bill need not be its customer.
    const { body } = await call(
      service.app,
      'GET',
      `/customer/${second.customerId}`,
      merchant.headers,
    )
    expect(body).toMatchObject({ firstname: 'Ada', email: 'ada@example.com' })
  })

  it('goes out though the payer has long left when the payment is decided', async () => {
    const path = await newLink(service, merchant, { amount: 763.64 })
    await payAt(service, path, { amount: '763.64', email: 'patient@example.com' })
    await sent('patient@example.com')
  })
})
