// A worker that finds the row locked comes again soon: otherwise only the sweep would bring the job
// back, and that is much later.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCharge, makeRefund, resolveDoubt } from '../../src/payments/make/make-payment.ts'
import { makePending } from '../support/payments.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const NEVER = new AbortController().signal

describe('a payment whose row is locked', () => {
  let service: TestService
  let merchant: Merchant
  let holder: pg.Client

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    holder = new pg.Client(service.databaseUrl)
    await holder.connect()
  })
  afterAll(async () => {
    await holder.end()
    await service.close()
  })

  async function held(id: string, work: () => Promise<void>): Promise<void> {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM transaction WHERE id = $1 FOR NO KEY UPDATE', [id])
    await work()
    await holder.query('COMMIT')
  }

  async function pending() {
    const { transaction: id } = await makePending(service, merchant)
    return { accountId: merchant.accountId, id }
  }

  async function statusOf(id: string): Promise<string> {
    const [row] = await service.world.db.query('SELECT status FROM transaction WHERE id = $1', [id])
    return row?.status
  }

  it('is left for a moment, and then made', async () => {
    const key = await pending()
    await held(key.id, async () => {
      const verdict = await makeCharge(service.world, key, NEVER)
      expect(verdict).toMatchObject({ kind: 'snooze', work: 'charge' })
    })
    expect(await statusOf(key.id)).toBe('PENDING')
    const verdict = await makeCharge(service.world, key, NEVER)
    expect(verdict).toMatchObject({ kind: 'done', answer: { status: 'SUCCESS' } })
    expect(await statusOf(key.id)).toBe('SUCCESS')
  })

  it('that is in doubt is left for a moment, and then asked about', async () => {
    const key = await pending()
    await service.world.db.query(
      `UPDATE transaction SET owed = 'doubt', due_at = created_at WHERE id = $1`,
      [key.id],
    )
    await held(key.id, async () => {
      const verdict = await resolveDoubt(service.world, key, NEVER)
      expect(verdict).toMatchObject({ kind: 'snooze', work: 'doubt' })
    })
    const verdict = await resolveDoubt(service.world, key, NEVER)
    expect(verdict).toMatchObject({ kind: 'snooze', work: 'charge' })
  })

  it('is not waited for if no work of that kind is due', async () => {
    const key = await pending()
    await held(key.id, async () => {
      expect(await makeRefund(service.world, key, NEVER)).toEqual({ kind: 'done' })
      expect(await resolveDoubt(service.world, key, NEVER)).toEqual({ kind: 'done' })
    })
  })

  it('is left to the worker that has taken it', async () => {
    const key = await pending()
    const verdict = await makeCharge(service.world, key, NEVER)
    expect(verdict).toMatchObject({ kind: 'done', answer: { status: 'SUCCESS' } })
    await held(key.id, async () => {
      expect(await makeCharge(service.world, key, NEVER)).toEqual({ kind: 'done' })
    })
  })
})
