// Disputes and reversals on the console.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { recordsOf } from '../support/csv.ts'
import { insertDispute, insertReversal } from '../support/disputes.ts'
import { type SignedIn, see, seePage, signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const RESPOND_BY = new Date('2026-12-05T23:59:59Z')

let service: TestService
let ada: SignedIn
let merchant: Merchant
let charge: string

beforeAll(async () => {
  service = await openTestService({ queues: ['charge', 'refund'] })
  ada = await signIn(service.world)
  merchant = await service.merchant()
  const card = await service.card(merchant)
  charge = (await service.charge(merchant, { total: 45, payment_method_id: card })).body.id
  const gateway = { gatewayName: 'stripe', gatewayId: 'du_answerable' }
  await insertDispute(service.world, charge, { ...gateway, respondBy: RESPOND_BY })
  const closedAt = new Date()
  const won = { status: 'won', closedAt, respondBy: null, gatewayId: 'du_won' } as const
  await insertDispute(service.world, charge, won)
  await insertReversal(service.world, charge)
})
afterAll(() => service.close())

const page = (path: string) => seePage(service.app, path, ada)

describe('the page of disputes', () => {
  it('says for each what the merchant must do, by when, and where', async () => {
    const { html, text } = await page('/admin/disputes')
    expect(text).toMatch(/\$45\.00 fraudulent needs response Answer by 2026-12-05/)
    expect(text).toMatch(/\$45\.00 fraudulent won Nothing/)
    expect(html).toContain('href="https://dashboard.stripe.com/disputes/du_answerable"')
    expect(html).toContain(`href="/admin/transactions/${merchant.accountId}/${charge}"`)
  })

  it('links to a file with its rows', async () => {
    const { html } = await page('/admin/disputes?status=won')
    expect(html).toContain('href="/admin/disputes.csv?status=won"')
    const { html: file } = await page('/admin/disputes.csv?status=won')
    expect(recordsOf(file)).toMatchObject([
      { transaction_id: charge, amount: '45.00', status: 'won', respond_by: '' },
    ])
  })

  it('is filtered to open ones, to a state, and to a team', async () => {
    expect((await page('/admin/disputes?status=to_answer')).text).not.toContain('Nothing')
    expect((await page('/admin/disputes?status=won')).text).not.toContain('Answer by')
    expect((await page('/admin/disputes?status=x')).text).toContain('is not one of the choices')
    const { teamId } = await service.merchant()
    expect((await page(`/admin/disputes?team=${teamId}`)).text).toContain('Nothing matches.')
  })

  it('is counted in "Needs attention"', async () => {
    const { html, text } = await page('/admin/parked?kind=payment')
    expect(text).toMatch(/ 1 Disputes to answer/)
    expect(html).toContain('href="/admin/disputes?status=to_answer"')
    // The page itself would be empty.
    const { statusCode, headers } = await see(service.app, '/admin/parked', ada)
    expect([statusCode, headers.location]).toEqual([303, '/admin/disputes?status=to_answer'])
  })
})

it('and the history of a transaction show its disputes and reversals', async () => {
  const { text } = await page(`/admin/transactions/${merchant.accountId}/${charge}`)
  expect(text).toMatch(/Dispute of \$45\.00 opened fraudulent du_answerable Answer by 2026-12-05/)
  expect(text).toMatch(/Dispute of \$45\.00: won/)
  expect(text).toMatch(/\$45\.00 was returned by the payer’s bank/)
})

describe('beside the status of a transaction', () => {
  const path = (id: string) => `/admin/transactions/${merchant.accountId}/${id}`

  /** Every link leads to its place in the story. */
  async function marks(id: string): Promise<readonly string[]> {
    const { html } = await page(path(id))
    const [, status = ''] = /<dt>Status<\/dt><dd>(.*?)<\/dd>/s.exec(html) ?? []
    for (const [, to] of status.matchAll(/href="#([^"]+)"/g))
      expect(html).toContain(`<li id="${to}"`)
    return [...status.matchAll(/<a [^>]*><span[^>]*>([^<]+)</g)].map(([, words = '']) => words)
  }

  async function cells(id: string): Promise<string> {
    return (await page(`/admin/transactions?q=${id}`)).text
  }

  it('are open and lost disputes and returned debits, and none that was won', async () => {
    expect(await marks(charge)).toEqual(['Dispute open: $45.00', 'Debit of $45.00 returned'])
    expect(await cells(charge)).toContain('SUCCESS dispute open')
    const [row] = await service.world.db.query(
      'SELECT customer_id FROM transaction WHERE id = $1',
      [charge],
    )
    const customer = await page(`/admin/customers/${merchant.accountId}/${row?.customer_id}`)
    expect(customer.text).toContain('SUCCESS dispute open')
  })

  it('is a refund that failed later, at the payment and at the refund', async () => {
    const card = await service.card(merchant)
    const { id } = (await service.charge(merchant, { total: 45, payment_method_id: card })).body
    expect(await marks(id)).toEqual([])
    await takeIntoBatch(service, [id])
    const { headers } = merchant
    await call(service.app, 'POST', `/transaction/${id}/refund`, headers, { total: 5 })
    const [child] = await service.world.db.query(
      'SELECT id FROM transaction WHERE reference_id = $1',
      [id],
    )
    await insertReversal(service.world, child?.id, 'refund_failed')
    for (const one of [id, child?.id]) expect(await marks(one)).toEqual(['Refund of $5.00 failed'])
    expect((await cells(id)).match(/SUCCESS refund failed/g)).toHaveLength(2)
    await call(service.app, 'POST', `/transaction/${id}/refund`, headers, { total: 40 })
    const { text } = await page(`/admin/transactions/${merchant.accountId}/${id}`)
    expect(text).toContain('Nothing of it is left to refund.')
    expect(text).not.toContain('has been refunded')
  })
})

it('and no refund is offered of what the bank has taken back', async () => {
  const card = await service.card(merchant)
  const lost = (amount: bigint) =>
    ({ status: 'lost', amount, closedAt: new Date(), respondBy: null }) as const
  const one = async (amount: bigint) => {
    const { id } = (await service.charge(merchant, { total: 45, payment_method_id: card })).body
    await takeIntoBatch(service, [id])
    await insertDispute(service.world, id, lost(amount))
    return page(`/admin/transactions/${merchant.accountId}/${id}`)
  }
  const part = await one(5_00n)
  expect(part.text).toContain('Taken back by the bank $5.00')
  expect(part.text).toContain('Up to $40.00 can be refunded.')
  const all = await one(45_00n)
  expect(all.text).toContain('the payer’s bank has taken back $45.00 of it.')
  expect(all.html).not.toContain('>Refund</button>')
})
