// A caller that sets or ends a clock waits for the end of the advance, as for a charge.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueName } from '../../src/queue/catalogue.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { AT_ONCE, clockOf, setClock, takeThere } from '../support/sandbox-clock.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const PATH = '/sandbox/clock'
const FROM = '2030-01-01T12:00:00.000Z'
const TARGET = '2030-01-05T12:00:00.000Z'
const ARRIVED = { now: TARGET, status: 'ready', target: null, progress: null }

let service: TestService

function opened(wait: string, ...queues: QueueName[]) {
  beforeAll(async () => {
    service = await openTestService({ queues, settings: { CHARGE_WAIT_MS: wait } })
  })
  afterAll(() => service.close())
}

async function paidApi(from = FROM): Promise<PaymentsApi> {
  const api = await newPaymentsApi(service)
  await setClock(api, from)
  await api.paid()
  return api
}

const advance = ({ merchant }: PaymentsApi, headers: object = {}) =>
  call(service.app, 'POST', PATH, { ...merchant.headers, ...headers }, { now: TARGET })

describe('an advance that workers carry out', () => {
  opened('60s', 'charge', 'clock')

  it('is answered when it is done', async () => {
    const { status, body } = await advance(await paidApi())
    expect({ status, body }).toEqual({ status: 200, body: ARRIVED })
  })

  it('is answered when the account is back in real time', async () => {
    const { merchant } = await paidApi(new Date(Date.now() - 7 * 86_400_000).toISOString())
    const { status, body } = await call(service.app, 'DELETE', PATH, merchant.headers)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ready', target: null })
  })
})

describe('an advance that takes longer', () => {
  opened('1s', 'charge')

  it('is answered as it is after the wait of a charge', async () => {
    const began = performance.now()
    const { status, body } = await advance(await paidApi())
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(status).toBe(200)
    expect(body).toEqual({ now: FROM, status: 'advancing', target: TARGET, progress: 0 })
  })

  it('is answered at once if the caller prefers that', async () => {
    const api = await paidApi()
    const { status, headers, body } = await advance(api, AT_ONCE)
    expect([status, headers.location, body.status]).toEqual([202, PATH, 'advancing'])
    await takeThere(service.world, api.merchant)
    expect(await clockOf(api)).toEqual(ARRIVED)
  })
})

describe('a process that ends', () => {
  opened('60s', 'charge')

  it('answers those who wait for a clock', async () => {
    const answer = advance(await paidApi())
    await expect
      .poll(() => service.world.db.query('SELECT FROM account WHERE clock_target = $1', [TARGET]))
      .toHaveLength(1)
    service.world.shutdown.finish()
    service.world.queues.replies.wakeAll()
    expect((await answer).body.status).toBe('advancing')
  })
})
