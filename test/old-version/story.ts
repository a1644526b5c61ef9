// A day in the life of a merchant, over the API and with all workers, for the statements that it
// sends: charged, captured, voided, batched, refunded, billed, told.

import { expect } from 'vitest'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { emailCarrier } from '../../src/receipts/email-carrier.ts'
import { keepPulse } from '../../src/upkeep/keep-pulse.ts'
import { sweep } from '../../src/upkeep/sweep.ts'
import { webhookCarrier } from '../../src/webhooks/webhook-carrier.ts'
import { call, openTestHouse, type TestHouse } from '../support/house.ts'
import { advanceTo, endClock, scheduleOf, setClock } from '../support/sandbox-clock.ts'
import { NOWHERE } from '../support/webhooks.ts'

/** Those whose work does not depend on when a timer comes round. */
const QUEUES = [
  'charge',
  'refund',
  'doubt',
  'settlement',
  'tell_gateway',
  'schedules',
  'clock',
] as const

const DECLINED_CARD = '4000000000000002'

const PATIENCE = { timeout: 30_000, interval: 100 }

const DAY_MS = 24 * 60 * 60 * 1_000

export async function tellStory(): Promise<void> {
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  await using house = await openTestHouse({ backend: 'postgres', settings, queues: QUEUES })
  const merchant = await house.merchant()
  const card = await house.card(merchant)
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => {
    const answer = await call(house.app, method, url, merchant.headers, body)
    expect(`${method} ${url} ${answer.status} ${answer.text}`).toContain(' 200 ')
    await quiet(house)
    return answer.body
  }
  const charge = async (body: object) => (await house.charge(merchant, body)).body
  const { customer_id } = await ask('GET', `/payment-method/${card}`)
  await ask('PUT', `/customer/${customer_id}`, { email: 'ada@example.com' })
  const webhook = await ask('POST', '/webhook', { target_url: NOWHERE, event: '*' })
  await ask('POST', `/webhook/${webhook.id}/test`, {})
  // One delivery at a time: which of many is taken first is nobody's promise.
  await deliverDue(house.world, webhookCarrier(house.world))
  await setClock({ house, merchant }, new Date())

  const paid = await charge({ total: 12.5, payment_method_id: card })
  await quiet(house)
  const voided = await charge({ total: 3, payment_method_id: card })
  await ask('POST', `/transaction/${voided.id}/void`, {})
  const held = await charge({ total: 20, payment_method_id: card, pre_auth: true })
  await ask('POST', `/transaction/${held.id}/capture`, { total: 15 })
  const declined = await house.card(merchant, DECLINED_CARD)
  await charge({ total: 5, payment_method_id: declined })
  await quiet(house)
  await ask('POST', `/transaction/${paid.id}/receipt/email`, {})
  await deliverDue(house.world, emailCarrier(house.world))
  await scheduleOf({ house, merchant, card }, { rule: 'FREQ=DAILY;COUNT=2;BYHOUR=9' })
  const now = Date.now()
  await advanceTo({ house, merchant }, new Date(now + 4 * DAY_MS))
  await quiet(house)
  await ask('POST', `/transaction/${paid.id}/refund`, { total: 5 })
  await advanceTo({ house, merchant }, new Date(now + 8 * DAY_MS))
  await quiet(house)
  await ask('GET', '/transaction')
  await ask('GET', '/batch')
  await ask('DELETE', `/webhook/${webhook.id}`)
  await keepPulse(house.world, { role: 'start', queues: [] }).close()
  await sweep(house.world)
  await endClock({ house, merchant })
}

/** Nothing is due that a worker sees to at once. */
async function quiet({ world }: TestHouse): Promise<void> {
  const sql = `SELECT FROM transaction WHERE status = 'PENDING'`
  await expect.poll(async () => (await world.db.query(sql)).length, PATIENCE).toBe(0)
}
