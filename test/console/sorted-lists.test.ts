// Lists of the console in another order than the newest first, by their column heads.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordsOf } from '../support/csv.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { type SignedIn, see, seePage, signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let operator: SignedIn
let merchant: Merchant
let other: Merchant

const AMOUNTS = [30, 10, 20] as const

beforeAll(async () => {
  service = await openTestService({ queues: ['charge'] })
  operator = await signIn(service.world)
  merchant = await service.merchant()
  other = await service.merchant()
  for (const [i, amount] of AMOUNTS.entries()) {
    const whose = i === 1 ? other : merchant
    const names = { firstname: `Payer ${i}`, email: `payer${i}@example.com` }
    const id = await made(whose, '/customer', names)
    await made(whose, '/invoice', { total: amount, customer_id: id })
    await made(whose, '/payment-link', { common_name: `Link ${i}`, amount })
  }
  const card = await service.card(merchant)
  for (const total of AMOUNTS) await service.charge(merchant, { total, payment_method_id: card })
})
afterAll(() => service.close())

async function made(whose: Merchant, path: string, body: object): Promise<string> {
  const answer = await call(service.app, 'POST', path, whose.headers, body)
  expect(`${path} ${answer.status} ${answer.text}`).toMatch(/ 200 /)
  return answer.body.id
}

const page = async (path: string) => (await seePage(service.app, path, operator)).html

const inOrder = (html: string, words: readonly string[]) =>
  words
    .map((word) => [html.indexOf(word), word] as const)
    .filter(([at]) => at >= 0)
    .toSorted(([one], [next]) => one - next)
    .map(([, word]) => word)

/** The heads that sort, each with its order and its link. */
const headsOf = (html: string) =>
  [...html.matchAll(/<th scope="col"([^>]*)><a href="([^"]*)">([^<]*)<\/a>/g)].map(
    ([, sorted = '', path = '', words]) => ({
      words,
      sorted: /aria-sort="(\w+)"/.exec(sorted)?.[1],
      path: path.replaceAll('&amp;', '&'),
    }),
  )

describe.each([
  ['customers', ['Payer 0', 'Payer 1', 'Payer 2']],
  ['invoices', ['$30.00', '$10.00', '$20.00']],
  ['links', ['Link 0', 'Link 1', 'Link 2']],
])('the list of %s, over all teams', (place, oldestFirst) => {
  it('is reversed by its head, and back', async () => {
    const newest = await page(`/admin/${place}`)
    expect(inOrder(newest, oldestFirst)).toEqual(oldestFirst.toReversed())
    const [head] = headsOf(newest)
    expect(head).toMatchObject({ sorted: 'descending' })
    const turned = await page(head?.path ?? '')
    expect(inOrder(turned, oldestFirst)).toEqual(oldestFirst)
    expect(headsOf(turned)).toEqual([{ ...head, sorted: 'ascending', path: `/admin/${place}` }])
  })

  it('is a file in the same order', async () => {
    const ids = async (query: string) =>
      recordsOf(await page(`/admin/${place}.csv${query}`)).map(({ id }) => id)
    const newest = await ids('')
    expect(newest.length).toBeGreaterThanOrEqual(3)
    expect(await ids('?sort=created_at&order=asc')).toEqual(newest.toReversed())
  })
})

describe('the pages of a reversed list', () => {
  it('follow each other, with each row once', async () => {
    const { accountId, teamId } = await service.merchant()
    const ids = await insertDeliveries(service, accountId, 120)
    const seen: string[] = []
    let path = `/admin/deliveries?team=${teamId}&sort=created_at&order=asc`
    for (let pages = 0; path !== ''; pages++) {
      expect(pages).toBeLessThan(4)
      const html = await page(path)
      seen.push(
        ...[...html.matchAll(/\/admin\/deliveries\/[^/"]+\/([^/"]+)"/g)].map(([, id = '']) => id),
      )
      path = (/href="([^"]*)">\s*Next →/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(ids.toSorted())
  })

  it('keep the order when filters change', async () => {
    const html = await page('/admin/deliveries?sort=created_at&order=asc')
    expect(html.includes('<input type="hidden" name="order" value="asc"/>')).toBe(true)
  })
})

describe('transactions', () => {
  const amountsOf = (html: string) => inOrder(html, ['$30.00', '$10.00', '$20.00'])

  it('of one account are sorted by amount, status and time, in both directions', async () => {
    const path = `/admin/transactions?team=${merchant.teamId}&mode=sandbox`
    const plain = await page(path)
    expect(headsOf(plain).map(({ words, sorted }) => [words, sorted])).toEqual([
      ['When (UTC)', 'descending'],
      ['Amount', undefined],
      ['Status', undefined],
    ])
    const byAmount = await page(headsOf(plain)[1]?.path ?? '')
    expect(amountsOf(byAmount)).toEqual(['$30.00', '$20.00', '$10.00'])
    const turned = await page(headsOf(byAmount)[1]?.path ?? '')
    expect(amountsOf(turned)).toEqual(['$10.00', '$20.00', '$30.00'])
    const oldest = await page(`${path}&sort=created_at&order=asc`)
    expect(amountsOf(oldest)).toEqual(['$30.00', '$10.00', '$20.00'])
    const query = `${path.slice('/admin/transactions'.length)}&sort=total&order=asc`
    const file = recordsOf(await page(`/admin/transactions.csv${query}`))
    expect(file.map(({ total }) => total)).toEqual(['10.00', '20.00', '30.00'])
  })

  it('of all accounts are sorted by time alone, and the page says so', async () => {
    const oldest = await page('/admin/transactions?sort=created_at&order=asc')
    expect(amountsOf(oldest)).toEqual(['$30.00', '$10.00', '$20.00'])
    const [row] = await service.world.db.query('SELECT customer_id FROM transaction LIMIT 1')
    for (const way of ['type=charge', 'last_four=1111', `q=${row?.customer_id}`]) {
      const turned = await page(`/admin/transactions?sort=created_at&order=asc&${way}`)
      expect([way, ...amountsOf(turned)]).toEqual([way, '$30.00', '$10.00', '$20.00'])
    }
    const refused = await page('/admin/transactions?sort=total&order=asc')
    expect(amountsOf(refused)).toEqual(['$20.00', '$10.00', '$30.00'])
    expect(refused.includes('can’t be put in that order')).toBe(true)
  })
})

describe('an unknown order', () => {
  it.each([
    ['/admin/customers', 'sort=email'],
    ['/admin/customers', 'sort=created_at&order=up'],
    ['/admin/customers', "sort=created_at'--&order=asc"],
    ['/admin/disputes', 'sort=amount'],
    ['/admin/deliveries', 'channel=sms&sort=created_at&order=asc'],
  ])('%s?%s is ignored: the page says so, and the file is refused', async (path, query) => {
    const html = await page(`${path}?${query}`)
    expect(html.includes('so the newest come first')).toBe(true)
    expect((await see(service.app, `${path}.csv?${query}`, operator)).statusCode).toBe(400)
  })
})
