// Addresses that get no messages, or no scheduled bills: operators see and lift that.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type StopReason, stopAddress, stopsOf } from '../../src/deliveries/stopped-addresses.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { type SignedIn, seeAfter, seePage, sendForm, signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const [ADDRESS, COPY] = ['Ada@Example.com', 'books@example.com']

let service: TestService
let operator: SignedIn
let merchant: Merchant
let customer: string
let delivery: string

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
  operator = await signIn(service.world)
})
afterAll(() => service.close())
beforeEach(async () => {
  merchant = await service.merchant()
  const { app } = service
  const body = { firstname: 'Ada', email: ADDRESS, cc_emails: [COPY], phone: '+12025550123' }
  const made = await call(app, 'POST', '/customer', merchant.headers, body)
  expect(`${made.status} ${made.text}`).toMatch(/^200 /)
  customer = made.body.id
  const failed = { status: 'parked', reason: 'suppressed', recipient: ADDRESS } as const
  const [id = ''] = await insertDeliveries(service, merchant.accountId, 1, failed)
  delivery = id
})

const keyOf = (reason: StopReason, address: string = ADDRESS) =>
  ({ accountId: merchant.accountId, channel: 'email', address, reason }) as const

const suppress = (address?: string) =>
  stopAddress(service.world, keyOf('no_such_address', address), 'the server says: 550 5.1.1 <gone>')

const page = async (path: string) => (await seePage(service.app, path, operator)).html

const pages = () => [
  `/admin/customers/${merchant.accountId}/${customer}`,
  `/admin/deliveries/${merchant.accountId}/${delivery}`,
]

const lift = (fields: Readonly<Record<string, string>>, account = merchant.accountId) =>
  sendForm(service.app, `/admin/addresses/${account}/lift`, operator, {
    channel: 'email',
    address: ADDRESS.toLowerCase(),
    customer,
    ...fields,
  })

const left = async () =>
  (await stopsOf(service.world, merchant.accountId, [ADDRESS, COPY])).map(
    ({ address, reason }) => `${address} ${reason}`,
  )

const entries = async () =>
  service.world.db.query(
    `SELECT operator, deed AS action, subject, detail FROM deed WHERE detail ->> 'account' = $1`,
    [merchant.accountId],
  )

describe('a suppressed address', () => {
  it('is shown on the pages of the customer and of the delivery, with the server’s words as text', async () => {
    for (const path of pages()) expect(await page(path)).not.toContain('Stopped addresses')
    await suppress()
    for (const path of pages()) {
      const html = await page(path)
      expect(html).toContain('ada@example.com')
      expect(html).toContain('because it does not exist: the server says: 550 5.1.1 &lt;gone>')
      expect(html).toContain('Send to this address again')
    }
    await suppress(COPY)
    expect(await page(pages()[0] ?? '')).toContain(COPY)
    expect(await page(pages()[1] ?? '')).not.toContain(COPY)
  })

  it('of another account is not shown', async () => {
    const other = await service.merchant()
    const key = { ...keyOf('no_such_address'), accountId: other.accountId }
    await stopAddress(service.world, key, 'no')
    for (const path of pages()) expect(await page(path)).not.toContain('Stopped addresses')
  })

  it('is lifted from both pages, once, and the audit log has it', async () => {
    for (const from of [{ customer }, { customer: '', delivery }]) {
      await suppress()
      const path = pages()[from.customer === '' ? 1 : 0]
      const answer = await lift({ reason: 'no_such_address', ...from })
      expect([answer.statusCode, answer.headers.location]).toEqual([303, path])
      const { first, again } = await seeAfter(service.app, answer, operator)
      expect(first).toContain('Messages go to this address again.')
      expect(again).not.toContain('Stopped addresses')
      expect(await left()).toEqual([])
    }
    const entry = {
      operator: 'Ada',
      action: 'suppression lifted',
      subject: 'ada@example.com',
      detail: { account: merchant.accountId, channel: 'email' },
    }
    expect(await entries()).toEqual([entry, entry])
    expect((await lift({ reason: 'no_such_address' })).statusCode).toBe(400)
    expect(await entries()).toHaveLength(2)
  })

  it('lets its failed delivery be sent again only after it is lifted', async () => {
    const path = `/admin/deliveries/${merchant.accountId}/${delivery}`
    await suppress()
    expect(await page(path)).not.toContain('>Send again<')
    await lift({ reason: 'no_such_address' })
    expect(await page(path)).toContain('>Send again<')
  })
})

describe('an opt-out', () => {
  it('is lifted only with a note, which the audit log keeps', async () => {
    await stopAddress(service.world, keyOf('opted_out'))
    const html = await page(pages()[0] ?? '')
    expect(html).toContain('because its owner opted out')
    expect(html).toContain('Send scheduled bills again')
    for (const note of ['', '   ']) {
      expect((await lift({ reason: 'opted_out', note })).statusCode).toBe(400)
    }
    expect((await lift({ reason: 'opted_out', note: '4111 1111 1111 1111' })).statusCode).toBe(400)
    expect(await left()).toEqual(['ada@example.com opted_out'])
    const note = 'Called on Monday'
    expect((await lift({ reason: 'opted_out', note })).statusCode).toBe(303)
    expect(await left()).toEqual([])
    expect(await entries()).toMatchObject([
      { action: 'opt-out lifted', subject: 'ada@example.com', detail: { note } },
    ])
  })

  it('and a suppression are independent', async () => {
    await suppress()
    await stopAddress(service.world, keyOf('opted_out'))
    await lift({ reason: 'no_such_address' })
    expect(await left()).toEqual(['ada@example.com opted_out'])
  })
})

describe('an incomplete form', () => {
  it.each([
    [{ reason: 'any' }],
    [{ reason: 'no_such_address', channel: 'pigeon' }],
    [{ reason: 'no_such_address', customer: 'x' }],
  ])('%j lifts nothing', async (fields) => {
    await suppress()
    expect((await lift(fields)).statusCode).toBe(400)
    expect(await left()).toEqual(['ada@example.com no_such_address'])
  })

  it('of an unknown account lifts nothing', async () => {
    await suppress()
    const reason = 'no_such_address'
    expect((await lift({ reason }, service.world.newId())).statusCode).toBe(404)
    const other = await service.merchant()
    expect((await lift({ reason }, other.accountId)).statusCode).toBe(400)
    expect(await left()).toEqual(['ada@example.com no_such_address'])
  })
})
