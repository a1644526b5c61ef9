// The whole job `webhook`: a replay makes deliveries due, and due deliveries are sent.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/core/time-units.ts'
import { webhookRound } from '../../src/webhooks/webhook-channel.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestService } from '../support/test-service.ts'
import {
  insertEventSeries,
  openWebhookService,
  webhooksOf,
  webhooksTo,
} from '../support/webhooks.ts'

const LONG = { timeout: 60_000 }
const START_MS = 120_000

const SETTLED_MS = 10_000
const SOME = 30

describe('a round', LONG, () => {
  let service: TestService
  let receiver: Receiver
  let aheadMs = 0

  beforeAll(async () => {
    receiver = await openReceiver()
    service = await openWebhookService({ clock: { now: () => new Date(Date.now() + aheadMs) } })
  }, START_MS)
  afterAll(async () => {
    await service.close()
    await receiver.close()
  })

  it('sends a replay to its endpoint, each event once, and a test beside it', async () => {
    const merchant = await service.merchant()
    const webhooks = webhooksOf(service, merchant)
    const from = new Date(Date.now() - HOUR)
    await insertEventSeries(service, merchant.accountId, { count: SOME, from })
    const { id } = await webhooks.made({ target_url: receiver.url })
    const test = await webhooks.ask('POST', `/${id}/test`)
    await webhooks.ask('POST', `/${id}/replay`, { since: from })
    aheadMs = SETTLED_MS
    await webhookRound(service.world)
    const received = await receiver.until(SOME + 1)
    const owed = (await webhooksTo(service, id)).map(({ subject_id }) => subject_id)
    expect(owed).toHaveLength(SOME + 1)
    expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(owed.sort())
    const [tried] = received.filter(({ headers }) => headers['webhook-id'] === test.body.event_id)
    expect(tried?.headers['event-name']).toBe('webhook_test')
    expect(JSON.parse(tried?.body ?? '')).toEqual((await webhooks.ask('GET', `/${id}`)).body)
    const sent = async () => (await webhooks.ask('GET', `/${id}/delivery?status=sent`)).body.total
    await expect.poll(sent).toBe(SOME + 1)
  })
})
