// Customers on the console: the list over all accounts, and the page of one customer.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignedIn, see, seePage, signIn } from '../support/operator.ts'
import { FULL } from '../support/people.ts'
import {
  call,
  GOOD_CARD,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

let service: TestService
let operator: SignedIn
let merchant: Merchant
let other: Merchant
let ada: string
let grace: string
let charge: string

beforeAll(async () => {
  service = await openTestService({ queues: ['charge'] })
  operator = await signIn(service.world)
  merchant = await service.merchant()
  other = await service.merchant()
  ada = await made(merchant, '/customer', FULL)
  grace = await made(other, '/customer', { firstname: 'Grace', email: 'grace@example.com' })
  await made(merchant, '/customer', { company: '<b>Bold & Sons</b>' })
  const card = await made(merchant, '/payment-method', {
    customer_id: ada,
    method: 'card',
    person_name: 'A. Lovelace',
    card_number: GOOD_CARD,
    card_cvv: '123',
    card_exp: '1239',
  })
  charge = (await service.charge(merchant, { total: 45, payment_method_id: card })).body.id
  const bill = { total: 7, customer_id: ada }
  await made(merchant, '/invoice', bill)
  await made(merchant, '/invoice/schedule', { ...bill, rule: 'FREQ=MONTHLY' })
})
afterAll(() => service.close())

async function made(whose: Merchant, path: string, body: object): Promise<string> {
  const answer = await call(service.app, 'POST', path, whose.headers, body)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
  return answer.body.id
}

const page = (path: string) => seePage(service.app, path, operator)

const list = (query: Readonly<Record<string, string>> = {}) =>
  page(`/admin/customers?${new URLSearchParams(query)}`)

const pathOf = (whose: Merchant, id: string) => `/admin/customers/${whose.accountId}/${id}`

describe('the list', () => {
  it('has the newest of all teams first, and links to each', async () => {
    const { html } = await list()
    const [bold, second, first] = ['Bold', 'Grace', 'Ada Lovelace'].map((name) =>
      html.indexOf(name),
    )
    expect(bold).toBeGreaterThan(0)
    expect(second).toBeGreaterThan(bold ?? 0)
    expect(first).toBeGreaterThan(second ?? 0)
    expect(html).toContain(`href="${pathOf(merchant, ada)}"`)
    expect(html).toContain(`href="${pathOf(other, grace)}"`)
  })

  it('finds a phone number however it is written', async () => {
    const own = await service.merchant()
    const id = await made(own, '/customer', { firstname: 'Lin', phone: '(202) 555-0187' })
    for (const q of ['(202) 555-0187', '+1 202-555-0187', '202.555.0187', '2025550187']) {
      expect((await list({ q })).html, q).toContain(pathOf(own, id))
    }
    expect((await list({ q: '(202) 555-0188' })).html).not.toContain(pathOf(own, id))
    const none = await page('/admin/transactions?q=Lin')
    expect(none.html).toContain('href="/admin/customers?q=Lin"')
  })

  it('shows names as text', async () => {
    const { html } = await list()
    expect(html).toContain('&lt;b>Bold &amp; Sons&lt;/b>')
    expect(html).not.toContain('<b>Bold')
  })

  it.each<readonly [string, () => Readonly<Record<string, string>>, boolean, boolean]>([
    ['a part of a name', () => ({ q: 'LOVELA' }), true, false],
    ['an e-mail address, in any case', () => ({ email: 'GRACE@example.com' }), false, true],
    ['a part of an e-mail address', () => ({ q: 'grace@' }), false, true],
    ['a team', () => ({ team: merchant.teamId }), true, false],
    ['an account', () => ({ team: other.accountId }), false, true],
    ['an id', () => ({ q: ada }), true, false],
    ['a name in another team', () => ({ q: 'lovelace', team: other.teamId }), false, false],
    ['a name and another address', () => ({ q: 'lovelace', email: 'x@y.example' }), false, false],
  ])('is narrowed by %s', async (_, query, hasAda, hasGrace) => {
    const { html } = await list(query())
    expect([html.includes(ada), html.includes(grace)]).toEqual([hasAda, hasGrace])
  })

  it('names a filter that is off, beside its field', async () => {
    expect((await list({ q: 'ab' })).text).toContain('Enter at least 3 characters.')
    expect((await list({ team: 'nobody' })).text).toContain('there is no team nobody')
  })

  it('goes on from page to page, and says if a name is too common', async () => {
    const whose = await service.merchant()
    for (let n = 0; n < 205; n += 1) await made(whose, '/customer', { lastname: `Common ${n}` })
    const { text, html } = await list({ team: whose.teamId })
    expect(text).toContain('Showing 50 (more available)')
    const [, older = ''] = /href="([^"]+)">Older/.exec(html) ?? []
    expect((await page(older.replaceAll('&amp;', '&'))).text).toContain('Common 154')
    const common = await list({ q: 'common', team: whose.teamId })
    expect(common.text).toContain('More customers match than were searched.')
    const one = await list({ q: 'common 17', team: whose.teamId })
    expect(one.text).not.toContain('More customers match')
    expect(one.text).toContain('Showing 11')
  })

  it('leaves deleted customers out', async () => {
    const id = await made(merchant, '/customer', { firstname: 'Charles', lastname: 'Gone' })
    await call(service.app, 'DELETE', `/customer/${id}`, merchant.headers)
    for (const query of [{}, { q: 'gone' }]) expect((await list(query)).html).not.toContain(id)
    expect((await page(pathOf(merchant, id))).text).toContain('State deleted')
  })
})

describe('one customer', () => {
  it("shows the contact details, and links to the customer's other records", async () => {
    const { html, text } = await page(pathOf(merchant, ada))
    for (const words of [
      'Analytical Engines',
      'ada@example.com',
      'one@example.com, two@example.com',
      'London LDN SW1Y 4JH',
      'Likes long notes.',
      'Visa ending in 1111',
      '12/39',
      'charge $45.00 SUCCESS',
      'Payments 1',
      'Received, less what went back $45.00',
      'draft $7.00',
      'every month',
      '&quot;tier&quot;: &quot;gold&quot;',
    ]) {
      expect(text).toContain(words)
    }
    expect(html).toContain(`href="/admin/transactions/${merchant.accountId}/${charge}"`)
    expect(html).toContain(`/admin/invoices/new?account=${merchant.accountId}&amp;customer=${ada}`)
  })

  it('has no token and no card number', async () => {
    const [method] = await service.world.db.query(
      'SELECT gateway_token FROM payment_method WHERE customer_id = $1',
      [ada],
    )
    const { html } = await page(pathOf(merchant, ada))
    expect(method?.gateway_token).toMatch(/.{8}/)
    expect(html).not.toContain(method?.gateway_token)
    expect(html).not.toContain(GOOD_CARD)
  })

  it('is linked from the page of a transaction and of a schedule', async () => {
    const [schedule] = await service.world.db.query(
      'SELECT id FROM schedule WHERE customer_id = $1',
      [ada],
    )
    const { accountId } = merchant
    for (const path of [
      `transactions/${accountId}/${charge}`,
      `schedules/${accountId}/${schedule?.id}`,
    ]) {
      expect((await page(`/admin/${path}`)).html).toContain(`href="${pathOf(merchant, ada)}"`)
    }
  })

  it('of another account, or unknown, is not found', async () => {
    for (const path of [
      pathOf(other, ada),
      pathOf(merchant, service.world.newId()),
      pathOf(merchant, 'x'),
      `/admin/customers/x/${ada}`,
    ]) {
      expect((await see(service.app, path, operator)).statusCode).toBe(404)
    }
  })
})
