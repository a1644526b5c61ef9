// The page of a payment link: its content, and the payments that it takes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UNKNOWN_LINK } from '../support/links.ts'
import {
  askPage,
  MANY_PAYERS,
  newLink,
  newNonce,
  openPage,
  PAYER,
  pageTextOf,
  payAt,
  sendJson,
  tokenFor,
  transactionsOf,
} from '../support/pages.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
})
afterAll(() => service.close())

const change = (path: string, body: object) =>
  call(service.app, 'PUT', `/query/payment-links/${path.slice(5)}`, merchant.headers, body)

const remove = (path: string) =>
  call(service.app, 'DELETE', `/query/payment-links/${path.slice(5)}`, merchant.headers)

describe('the page of a link', () => {
  beforeAll(async () => {
    merchant = await service.merchant()
  })

  it('shows the purpose, the merchant, the amount, and that no money moves in the sandbox', async () => {
    const link_meta = { memo: 'A bag of beans' }
    const page = await openPage(
      service,
      await newLink(service, merchant, { amount: 1234.5, link_meta }),
    )
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const words of ['Team ', 'Coffee', 'A bag of beans', '$1,234.50', 'no money moves']) {
      expect(pageTextOf(page)).toContain(words)
    }
  })

  it('shows no characters that reorder its text', async () => {
    const common_name = 'Donation \u202e00.1$ ylno'
    const link_meta = { memo: 'a\u202eb\u2066c' }
    const page = await openPage(
      service,
      await newLink(service, merchant, { common_name, link_meta }),
    )
    expect(page.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(pageTextOf(page)).toContain('Donation 00.1$ ylno')
  })

  it.each([
    ['has no amount', { amount: null }, ' value '],
    ['may be edited', { link_meta: { isTotalEditable: true } }, ' value="10.00" '],
  ])('lets the payer type the amount if the link %s', async (_, body, value) => {
    const path = await newLink(service, merchant, body)
    const { text } = await openPage(service, path)
    expect(/<input[^>]*id="amount"[^>]*>/.exec(text)?.[0]).toContain(value)
    const { body: answer } = await payAt(service, path, { amount: '3,21' })
    expect(answer.state).toBe('approved')
    const [made] = await transactionsOf(service, merchant)
    expect(made.total).toBe(3.21)
  })

  it.each([
    ['is unknown', () => `/pay/${UNKNOWN_LINK}`, 404, 'Nothing to pay here'],
    ['is no link', () => '/pay/coffee', 404, 'Nothing to pay here'],
    ['is inactive', () => newLink(service, merchant, { active: false }), 409, 'Not open'],
  ])('of a link that %s says so', async (_, path, status, words) => {
    const page = await openPage(service, await path())
    expect([page.status, pageTextOf(page)]).toEqual([status, expect.stringContaining(words)])
    expect(page.text).not.toContain('<form')
  })

  it('is gone from the instant at which the link is deleted, also for payers who have it open', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce })
    const token = await tokenFor(service, path)
    await remove(path)
    const page = await openPage(service, path)
    expect([page.status, pageTextOf(page)]).toEqual([410, expect.stringContaining('is gone')])
    const late = await sendJson(service, path, { nonce: newNonce(), token, amount: '10', ...PAYER })
    expect([late.status, late.body.reload]).toEqual([410, true])
    // A payer can still see the outcome of a payment.
    expect((await openPage(service, `${path}/${nonce}`)).status).toBe(200)
    expect((await openPage(service, `${path}/${newNonce()}`)).status).toBe(410)
  })

  it('charges the amount of the link, and no other', async () => {
    const path = await newLink(service, merchant)
    const before = (await transactionsOf(service, merchant)).length
    await change(path, { amount: 12 })
    const { status, body } = await payAt(service, path)
    expect([status, body.reload, body.title]).toEqual([409, true, 'The amount has changed'])
    expect(await transactionsOf(service, merchant)).toHaveLength(before)
  })

  it('makes a customer and a charge that name the link', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    const { status, body } = await payAt(service, path, { nonce })
    expect([status, body]).toEqual([200, { state: 'approved', next: `${path}/${nonce}` }])
    const [made] = await transactionsOf(service, merchant)
    expect(made).toMatchObject({
      status: 'SUCCESS',
      total: 10,
      channel: 'page',
      payment_link_id: path.slice(5),
      last_four: '1111',
      customer: { firstname: 'Grace', lastname: 'Hopper', email: 'grace@example.com' },
      payment_method: { card_type: 'visa', card_exp: '1239', person_name: 'Grace Hopper' },
    })
  })

  it('shows the outcome of a payment, at an address that cannot be guessed', async () => {
    const path = await newLink(service, merchant)
    const [paid, declined] = [newNonce(), newNonce()]
    await payAt(service, path, { nonce: paid })
    await payAt(service, path, { nonce: declined }, DECLINED_CARD)
    const good = pageTextOf(await openPage(service, `${path}/${paid}`))
    for (const words of ['Paid', '$10.00', 'Visa ending in 1111']) expect(good).toContain(words)
    const bad = pageTextOf(await openPage(service, `${path}/${declined}`))
    for (const words of ['did not go through', 'Nothing was charged', '1881', 'Try again']) {
      expect(bad).toContain(words)
    }
    expect((await askPage(service, `${path}/${declined}`)).body).toEqual({ state: 'declined' })
    const other = await newLink(service, merchant)
    expect((await openPage(service, `${other}/${paid}`)).status).toBe(404)
    expect((await askPage(service, `${other}/${paid}`)).body).toEqual({ state: 'unknown' })
  })

  it('says when a payment was canceled later', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce })
    const [{ id }] = await transactionsOf(service, merchant)
    await call(service.app, 'POST', `/transaction/${id}/void`, merchant.headers)
    expect(pageTextOf(await openPage(service, `${path}/${nonce}`))).toContain('Payment canceled')
    // The same request sent again is answered the same.
    expect((await payAt(service, path, { nonce })).body).toMatchObject({ state: 'canceled' })
  })

  it.each([
    ['https://shop.example/thanks?a=1', 303, 'https://shop.example/thanks?a=1'],
    ['', 200, undefined],
    [undefined, 200, undefined],
  ])('sends the payer on to %s once it is paid, and not before', async (address, status, to) => {
    const path = await newLink(service, merchant, { link_meta: { successRedirect: address } })
    const [paid, declined] = [newNonce(), newNonce()]
    await payAt(service, path, { nonce: declined }, DECLINED_CARD)
    expect((await openPage(service, `${path}/${declined}`)).status).toBe(200)
    await payAt(service, path, { nonce: paid })
    const page = await openPage(service, `${path}/${paid}`)
    expect([page.status, page.headers.location]).toEqual([status, to])
  })

  it('sends no payer to an address outside the web, however it came into the row', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce })
    await service.world.db.query('UPDATE payment_link SET link_meta = $2 WHERE id = $1', [
      path.slice(5),
      { successRedirect: 'javascript:alert(1)' },
    ])
    expect((await openPage(service, `${path}/${nonce}`)).status).toBe(200)
  })

  it('with 763.64 says that the payment is in progress, and then that it is paid', async () => {
    const path = await newLink(service, merchant, { amount: 763.64 })
    const nonce = newNonce()
    const { status } = await payAt(service, path, { nonce, amount: '763.64' })
    expect(status).toBe(200)
    const state = async () => (await askPage(service, `${path}/${nonce}`)).body.state
    await expect.poll(state).toBe('approved')
  })

  it.each([
    ['amount', { amount: 'ten' }],
    ['amount', { amount: '0' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(121) }],
    ['name', { name: 'Click https://evil.example' }],
    ['name', { name: 'Win at WWW.evil.example' }],
    ['name', { name: 'evil.example/win' }],
    ['email', { email: 'nowhere' }],
  ])('reports a wrong %s beside its field: %j', async (field, body) => {
    const path = await newLink(service, merchant, { amount: null })
    const { status, body: answer } = await payAt(service, path, body)
    expect([status, Object.keys(answer.faults)]).toEqual([400, [field]])
  })
})

describe('a team that cannot take payments', () => {
  it.each([
    ['status=inactive', 'status=active'],
    ['enabled=false', 'enabled=true'],
  ])('with %s has a page that says so, and no payment comes through it', async (off, on) => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    await payAt(service, path, { nonce })
    await setTeam(service.world, merchant.teamId, [off])
    const page = await openPage(service, path)
    expect([page.status, pageTextOf(page)]).toEqual([
      403,
      expect.stringContaining('cannot take payments'),
    ])
    expect((await payAt(service, path)).status).toBe(403)
    expect((await openPage(service, `${path}/${nonce}`)).status).toBe(200)
    await setTeam(service.world, merchant.teamId, [on])
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
  })

  it('that is live without a gateway has a page that says so', async () => {
    const live = await service.merchant('live')
    const path = await newLink(service, live)
    const page = await openPage(service, path)
    expect([page.status, pageTextOf(page)]).toEqual([
      503,
      expect.stringContaining('has no payment gateway yet'),
    ])
    const card = { link: path.slice(5), card_number: '4111111111111111' }
    expect((await sendJson(service, '/sandbox-gateway/token', card)).status).toBe(503)
    const sent = { nonce: newNonce(), token: 'tok', amount: '10', ...PAYER }
    expect((await sendJson(service, path, sent)).status).toBe(503)
  })
})
