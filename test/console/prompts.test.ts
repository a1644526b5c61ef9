// Work that becomes due by an operator's action is done at once, as after a merchant's request. No
// sweep runs here that could do it later.
// here, so nothing else would send it.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendForm, signIn } from '../support/operator.ts'
import { FULL } from '../support/people.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: ['email'] })
  merchant = await service.merchant()
}, 60_000)
afterAll(() => service.close())

it('an invoice that an operator sends is sent at once', async () => {
  const { app, world } = service
  const customer = await call(app, 'POST', '/customer', merchant.headers, FULL)
  const body = { customer_id: customer.body.id, total: 20, meta: {}, url: 'x' }
  const invoice = await call(app, 'POST', '/invoice', merchant.headers, body)
  const path = `/admin/invoices/${merchant.accountId}/${invoice.body.id}/send`
  const form = { key: world.newId(), channel: 'email' }
  expect((await sendForm(app, path, await signIn(world), form)).statusCode).toBe(303)
  const where = { accountId: merchant.accountId, subjectId: invoice.body.id }
  const states = async () => {
    const rows = await world.db.prisma.delivery.findMany({ where, select: { status: true } })
    return new Set(rows.map(({ status }) => status))
  }
  await expect.poll(states).toEqual(new Set(['sent']))
})
