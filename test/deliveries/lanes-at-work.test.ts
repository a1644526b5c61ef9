// The rows of a lane wait until there is a place: each is sent once, slow sends of other lanes do not
// hold it up, and none is forgotten.

import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChannelAdapter } from '../../src/deliveries/channel-adapter.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { adapterOf, insertDue, type Send, TAKEN, tally } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG_TEST = { timeout: 60_000 }

/** Each lane has a provider of its own. */
const APART = { channel: 'webhook', perSecond: undefined } as const

describe('a lane', () => {
  const services: TestService[] = []
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close()
  })

  async function openWithDue(count: number, lanes: number) {
    const service = await openTestService({ queues: [] })
    services.push(service)
    const { accountId } = await service.merchant()
    const { query } = service.world.db
    const dueAt = service.world.clock.now()
    const ids = Array.from({ length: lanes }, () => randomUUID())
    for (const lane of ids)
      await insertDue(query, { accountId, channel: 'webhook', lane, count, dueAt })
    return { service, query, lanes: ids }
  }

  /** Runs rounds until nothing is due; answers the ids that were sent. */
  async function sentOf(
    { service, query }: Awaited<ReturnType<typeof openWithDue>>,
    options: Partial<Omit<ChannelAdapter, 'send'>>,
    send: Send,
  ): Promise<readonly string[]> {
    const sent: string[] = []
    const adapter = adapterOf(
      (delivery, signal) => {
        sent.push(delivery.id)
        return send(delivery, signal)
      },
      { ...APART, ...options },
    )
    const left = 'SELECT FROM delivery WHERE due_at IS NOT NULL LIMIT 1'
    while ((await query(left)).length > 0) await deliverDue(service.world, adapter)
    return sent
  }

  it(
    'sends each row of a long queue once, however long the last one waits',
    LONG_TEST,
    async () => {
      const opened = await openWithDue(90, 1)
      const slow: Send = async () => {
        await new Promise((resolve) => setTimeout(resolve, 250))
        return TAKEN
      }
      // The last one begins after more than twice the provider's time limit.
      const sent = await sentOf(opened, { atOnce: 40, atOnceAnEndpoint: 10, timeoutMs: 400 }, slow)
      expect(new Set(sent).size).toBe(90)
      expect(sent).toHaveLength(90)
      expect(await tally(opened.query)).toEqual({ sent: 90 })
    },
  )

  it('uses free slots while others hang', LONG_TEST, async () => {
    const opened = await openWithDue(12, 2)
    const [hanging] = opened.lanes
    const release = deferred()
    const carried: string[] = []
    const send: Send = async ({ lane }) => {
      if (lane === hanging) await release.promise
      else carried.push(lane)
      if (carried.length === 12) release.resolve()
      return TAKEN
    }
    const sent = await sentOf(opened, { atOnce: 4, atOnceAnEndpoint: 3 }, send)
    expect(sent).toHaveLength(24)
    expect(await tally(opened.query)).toEqual({ sent: 24 })
  })

  it('loses nothing to a fault before the provider was asked', LONG_TEST, async () => {
    const opened = await openWithDue(10, 3)
    let faults = 0
    const send: Send = () => {
      faults += 1
      if (faults <= 5) throw new Error('before it began')
      return TAKEN
    }
    const adapter = adapterOf(send, { ...APART, atOnce: 4, atOnceAnEndpoint: 2 })
    await deliverDue(opened.service.world, adapter)
    expect(await tally(opened.query)).toEqual({ pending: 5, sent: 25 })
  })
})

function deferred() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
