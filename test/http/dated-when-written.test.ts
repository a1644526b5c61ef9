// A change that waits for another one of the same row is dated when it is written. Otherwise its
// event would be older than the one before it, and a client that asks for the events since its last
// look would miss it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { holdLock } from '../support/hold-lock.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { changeCustomer, EMAIL } from '../support/receipts.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const NEWEST = `
  SELECT created_at, snapshot->>'updated_at' AS updated_at, type FROM event
  WHERE account_id = $1 AND resource_id = $2 ORDER BY sequence DESC LIMIT 1`

interface Change {
  /** The table of the row for which it waits. */
  readonly table: 'transaction' | 'customer'
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** The resource of its event. */
  readonly id: string
  readonly heldId: string
}

describe('a change that has waited for its row is dated when it is written', () => {
  let clock: MovableClock
  let service: TestService
  let api: PaymentsApi

  beforeAll(async () => {
    clock = movableClock()
    service = await openTestService({ clock, backend: 'postgres' })
    api = await newPaymentsApi(service)
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    call(service.app, method, path, api.merchant.headers, body)

  async function made(path: string, body: object): Promise<string> {
    const { status, body: answer } = await ask('POST', path, body)
    expect(status).toBe(200)
    return answer.id
  }

  async function receipt(): Promise<Change> {
    await changeCustomer(api, { email: EMAIL })
    const id = await api.paid()
    return {
      table: 'transaction',
      method: 'POST',
      path: `/transaction/${id}/receipt/email`,
      id,
      heldId: id,
    }
  }

  async function byHand(): Promise<Change> {
    const customer_id = await made('/customer', { firstname: 'Ada' })
    const sent = { total: 5, type: 'charge', method: 'cash', customer_id }
    const id = await made('/transaction', sent)
    const body = { total: 6 }
    return { table: 'transaction', method: 'PUT', path: `/transaction/${id}`, body, id, heldId: id }
  }

  async function method(): Promise<Change> {
    const heldId = await made('/customer', { firstname: 'Ada' })
    const id = await made('/payment-method', { ...CARD, customer_id: heldId })
    const body = { nickname: 'the blue one' }
    return { table: 'customer', method: 'PUT', path: `/payment-method/${id}`, body, id, heldId }
  }

  async function deletion(): Promise<Change> {
    const id = await made('/customer', { firstname: 'Ada' })
    return { table: 'customer', method: 'DELETE', path: `/customer/${id}`, id, heldId: id }
  }

  it.each([
    ['a receipt', receipt],
    ['a transaction recorded by hand', byHand],
    ['a payment method', method],
    ['the deletion of a customer', deletion],
  ])('%s', async (_what, prepare) => {
    const change = await prepare()
    const { accountId } = api.merchant
    const sql = `SELECT FROM ${change.table} WHERE account_id = $1 AND id = $2 FOR UPDATE`
    const row = await holdLock(service.databaseUrl, sql, [accountId, change.heldId])
    const answer = ask(change.method, change.path, change.body)
    await row.untilWaiting(1)
    clock.move(MINUTE)
    const released = clock.now()
    await row.release()
    expect((await answer).status).toBe(200)
    const [event] = await service.world.db.query(NEWEST, [accountId, change.id])
    expect(event?.created_at >= released).toBe(true)
    if (change.method === 'DELETE') return
    expect(new Date(event?.updated_at) >= released).toBe(true)
  })
})
