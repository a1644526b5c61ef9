// One process at a time has the lease of a delivery, and only that process may record its outcome.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SendAnswer } from '../../src/core/delivery.ts'
import { HOUR, SECOND } from '../../src/core/time-units.ts'
import type { ChannelAdapter } from '../../src/deliveries/channel-adapter.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { defaultTimings } from '../../src/timings.ts'
import {
  adapterOf,
  deliveryStateOf,
  deliveryStatesOf,
  type Send,
  TAKEN,
  tally,
} from '../support/deliveries.ts'
import { openSenders, type Senders } from '../support/senders.ts'
import { soon } from '../support/soon.ts'

const FAILED: SendAnswer = { kind: 'failed', detail: '451 4.3.0 try again' }

const LONG_TEST = { timeout: 60_000 }
describe('a delivery', () => {
  let senders: Senders

  beforeAll(async () => {
    // Far longer than a test takes, so that no process renews a lease once the clock has moved, and
    // the one whose provider hangs claims nothing more.
    senders = await openSenders({ deliveryLeaseMs: 90 * SECOND, slowMessageMs: 90 * SECOND })
  })
  afterAll(() => senders.close())
  beforeEach(() => senders.startAnew())

  it('is never sent twice at once, however many rounds there are', LONG_TEST, async () => {
    const ids = await senders.insertDue(200)
    const onTheirWay = new Set<string>()
    const begun: string[] = []
    const twice: string[] = []
    const shares = { here: 0, elsewhere: 0 }
    const from = (process: keyof typeof shares): Send =>
      async function carry({ id }) {
        if (onTheirWay.has(id)) twice.push(id)
        onTheirWay.add(id)
        shares[process] += 1
        begun.push(id)
        await new Promise((resolve) => setTimeout(resolve, 5))
        onTheirWay.delete(id)
        return TAKEN
      }
    senders.send = from('here')
    senders.elsewhereSend = from('elsewhere')
    // A round that takes long hands over to the next.
    const left = 'SELECT FROM delivery WHERE due_at IS NOT NULL'
    while ((await senders.query(left)).length > 0) {
      await Promise.all([
        senders.here(),
        senders.elsewhere(),
        senders.here(),
        senders.elsewhere(),
        senders.here(),
        senders.elsewhere(),
      ])
    }
    expect(begun.toSorted()).toEqual(ids.toSorted())
    expect(await tally(senders.query)).toEqual({ sent: 200 })
    expect(twice).toEqual([])
    // Otherwise the two processes would not have met.
    expect(Math.min(shares.here, shares.elsewhere)).toBeGreaterThan(10)
    const states = await deliveryStatesOf(senders.query, ids)
    expect(new Set(states.map(({ tries, attempt }) => `${tries} ${attempt}`))).toEqual(
      new Set(['1 1']),
    )
  })

  it.each<[string, SendAnswer]>([
    ['refused', { kind: 'refused', reason: 'refused', detail: 'too late' }],
    ['failed', FAILED],
    ['taken', { kind: 'taken', providerId: 'late' }],
  ])(
    'that outlived its lease is another worker’s: the answer %s comes too late',
    async (_how, late) => {
      const id = await senders.one()
      const held = promised()
      const asked = vi.fn(() => held.promise)
      senders.send = asked
      const hanging = senders.here()
      await soon(() => expect(asked).toHaveBeenCalledTimes(1))
      // No other process gets it as long as it is leased.
      await senders.elsewhere()
      expect((await deliveryStateOf(senders.query, id)).status).toBe('pending')
      senders.clock.move(HOUR)
      senders.elsewhereSend = () => ({ kind: 'taken', providerId: 'other' })
      await senders.elsewhere()
      const before = await deliveryStateOf(senders.query, id)
      expect(before).toMatchObject({ status: 'sent', tries: 1, provider_id: 'other' })
      // Each claim counts, also one that finds a destination resting since a slow machine seemed to hang.
      expect(before.attempt).toBeGreaterThan(1)
      held.resolve(late)
      await hanging
      expect(await deliveryStateOf(senders.query, id)).toEqual(before)
      expect(await tally(senders.query)).toEqual({ sent: 1 })
    },
  )

  it('whose content was read after the end of its lease is not sent by this worker', async () => {
    const [id = ''] = await senders.insertDue(1, { channel: 'sms' })
    const read = promised()
    const reading = vi.fn(() => read.promise)
    const asked = vi.fn(() => TAKEN)
    const stalling: ChannelAdapter = {
      ...adapterOf(asked, { channel: 'sms' }),
      async send(_world, _delivery, timeLimit) {
        await reading()
        timeLimit()
        return asked()
      },
    }
    const sending = deliverDue(senders.service.world, stalling)
    await soon(() => expect(reading).toHaveBeenCalledTimes(1))
    senders.clock.move(HOUR)
    read.resolve(TAKEN)
    await sending
    expect(asked).not.toHaveBeenCalled()
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({ status: 'pending', tries: 0 })
  })

  it('that outlived its lease and that another worker has is not touched by the late answer', async () => {
    const id = await senders.one()
    const first = promised()
    const second = promised()
    const asked = vi.fn(() => first.promise)
    const askedElsewhere = vi.fn(() => second.promise)
    senders.send = asked
    senders.elsewhereSend = askedElsewhere
    const hanging = senders.here()
    await soon(() => expect(asked).toHaveBeenCalledTimes(1))
    senders.clock.move(HOUR)
    const taking = senders.elsewhere()
    await soon(() => expect(askedElsewhere).toHaveBeenCalledTimes(1))
    first.resolve({ kind: 'refused', reason: 'refused', detail: 'too late' })
    await hanging
    expect((await deliveryStateOf(senders.query, id)).status).toBe('pending')
    second.resolve({ kind: 'taken', providerId: 'other' })
    await taking
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({
      status: 'sent',
      provider_id: 'other',
    })
  })
})

describe('the lease of a delivery', () => {
  /** The service's own lease. */
  const { deliveryLeaseMs } = defaultTimings

  it('lasts as long as the manual says, and no message of a dead worker waits longer', async () => {
    await using senders = await openSenders({ deliveryLeaseMs })
    const id = await senders.one()
    const asked = vi.fn(() => promised().promise)
    senders.send = asked
    void senders.here()
    await soon(() => expect(asked).toHaveBeenCalledTimes(1))
    senders.clock.move(deliveryLeaseMs - 5 * SECOND)
    await senders.elsewhere()
    expect((await deliveryStateOf(senders.query, id)).status).toBe('pending')
    // The worker here counts as dead: it does not renew its lease within these moments.
    senders.clock.move(5 * SECOND)
    await senders.elsewhere()
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({ status: 'sent', attempt: 2 })
    const manual = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
    expect(manual).toContain(`its messages are sent by others after ${deliveryLeaseMs / SECOND} s`)
  })

  it('is renewed while its worker waits for the provider, however long that takes', async () => {
    await using senders = await openSenders({ deliveryLeaseMs: 2_000 })
    const id = await senders.one()
    const held = promised()
    const asked = vi.fn(() => held.promise)
    const askedElsewhere = vi.fn(() => TAKEN)
    senders.send = asked
    senders.elsewhereSend = askedElsewhere
    const hanging = senders.here()
    await soon(() => expect(asked).toHaveBeenCalledTimes(1))
    const leased = 'SELECT leased_until FROM delivery WHERE id = $1'
    const leasedUntil = async () => Number((await senders.query(leased, [id]))[0]?.leased_until)
    const first = await leasedUntil()
    await soon(async () => expect(await leasedUntil()).toBeGreaterThan(first + 2_500))
    await senders.elsewhere()
    expect(askedElsewhere).not.toHaveBeenCalled()
    held.resolve(TAKEN)
    await hanging
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({ status: 'sent', attempt: 1 })
  })
})

/** An answer that comes when the test resolves it. */
function promised() {
  let resolve: (answer: SendAnswer) => void = () => {}
  const promise = new Promise<SendAnswer>((taken) => {
    resolve = taken
  })
  return { promise, resolve }
}
