// A charge whose gateway takes longer than its caller waits.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultyGateway } from '../support/faulty-gateway.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const WAIT_MS = 100

const ONCE = { 'idempotency-key': 'pending' }

describe('a charge that takes longer than the wait', () => {
  let service: TestService
  let merchant: Merchant
  let first: Answer
  let card: string

  beforeAll(async () => {
    service = await openTestService({
      settings: { CHARGE_WAIT_MS: String(WAIT_MS) },
      withGateway: (real) => faultyGateway(real, { fault: () => 'slow', slowMs: 600 }),
    })
    merchant = await service.merchant()
    card = await service.card(merchant)
    first = await service.charge(merchant, { total: 5, payment_method_id: card }, ONCE)
  })
  afterAll(() => service.close())

  const get = () => call(service.app, 'GET', `/transaction/${first.body.id}`, merchant.headers)

  const events = () =>
    service.world.db.query(
      'SELECT type, sequence, snapshot FROM event WHERE resource_id = $1 ORDER BY sequence',
      [first.body.id],
    )

  it('has an event that is as new as its answer, for clients that ask for the latest', async () => {
    const [event] = await service.world.db.query(
      `SELECT extract(epoch FROM e.created_at - t.created_at) * 1000 AS later_ms
       FROM event e JOIN transaction t ON t.account_id = e.account_id AND t.id::text = e.resource_id
       WHERE e.resource_id = $1 AND e.sequence = 1`,
      [first.body.id],
    )
    expect(Number(event?.later_ms)).toBeGreaterThan(0)
  })

  it('is answered 200 and PENDING, as GET answers it', async () => {
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      status: 'PENDING',
      success: null,
      is_captured: false,
      is_voidable: false,
      is_refundable: false,
    })
    expect((await get()).body).toEqual(first.body)
  })

  it('has an event with the same content as its answer', async () => {
    expect(await events()).toEqual([
      { type: 'create_transaction', sequence: 1, snapshot: first.body },
    ])
  })

  it('goes on, and its outcome is an update', async () => {
    await expect.poll(async () => (await get()).body.status).toBe('SUCCESS')
    const { body } = await get()
    expect(await events()).toEqual([
      { type: 'create_transaction', sequence: 1, snapshot: first.body },
      { type: 'update_transaction', sequence: 3, snapshot: body },
    ])
  })

  it('is answered with its outcome when the caller asks again', async () => {
    const body = { total: 5, payment_method_id: card }
    const again = await service.charge(merchant, body, ONCE)
    expect([again.status, again.body]).toEqual([200, (await get()).body])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })
})
