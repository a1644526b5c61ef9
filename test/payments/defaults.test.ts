// A transaction has the same initial values whether a statement names its columns or a row is
// written whole.

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  OWN_COLUMNS,
  readOwn,
  transactionWith,
} from '../../src/payments/transaction/transaction-row.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
})
afterAll(() => service.close())

it('a field of a transaction that was not set has the default of its column', async () => {
  const { db } = service.world
  const paymentMethodId = await service.card(merchant)
  const [payer] = await db.query('SELECT customer_id FROM payment_method WHERE id = $1', [
    paymentMethodId,
  ])
  const at = new Date('2026-03-06T12:00:00Z')
  const said = {
    accountId: merchant.accountId,
    id: service.world.newId(),
    type: 'charge',
    method: 'card',
    status: 'PENDING',
    currency: 'USD',
    total: 1_000n,
    customerId: payer?.customer_id,
    paymentMethodId,
    requestId: 'test',
    meta: {},
    gatewayName: 'sandbox',
    owed: 'charge',
    dueAt: at,
    deadlineAt: at,
    createdAt: at,
    updatedAt: at,
  } as const
  const [written] = await db.query(
    `INSERT INTO transaction AS t (account_id, id, type, method, status, currency, total,
       customer_id, payment_method_id, request_id, meta, gateway_name,
       owed, due_at, deadline_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     RETURNING ${OWN_COLUMNS}`,
    Object.values(said),
  )
  expect(written && readOwn(written)).toEqual(transactionWith(said))
})
