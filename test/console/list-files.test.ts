// The lists of the console as files: the filtered rows, all of them or with a notice that there are
// more.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCsv, recordsOf } from '../support/csv.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { type SignedIn, signIn } from '../support/operator.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import { openWebhookService } from '../support/webhooks.ts'

const PLACES = [
  'batches',
  'customers',
  'deliveries',
  'disputes',
  'endpoints',
  'events',
  'invoices',
  'links',
  'outbox',
  'requests',
  'schedules',
  'teams',
  'transactions',
  'audit',
] as const

const MOST_ROWS = 10_000

/** No worker makes them. */
const AT_ONCE = { prefer: 'respond-async' }

let service: TestService
let operator: SignedIn
let merchant: Merchant
let customer: string

beforeAll(async () => {
  service = await openWebhookService()
  operator = await signIn(service.world)
  merchant = await service.merchant()
  customer = await made('/customer', {
    firstname: '=1+1',
    company: 'A "B", C',
    email: 'a@b.example',
  })
  await made('/invoice', { total: 7, customer_id: customer })
  await made('/invoice/schedule', { total: 8, customer_id: customer, rule: 'FREQ=MONTHLY' })
  await made('/payment-link', { common_name: 'Coffee', amount: 9 })
  await made('/webhook', { target_url: 'https://shop.example/hook', event: '*' })
  const card = await service.card(merchant)
  await service.charge(merchant, { total: 12.5, payment_method_id: card }, AT_ONCE)
  // A copy of a request is written a moment after its answer.
  const kept = 'SELECT FROM recent_request WHERE account_id = $1'
  await soon(async () => {
    expect((await service.world.db.query(kept, [merchant.accountId])).length).toBeGreaterThan(0)
  })
})
afterAll(() => service.close())

async function made(path: string, body: object): Promise<string> {
  const answer = await call(service.app, 'POST', path, merchant.headers, body)
  expect(`${path} ${answer.status} ${answer.text}`).toMatch(/ 200 /)
  return answer.body.id
}

const get = (url: string, cookie = operator.cookie) =>
  service.app.inject({ url, headers: { cookie, accept: 'text/html' } })

async function file(path: string) {
  const { statusCode, body, headers } = await get(path)
  expect([path, statusCode]).toEqual([path, 200])
  return { body, headers, rows: recordsOf(body) }
}

const downloads = async () =>
  service.world.db.query(
    `SELECT operator, detail FROM deed WHERE deed = 'list downloaded' ORDER BY id`,
  )

describe.each(PLACES)('the file of %s', (place) => {
  it('is linked from its page, named by the day, and recorded in the audit log', async () => {
    const own: Partial<Record<string, string>> = {
      audit: 'operator=Ada',
      teams: `q=${merchant.teamId}`,
    }
    const filter = own[place] ?? `team=${merchant.teamId}`
    const page = await get(`/admin/${place}?${filter}`)
    if (page.body.includes('Download CSV')) {
      const [, path = ''] = new RegExp(`href="(/admin/${place}\\.csv[^"]*)"`).exec(page.body) ?? []
      expect(path.replaceAll('&amp;', '&')).toContain(filter)
      expect(page.body).toMatch(/, up to (10,000|2,000) rows a file/)
    } else expect(['batches', 'disputes', 'outbox']).toContain(place)
    const before = (await downloads()).length
    const { body, headers } = await file(`/admin/${place}.csv`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="${place}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    )
    // Excel tells by the mark that the file is UTF-8.
    expect(body).toMatch(/^\u{feff}[a-z_]+(,[a-z_]+)+\n/u)
    const entries = await downloads()
    expect(entries.slice(before)).toEqual([{ operator: 'Ada', detail: { list: place } }])
  })

  it('is refused with a parameter that its page does not have', async () => {
    const { statusCode, body } = await get(`/admin/${place}.csv?colour=red`)
    expect([statusCode, body]).toEqual([400, expect.stringContaining('“colour” is not a filter')])
  })

  it('is for signed-in operators only', async () => {
    const { body } = await get(`/admin/${place}.csv`, 'none=1')
    expect(body).toContain('Sign in')
  })
})

/** Lists without a file. */
const PAGES_ALONE = ['operators', 'parked', 'workers'] as const

describe.each([...PLACES, ...PAGES_ALONE])('the page of %s', (place) => {
  it('names the parameters that it does not have, and no others', async () => {
    const { body } = await get(`/admin/${place}?colour=red`)
    expect(body).toContain('“colour” is not a filter of this page, so it is off.')
    // The file would be refused.
    expect(body).not.toContain('Download CSV')
    expect((await get(`/admin/${place}`)).body).not.toContain('is not a filter')
  })
})

it.each([
  ['transactions?Status=FAILED', '“Status”', 'status'],
  ['deliveries?stats=failed', '“stats”', 'state'],
  ['teams?Q=x', '“Q”', 'q'],
  ['batches?moth=2026-01', '“moth”', 'month'],
])('the page %s suggests the filter that was meant', async (path, named, meant) => {
  const { body } = await get(`/admin/${path}`)
  expect(body).toMatch(new RegExp(`${named} is not a filter.*Did you mean ${meant}\\?`))
})

it('a page names ten unknown parameters at most', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `colour${n}=red`)
  const { body } = await get(`/admin/transactions?${names.join('&')}`)
  expect(body.match(/is not a filter of this page/g)).toHaveLength(10)
})

describe('a file', () => {
  it('has one value a column, in UTC and in decimals, and no formula', async () => {
    const { rows } = await file(`/admin/customers.csv?team=${merchant.teamId}`)
    const own = rows.find((row) => row.id === customer)
    expect(own).toMatchObject({
      account_id: merchant.accountId,
      mode: 'sandbox',
      firstname: "'=1+1",
      company: 'A "B", C',
      email: 'a@b.example',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const invoices = await file('/admin/invoices.csv')
    expect(invoices.rows[0]).toMatchObject({
      customer_id: customer,
      total: '7.00',
      status: 'DRAFT',
    })
    const charges = await file('/admin/transactions.csv?type=charge')
    expect(charges.rows[0]).toMatchObject({ total: '12.50', type: 'charge', last_four: '1111' })
  })

  it('has no secret, and no page token that the list does not show', async () => {
    const [bill] = await service.world.db.query('SELECT token FROM invoice')
    const [hook] = await service.world.db.query('SELECT secret FROM webhook')
    const [method] = await service.world.db.query('SELECT gateway_token FROM payment_method')
    for (const place of PLACES) {
      const { body } = await file(`/admin/${place}.csv`)
      for (const secret of [bill?.token, hook?.secret, method?.gateway_token]) {
        expect(secret).toMatch(/.{8}/)
        expect([place, body.includes(secret)]).toEqual([place, false])
      }
    }
  })

  it('has the filtered rows, and is refused if a filter is off', async () => {
    const other = await service.merchant()
    await insertDeliveries(service, other.accountId, 3, { status: 'parked', reason: 'refused' })
    await insertDeliveries(service, other.accountId, 2, { status: 'sent' })
    const path = `/admin/deliveries.csv?team=${other.teamId}`
    expect((await file(path)).rows).toHaveLength(5)
    expect((await file(`${path}&state=failed`)).rows.map(({ reason }) => reason)).toEqual([
      'refused',
      'refused',
      'refused',
    ])
    const before = (await downloads()).length
    for (const wrong of [
      '/admin/deliveries.csv?state=lost',
      '/admin/deliveries.csv?team=nobody',
      '/admin/schedules.csv?state=lost',
      '/admin/batches.csv?month=lost',
      '/admin/transactions.csv?from=yesterday',
      '/admin/customers.csv?q=a',
    ]) {
      const { statusCode, body } = await get(wrong)
      expect([wrong, statusCode, body.includes('A filter is not valid')]).toEqual([
        wrong,
        400,
        true,
      ])
    }
    expect(await downloads()).toHaveLength(before)
  })

  it('keeps no card number from a search', async () => {
    await get('/admin/deliveries.csv?recipient=4111111111111111')
    const [last] = (await downloads()).slice(-1)
    expect(JSON.stringify(last)).not.toContain('4111111111111111')
  })

  it('has each row once, part after part, and says where the next part is', {
    timeout: 60_000,
  }, async () => {
    const many = await service.merchant()
    const ids = await insertDeliveries(service, many.accountId, MOST_ROWS + 7)
    const { body } = await file(`/admin/deliveries.csv?team=${many.teamId}`)
    const [head, ...lines] = parseCsv(body)
    const [last] = lines.splice(-1)
    expect(lines).toHaveLength(MOST_ROWS)
    expect(last).toHaveLength(1)
    const [, path = ''] = /The next file: http:\/\/[^/]+(\S+)$/.exec(last?.[0] ?? '') ?? []
    expect(path).toContain('/admin/deliveries.csv?')
    const next = await file(path)
    expect(next.rows).toHaveLength(7)
    const seen = [...lines.map(([id]) => id), ...next.rows.map(({ id }) => id)]
    expect(head?.[0]).toBe('id')
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  it('has all transactions of one account, in the order of its page', async () => {
    const seller = await service.merchant()
    const card = await service.card(seller)
    for (const total of [3, 1, 2]) {
      await service.charge(seller, { total, payment_method_id: card }, AT_ONCE)
    }
    const query = `team=${seller.teamId}&mode=sandbox&sort=total&order=asc`
    const { body } = await get(`/admin/transactions?${query}`)
    expect(body).toMatch(/Download CSV<\/a>, all rows/)
    const path = `/admin/transactions.csv?${query}`
    const { rows } = await file(path)
    expect(rows.map(({ total }) => total)).toEqual(['1.00', '2.00', '3.00'])
    const part = await get(`${path}&page=2`)
    expect([part.statusCode, part.body]).toEqual([
      400,
      expect.stringContaining('leave out the page'),
    ])
  })

  it('looks further back if no index serves the filter', { timeout: 60_000 }, async () => {
    const deep = await service.merchant()
    const [id] = await insertDeliveries(service, deep.accountId, 1, { channel: 'webhook' })
    await insertDeliveries(service, deep.accountId, 20_300)
    const { rows } = await file(`/admin/deliveries.csv?team=${deep.accountId}&channel=webhook`)
    expect(rows.map((row) => row.id)).toEqual([id])
  })
})
