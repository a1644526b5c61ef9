// A caller that does not want to wait is told that its payment is PENDING, however quick the workers
// are: they hear of the payment only then.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { payableInvoice } from '../support/invoices.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** Long enough for a worker to make a payment that it knows of. */
const PAUSE_MS = 500

let service: TestService
let merchant: Merchant
let card: string

beforeAll(async () => {
  // Without its job no worker would find a payment within the test.
  service = await openTestService({ timings: { nudgeGraceMs: 60_000 } })
  merchant = await service.merchant()
  card = await service.card(merchant)
  readRowsLate()
})
afterAll(() => service.close())

it('a charge', () => staysPending('/charge', { total: 1, payment_method_id: card }))

it('a payment of an invoice', async () => {
  const invoice = await payableInvoice({ service, merchant, card })
  await staysPending(`/invoice/${invoice}/pay`, {})
})

it('a void', async () => {
  const charge = await service.charge(merchant, { total: 1, payment_method_id: card })
  await staysPending(`/transaction/${charge.body.id}/void`, {})
})

async function staysPending(url: string, body: object): Promise<void> {
  const headers = { ...merchant.headers, prefer: 'respond-async' }
  const answer = await call(service.app, 'POST', url, headers, body)
  const seen = [answer.body, ...answer.body.child_transactions].at(-1)
  expect([answer.status, seen.status]).toEqual([202, 'PENDING'])
  await soon(async () => {
    const own = await call(service.app, 'GET', `/transaction/${seen.id}`, merchant.headers)
    expect(own.body.status).toBe('SUCCESS')
  })
}

/** As a busy API server does, after it has written the payment. */
function readRowsLate(): void {
  const { db } = service.world
  const ask = db.ask
  vi.spyOn(db, 'ask').mockImplementation(async (statement, input) => {
    if (statement.name === 'find-transaction') await sleep(PAUSE_MS)
    return ask(statement, input)
  })
}
