// Each log line, event and message that a request led to has its request id.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import { EMAIL, sendByItself } from '../support/receipts.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const ID = 'order-4711:first'
const START_MS = 60_000

interface Line {
  readonly level: string
  readonly time: string
  readonly pid: number
  readonly msg: string
  readonly request_id?: string
  readonly [name: string]: unknown
}

const written: string[] = []
let service: TestService
let merchant: Merchant
let endpoint: Receiver
let isSilent = false

beforeAll(async () => {
  service = await openTestService({
    log: { write: (line: string) => written.push(line) },
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
    withGateway: silentAtFirst,
  })
  service.world.log.level = 'trace'
  merchant = await service.merchant()
  endpoint = await openReceiver()
  await sendByItself(service, merchant, ['email'])
  const body = { target_url: endpoint.url, event: '*' }
  expect((await call(service.app, 'POST', '/webhook', merchant.headers, body)).status).toBe(200)
  await charge()
}, START_MS)

afterAll(async () => {
  await service.close()
  await endpoint.close()
})

/** Waits until the gateway was asked in vain once, and customer and merchant have been notified. */
async function charge(): Promise<void> {
  const paymentMethodId = await service.card(merchant)
  const [row] = await service.world.db.query('SELECT customer_id FROM payment_method')
  const customer = `/customer/${row?.customer_id}`
  await call(service.app, 'PUT', customer, merchant.headers, { email: EMAIL })
  written.length = 0
  isSilent = true
  const body = { total: 12.5, payment_method_id: paymentMethodId }
  const answer = await service.charge(merchant, body, { 'x-request-id': ID })
  expect(answer).toMatchObject({ body: { status: 'SUCCESS' }, headers: { 'x-request-id': ID } })
  await soon(() => {
    const said = ours().map(({ msg }) => msg)
    expect(said).toEqual(expect.arrayContaining(['email sent', 'webhook sent']))
  })
}

const lines = (): readonly Line[] => written.map((line) => JSON.parse(line))
const ours = () => lines().filter(({ request_id }) => request_id === ID)

/** A gateway that does not answer the first order, and carries it out all the same. */
function silentAtFirst(gateway: Gateway): Gateway {
  return {
    ...gateway,
    async carryOut(order, signal) {
      const answer = await gateway.carryOut(order, signal)
      if (!isSilent) return answer
      isSilent = false
      throw new Error('cut off')
    },
  }
}

describe('a charge', () => {
  it('is found by its request id in a line of each process and job that worked on it', async () => {
    const said = ours().map(({ msg }) => msg)
    for (const msg of [
      'the gateway was silent',
      'charge snooze',
      'doubt done',
      'answered',
      'email sent',
      'webhook sent',
    ]) {
      expect(said).toContain(msg)
    }
    const silent = ours().find(({ msg }) => msg === 'the gateway was silent')
    expect(silent).toMatchObject({
      gateway: 'sandbox',
      question: 'carry_out',
      account_id: merchant.accountId,
    })
  })

  it('passes its request id on to its events, its messages and its row', async () => {
    const rows = await service.world.db.query(
      `SELECT 'event' AS what, request_id FROM event
         WHERE resource_id IN (SELECT id::text FROM transaction)
       UNION SELECT channel::text, request_id FROM delivery
         WHERE channel = 'email' OR request_id = $1
       UNION SELECT 'transaction', request_id FROM transaction`,
      [ID],
    )
    expect(rows.map(({ request_id }) => request_id)).toEqual(rows.map(() => ID))
    expect(new Set(rows.map(({ what }) => what))).toEqual(
      new Set(['event', 'email', 'webhook', 'transaction']),
    )
  })

  it('has its request id in every line that names it', () => {
    const [{ id } = { id: 'none' }] = ours().filter(({ msg }) => msg === 'doubt done')
    const about = lines().filter((line) => line.id === id || line.account_id !== undefined)
    expect(about.length).toBeGreaterThan(4)
    expect(about.filter(({ request_id }) => request_id === undefined)).toEqual([])
  })
})

describe('every line', () => {
  it('is JSON, with level, time, writer and event', () => {
    expect(lines().length).toBeGreaterThan(5)
    for (const line of lines()) {
      expect(line).toMatchObject({
        level: expect.stringMatching(/^(trace|debug|info|warn|error)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        pid: process.pid,
        msg: expect.stringMatching(/./),
      })
    }
  })
})
