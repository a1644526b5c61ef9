// What waits for its turn in a lane: sent once, though it waits for longer than its lease; never held
// up by what others do not finish; and never forgotten.

import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChannelAdapter } from '../../src/deliveries/channel-adapter.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { adapterOf, owe, type Send, TAKEN, tally } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG_TEST = { timeout: 60_000 }

/** Apart, each with a provider of its own. */
const APART = { channel: 'webhook', perSecond: undefined } as const

describe('in its lane', () => {
  const services: TestService[] = []
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close()
  })

  async function owing(count: number, lanes: number) {
    const service = await openTestService({ queues: [] })
    services.push(service)
    const { accountId } = await service.merchant()
    const { query } = service.world.db
    const dueAt = service.world.clock.now()
    const ids = Array.from({ length: lanes }, () => randomUUID())
    for (const lane of ids) await owe(query, { accountId, channel: 'webhook', lane, count, dueAt })
    return { service, query, lanes: ids }
  }

  /** Rounds until nothing is owed; answers what was sent, by the id. */
  async function sentOf(
    { service, query }: Awaited<ReturnType<typeof owing>>,
    wishes: Partial<Omit<ChannelAdapter, 'send'>>,
    send: Send,
  ): Promise<readonly string[]> {
    const sent: string[] = []
    const adapter = adapterOf(
      (delivery, signal) => {
        sent.push(delivery.id)
        return send(delivery, signal)
      },
      { ...APART, ...wishes },
    )
    const left = 'SELECT FROM delivery WHERE due_at IS NOT NULL LIMIT 1'
    while ((await query(left)).length > 0) await deliverDue(service.world, adapter)
    return sent
  }

  it('what waits for longer than its lease is sent once all the same', LONG_TEST, async () => {
    const owed = await owing(90, 1)
    const slow: Send = async () => {
      await new Promise((resolve) => setTimeout(resolve, 250))
      return TAKEN
    }
    // Of six taken for each place the last would begin after five times that long.
    const sent = await sentOf(owed, { atOnce: 40, atOnceALane: 10, timeoutMs: 400 }, slow)
    expect(new Set(sent).size).toBe(90)
    expect(sent).toHaveLength(90)
    expect(await tally(owed.query)).toEqual({ sent: 90 })
  })

  it('what is free is used while others hang', LONG_TEST, async () => {
    const owed = await owing(12, 2)
    const [hanging] = owed.lanes
    const release = deferred()
    const carried: string[] = []
    const send: Send = async ({ lane }) => {
      if (lane === hanging) await release.promise
      else carried.push(lane)
      if (carried.length === 12) release.resolve()
      return TAKEN
    }
    const sent = await sentOf(owed, { atOnce: 4, atOnceALane: 3 }, send)
    expect(sent).toHaveLength(24)
    expect(await tally(owed.query)).toEqual({ sent: 24 })
  })

  it('nothing is lost by a fault before anybody was asked', LONG_TEST, async () => {
    const owed = await owing(10, 3)
    let faults = 0
    const send: Send = () => {
      faults += 1
      if (faults <= 5) throw new Error('before it began')
      return TAKEN
    }
    const adapter = adapterOf(send, { ...APART, atOnce: 4, atOnceALane: 2 })
    await deliverDue(owed.service.world, adapter)
    expect(await tally(owed.query)).toEqual({ pending: 5, sent: 25 })
  })
})

function deferred() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
