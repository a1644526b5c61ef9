// The search of every page: any printed id or address opens its page, in any account.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { teamPath } from '../../src/console/paths.ts'
import { referenceOf } from '../../src/core/reference.ts'
import { type SignedIn, see, signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('the search', () => {
  let service: TestService
  let operator: SignedIn
  let merchant: Merchant
  let customer: { readonly id: string }
  let charge: { readonly id: string }
  let requestId: string
  let invoice: { readonly id: string; readonly url: string }
  let link: { readonly id: string; readonly url: string }
  let schedule: { readonly id: string }

  beforeAll(async () => {
    service = await openTestService({ queues: ['charge'] })
    operator = await signIn(service.world)
    await service.merchant()
    merchant = await service.merchant()
    const post = async (path: string, body: object) =>
      (await call(service.app, 'POST', path, merchant.headers, body)).body
    customer = await post('/customer', { firstname: 'Ada' })
    const card = await service.card(merchant)
    const answer = await service.charge(merchant, { total: 5, payment_method_id: card })
    charge = answer.body
    requestId = String(answer.headers['x-request-id'])
    const bill = { total: 7, customer_id: customer.id }
    invoice = await post('/invoice', bill)
    link = await post('/payment-link', { common_name: 'Coffee' })
    schedule = await post('/invoice/schedule', { ...bill, rule: 'FREQ=MONTHLY' })
  })
  afterAll(() => service.close())

  const find = (q: string) => see(service.app, `/admin/search?q=${encodeURIComponent(q)}`, operator)
  const ledTo = async (q: string) => (await find(q)).headers.location

  it('opens a request by the id that its caller chose, even if it made no payment', async () => {
    const headers = (id: string) => ({ ...merchant.headers, 'x-request-id': id })
    const body = { total: 6, payment_method_id: await service.card(merchant) }
    const paid = await call(service.app, 'POST', '/charge', headers('order-17.b'), body)
    await call(service.app, 'POST', '/customer', headers('signup-9'), { firstname: 'Grace' })
    const path = `/admin/transactions/${merchant.accountId}/${paid.body.id}`
    // Requests are written once a second.
    await expect.poll(() => ledTo('order-17.b')).toBe(path)
    const event = new RegExp(`^/admin/events/${merchant.accountId}/`)
    await expect.poll(() => ledTo('signup-9')).toMatch(event)
    // Another team chose the same id half a day before.
    const other = await service.merchant()
    const theirs = { ...other.headers, 'x-request-id': 'order-17.b' }
    await call(service.app, 'GET', '/self', theirs)
    const moved = `UPDATE recent_request SET at = at - interval '12 hours' WHERE account_id = $1`
    const isMoved = `SELECT at FROM recent_request
      WHERE account_id = $1 AND at < $2::timestamptz - interval '1 hour'`
    await expect
      .poll(async () => {
        await service.world.db.query(moved, [other.accountId])
        return service.world.db.query(isMoved, [other.accountId, new Date()])
      })
      .not.toEqual([])
    expect(await ledTo('order-17.b')).toBe(path)
    const hex = 'c0ffee00c0ffee00c0ffee00c0ffee00'
    await call(service.app, 'POST', '/customer', headers(hex), { firstname: 'Mary' })
    await expect.poll(() => ledTo(hex)).toMatch(event)
    await call(service.app, 'POST', '/charge', headers('refused-1'), {})
    const refused = '/admin/requests?request=refused-1'
    await expect.poll(() => ledTo('refused-1')).toBe(refused)
    expect(await ledTo('no-such-request')).toBe('/admin/transactions?q=no-such-request')
  })

  it('opens a payment by its receipt number, its id or its request', async () => {
    const path = `/admin/transactions/${merchant.accountId}/${charge.id}`
    const reference = referenceOf(charge.id)
    const bare = charge.id.replaceAll('-', '')
    const printed = [
      reference,
      reference.toLowerCase(),
      `#${reference}`,
      charge.id,
      charge.id.toUpperCase(),
      `# ${charge.id}`,
      bare,
    ]
    const labelled = ['Receipt no. ', 'Invoice ', 'Reçu n° ', 'Receipt: ', 'Factura #']
    for (const q of [...printed, ...labelled.map((label) => label + reference)]) {
      expect([q, await ledTo(q)]).toEqual([q, path])
    }
    expect(await ledTo(requestId)).toBe(path)
    expect((await see(service.app, path, operator)).statusCode).toBe(200)
  })

  it('opens a key by its beginning, and keeps no secret of one in an address', async () => {
    const page = new RegExp(`^/admin/teams/${merchant.teamId}/keys/`)
    const { key } = merchant
    for (const q of [key.slice(0, 17), key, `${key.slice(0, 17)}…`]) {
      expect([q, await ledTo(q)]).toEqual([q, expect.stringMatching(page)])
    }
    const unknown = `sk_live_${'x'.repeat(43)}`
    expect(await ledTo(unknown)).toBe('/admin/transactions?q=sk_live_xxxxxx')
  })

  it('opens the team of an account', async () => {
    expect(await ledTo(referenceOf(merchant.accountId))).toBe(`/admin/teams/${merchant.teamId}`)
  })

  it('opens a schedule, a bill or a customer', async () => {
    const { accountId } = merchant
    expect(await ledTo(referenceOf(schedule.id))).toBe(
      `/admin/schedules/${accountId}/${schedule.id}`,
    )
    expect(await ledTo(referenceOf(invoice.id))).toBe(`/admin/invoices/${accountId}/${invoice.id}`)
    expect(await ledTo(referenceOf(customer.id))).toBe(
      `/admin/customers/${accountId}/${customer.id}`,
    )
  })

  it('opens a payer’s page by its address, or by the name in it', async () => {
    const { accountId } = merchant
    const names = [link.url, link.id, link.id.toUpperCase(), `${link.url}/0abc?lang=fr`]
    for (const name of names) expect(await ledTo(name)).toBe(`/admin/links/${accountId}/${link.id}`)
    const token = invoice.url.split('/').at(-1) ?? ''
    for (const name of [invoice.url, token]) {
      expect(await ledTo(name)).toBe(`/admin/invoices/${accountId}/${invoice.id}`)
    }
  })

  it('shows both if two share the value', async () => {
    const [twin] = await service.world.db.query(
      `INSERT INTO customer SELECT (jsonb_populate_record(c, jsonb_build_object('id', $2::text))).*
       FROM customer c WHERE id = $1 RETURNING id`,
      [customer.id, `${customer.id.slice(0, -4)}0001`],
    )
    const { statusCode, body } = await find(referenceOf(customer.id))
    expect(statusCode).toBe(200)
    for (const id of [customer.id, String(twin?.id)]) expect(body).toContain(`/${id}"`)
  })

  it.each([
    'Ada',
    'order-77',
    '0123456789abcdef0123456789abcdef',
    'http://shop.example/pay/coffee',
    '06A1YABW0000',
    '01941f29-7c00-7000-8000-5f1b0f9be2a9',
    'ffffffff-ffff-7fff-bfff-ffffffffffff',
    '<b>',
  ])('looks for %s among the transactions if it opens nothing', async (q) =>
    expect(await ledTo(q)).toBe(`/admin/transactions?${new URLSearchParams({ q })}`),
  )

  it.each([
    ['763.63', ['amount=763.63']],
    ['$1,250', ['amount=%241%2C250']],
    ['1111', ['amount=1111', 'last_four=1111']],
    ['Nobody', []],
    ['11112222', ['amount=11112222']],
  ])('of %s leads on to the fields that may be meant', async (q, fields) => {
    const { body } = await see(service.app, (await ledTo(q)) ?? '', operator)
    expect(body).toContain('Nothing matches.')
    const links = [
      ...body.matchAll(/href="\/admin\/transactions\?([^"]*(?:amount|last_four)=[^"]*)"/g),
    ]
    expect(links.map(([, query]) => query)).toEqual(fields)
  })

  it('leads on within the other filters, also if digits match something else', async () => {
    const shown = async (query: string) =>
      (await see(service.app, `/admin/transactions?${query}`, operator)).body
    const team = `team=${merchant.teamId}`
    expect(await shown(`${team}&q=763.63`)).toContain(`?${team}&amp;amount=763.63"`)
    const paid = { total: 5, payment_method_id: await service.card(merchant) }
    await service.charge(merchant, paid, { 'idempotency-key': '7777' })
    const found = await shown('q=7777')
    expect(found).not.toContain('Nothing matches.')
    expect(found).toContain('last_four=7777')
    const ordered = { ...paid, meta: { poNumber: 'PO 2024/17' } }
    const { body } = await service.charge(merchant, ordered)
    expect(await shown('q=po+2024/17')).toContain(body.id)
    expect(await shown(`q=${charge.id}`)).not.toContain('Only payments were searched')
  })

  it('of a merchant’s name leads on to the team', async () => {
    const { name } = await service.world.db.prisma.team.findUniqueOrThrow({
      where: { id: merchant.teamId },
    })
    const { body } = await see(service.app, `/admin/transactions?q=${name}`, operator)
    const [, path = ''] = /href="([^"]+)">teams with that name</.exec(body) ?? []
    expect((await see(service.app, path, operator)).body).toContain(teamPath(merchant.teamId))
  })

  it('has a box on every page, and an empty one opens the list', async () => {
    const { body } = await see(service.app, '/admin/audit', operator)
    expect(body).toContain('action="/admin/search"')
    expect((await see(service.app, '/admin/search', operator)).headers.location).toBe(
      '/admin/transactions',
    )
  })
})
