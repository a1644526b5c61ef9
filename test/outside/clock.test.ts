// The clock that all processes with one database share, whatever the clocks of their hosts say.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isOff } from '../../src/core/clock-skew.ts'
import { HOUR } from '../../src/core/time-units.ts'
import { type SharedClock, sharedClock } from '../../src/outside/clock.ts'

const NOON_MS = Date.UTC(2026, 10, 22, 12)

let monotonicMs: number
let [hostAheadMs, theirsAheadMs, tripMs] = [0, 0, 0]
let clock: SharedClock

beforeEach(() => {
  monotonicMs = 5_000.25
  ;[hostAheadMs, theirsAheadMs, tripMs] = [0, 0, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => monotonicMs)
  clock = sharedClock({
    readHost: () => NOON_MS + monotonicMs + hostAheadMs,
    async query() {
      monotonicMs += tripMs / 2
      const theirsMs = NOON_MS + monotonicMs + theirsAheadMs
      monotonicMs += tripMs / 2
      return [{ ms: String(theirsMs) }]
    },
  })
})
afterEach(() => vi.restoreAllMocks())

/** Adding 0 turns -0 into 0. */
const aheadMs = () => Math.round(clock.now().getTime() - NOON_MS - monotonicMs) + 0
const skewMs = () => clock.skewMs() + 0

describe('the shared clock', () => {
  it("is the host's before the first comparison with the database's", () => {
    expect(aheadMs()).toBe(0)
    expect(skewMs()).toBe(0)
  })

  it.each([HOUR, -HOUR, 4 * HOUR, -4 * HOUR])(
    'stays right when the host is set by %i ms while it runs, and notices it at once',
    async (byMs) => {
      await clock.measure()
      hostAheadMs = byMs
      expect(aheadMs()).toBe(0)
      expect(skewMs()).toBe(byMs)
      expect(isOff(skewMs())).toBe(true)
      await clock.measure()
      expect(aheadMs()).toBe(0)
      hostAheadMs = 0
      expect(isOff(skewMs())).toBe(false)
    },
  )

  it("follows the database's if the host was wrong from the beginning", async () => {
    theirsAheadMs = -HOUR
    await clock.measure()
    expect(aheadMs()).toBe(-HOUR)
    expect(skewMs()).toBe(HOUR)
  })

  it('trusts an answer no further than the time that it took', async () => {
    tripMs = 3_000
    theirsAheadMs = 1_000
    await clock.measure()
    expect(aheadMs()).toBe(0)
    tripMs = 2
    await clock.measure()
    expect(aheadMs()).toBe(999)
  })

  it('is right again after the machine stood still, and starts nothing before', async () => {
    await clock.measure()
    // The timer stood still as well, and the host's clock was set from its battery's.
    hostAheadMs = HOUR
    theirsAheadMs = HOUR
    expect(isOff(skewMs())).toBe(true)
    await clock.measure()
    expect(aheadMs()).toBe(HOUR)
    expect(isOff(skewMs())).toBe(false)
  })

  it('stays as it is while the database is away', async () => {
    const away = sharedClock({
      readHost: () => NOON_MS,
      query: () => Promise.reject(new Error('away')),
    })
    await expect(away.measure()).rejects.toThrow('away')
    expect(away.skewMs() + 0).toBe(0)
  })
})
