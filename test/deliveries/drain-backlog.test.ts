// A worker gets the signal to end while a thousand webhooks wait. It ends after those that it has
// begun to send; the backlog is left to another worker.

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import { openWebhookService, webhooksOf } from '../support/webhooks.ts'

const BACKLOG = 1_000

/** The endpoint takes this long, so that the backlog would take many seconds. */
const ANSWER_MS = 1_000

/** A busy machine adds this much to every wait. */
const LATE_MS = 4_000

/** An endpoint gets no more requests than this at once. */
const AT_ONCE = 64

const PATIENCE = { timeout: 45_000, interval: 20 }
const LONG_TEST = { timeout: 90_000 }

/** The same event for the same endpoint, each time for another request. */
const REPEAT = `
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at)
  SELECT account_id, gen_random_uuid(), channel, lane, subject, subject_id, recipient,
    'request ' || n, due_at, owed_at, request_id, created_at, updated_at
  FROM delivery, generate_series(1, $1::integer) AS n`

let service: TestService
let merchant: Merchant
let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
  service = await openWebhookService()
  merchant = await service.merchant()
  await webhooksOf(service, merchant).made({ target_url: receiver.url })
  await call(service.app, 'POST', '/customer', merchant.headers, { firstname: 'Ada' })
  expect(await count('true')).toBe(1)
  await service.world.db.query(REPEAT, [BACKLOG - 1])
}, 60_000)
afterAll(async () => {
  await service.close()
  await receiver.close()
})

function worker(): ServiceProcess {
  return startServiceProcess({
    name: 'worker',
    role: 'worker',
    queues: ['webhook', 'sweep'],
    timings: { webhookTimeoutMs: 15_000, leaseMs: 30_000, jobLockMs: 30_000 },
    environment: {
      DATABASE_URL: service.databaseUrl,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      GRACE_MS: '60s',
      LOG_LEVEL: 'warn',
    },
  })
}

async function count(where: string): Promise<number> {
  const [row] = await service.world.db.query(
    `SELECT count(*)::integer AS count FROM delivery WHERE ${where}`,
  )
  return Number(row?.count)
}

it('a backlog of webhooks keeps no worker from ending', LONG_TEST, async () => {
  receiver.behave({ status: 200, delayMs: ANSWER_MS })
  await using ending = worker()
  await ending.ready
  await receiver.until(AT_ONCE)
  const begun = receiver.received.length
  const end = await ending.end()
  expect(end, ending.log()).toMatchObject({ code: 0, signal: null })
  expect(end.tookMs).toBeLessThan(ANSWER_MS + LATE_MS)
  const received = receiver.received.length
  // Deliveries that the worker had taken and not begun were given back.
  expect(received - begun).toBeLessThanOrEqual(2 * AT_ONCE)
  expect(await count("status <> 'pending'")).toBe(received)

  receiver.behave({ status: 200 })
  await using next = worker()
  await next.ready
  const isTold = async () => (await count("status <> 'pending'")) === BACKLOG
  await vi.waitUntil(isTold, PATIENCE)
  // Nothing was sent twice: requests that had begun were recorded before the end.
  expect(receiver.received.length).toBe(BACKLOG)
})
