// A day of a merchant, over the API and with all workers, for the recorded statements: charges,
// captures, voids, batches, refunds, invoices and events.

import { expect } from 'vitest'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { emailChannel } from '../../src/messages/email-channel.ts'
import { keepHeartbeat } from '../../src/upkeep/keep-heartbeat.ts'
import { sweep } from '../../src/upkeep/sweep.ts'
import { webhookChannel } from '../../src/webhooks/webhook-channel.ts'
import { advanceTo, endClock, scheduleOf, setClock } from '../support/sandbox-clock.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'
import { NOWHERE } from '../support/webhooks.ts'

/** The queues whose work does not depend on when a timer fires. */
const QUEUES = ['charge', 'refund', 'doubt', 'settlement', 'schedules', 'clock'] as const

const DECLINED_CARD = '4000000000000002'

const DAY_MS = 24 * 60 * 60 * 1_000

export async function tellStory(): Promise<void> {
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  await using service = await openTestService({ backend: 'postgres', settings, queues: QUEUES })
  const merchant = await service.merchant()
  const card = await service.card(merchant)
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => {
    const answer = await call(service.app, method, url, merchant.headers, body)
    expect(`${method} ${url} ${answer.status} ${answer.text}`).toContain(' 200 ')
    await quiet(service)
    return answer.body
  }
  const charge = async (body: object) => (await service.charge(merchant, body)).body
  const { customer_id } = await ask('GET', `/payment-method/${card}`)
  await ask('PUT', `/customer/${customer_id}`, { email: 'ada@example.com' })
  const webhook = await ask('POST', '/webhook', { target_url: NOWHERE, event: '*' })
  await ask('POST', `/webhook/${webhook.id}/test`, {})
  // One delivery at a time: the order among several is not defined.
  await deliverDue(service.world, webhookChannel(service.world))
  await setClock({ service, merchant }, new Date())

  const paid = await charge({ total: 12.5, payment_method_id: card })
  await quiet(service)
  const voided = await charge({ total: 3, payment_method_id: card })
  await ask('POST', `/transaction/${voided.id}/void`, {})
  const held = await charge({ total: 20, payment_method_id: card, pre_auth: true })
  await ask('POST', `/transaction/${held.id}/capture`, { total: 15 })
  const declined = await service.card(merchant, DECLINED_CARD)
  await charge({ total: 5, payment_method_id: declined })
  await quiet(service)
  await ask('POST', `/transaction/${paid.id}/receipt/email`, {})
  await deliverDue(service.world, emailChannel(service.world))
  await scheduleOf({ service, merchant, card }, { rule: 'FREQ=DAILY;COUNT=2;BYHOUR=9' })
  const now = Date.now()
  await advanceTo({ service, merchant }, new Date(now + 4 * DAY_MS))
  await quiet(service)
  await ask('POST', `/transaction/${paid.id}/refund`, { total: 5 })
  await advanceTo({ service, merchant }, new Date(now + 8 * DAY_MS))
  await quiet(service)
  await ask('GET', '/transaction')
  await ask('GET', '/batch')
  await ask('DELETE', `/webhook/${webhook.id}`)
  await keepHeartbeat(service.world, { role: 'start', queues: [] }).close()
  await sweep(service.world)
  await endClock({ service, merchant })
}

/** Waits until no work is due that a worker does at once. */
async function quiet({ world }: TestService): Promise<void> {
  const sql = `SELECT FROM transaction WHERE status = 'PENDING'`
  await expect.poll(async () => (await world.db.query(sql)).length).toBe(0)
}
