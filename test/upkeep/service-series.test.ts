// The steps of the charts, reckoned of what processes told.

import { describe, expect, it } from 'vitest'
import { PAYMENT_BUCKETS } from '../../src/telemetry/metrics.ts'
import {
  type Figures,
  quantileOf,
  SHOWN_MS,
  STEP_MS,
  seriesOf,
} from '../../src/upkeep/service-series.ts'

const SECOND = 1_000
const HEARTBEAT_MS = 2 * SECOND
const UNTIL = new Date('2026-05-01T12:00:00Z')
const STEPS = SHOWN_MS / STEP_MS

const ago = (ms: number) => new Date(UNTIL.getTime() - ms)
const NOTHING: Figures = { counts: [], durations: [] }

function bucketOf(seconds: number): number {
  return PAYMENT_BUCKETS.findIndex((bound) => seconds <= bound)
}

describe('the series of the last ten minutes', () => {
  it('is even steps up to the end, of nothing where nobody told anything', () => {
    const series = seriesOf(NOTHING, UNTIL, HEARTBEAT_MS)
    expect(series.at).toHaveLength(STEPS)
    expect(series.at.at(-1)).toEqual(UNTIL)
    expect(series.at[0]).toEqual(ago(SHOWN_MS - STEP_MS))
    expect(new Set(series.approved)).toEqual(new Set([0]))
    expect(new Set([...series.p50Seconds, ...series.successRate])).toEqual(new Set([null]))
  })

  it.each([0, 300, 700, 1_100, 1_900])(
    'of an even flow is even, whenever the heartbeats come (%i ms off)',
    (offMs) => {
      const heartbeats = Array.from(
        { length: (SHOWN_MS + 120 * SECOND) / HEARTBEAT_MS },
        (_, i) => ({
          at: ago(i * HEARTBEAT_MS + offMs - 10 * SECOND),
          approved: 20,
          declined: 4,
          requests: 30,
        }),
      )
      const { approved, declined, requests } = seriesOf(
        { ...NOTHING, counts: heartbeats },
        UNTIL,
        HEARTBEAT_MS,
      )
      for (const rate of approved) expect(rate).toBeCloseTo(10, 6)
      for (const rate of declined) expect(rate).toBeCloseTo(2, 6)
      for (const rate of requests) expect(rate).toBeCloseTo(15, 6)
    },
  )

  it('adds up what several processes told of the same moment', () => {
    const told = { at: ago(60 * SECOND), approved: 5, declined: 0, requests: 0 }
    const one = seriesOf({ ...NOTHING, counts: [told] }, UNTIL, HEARTBEAT_MS)
    const two = seriesOf({ ...NOTHING, counts: [told, told] }, UNTIL, HEARTBEAT_MS)
    const sum = (rates: readonly number[]) => rates.reduce((all, rate) => all + rate, 0)
    expect(sum(one.approved) * (STEP_MS / SECOND)).toBeCloseTo(5, 6)
    expect(sum(two.approved)).toBeCloseTo(2 * sum(one.approved), 6)
    expect(two.totals).toEqual({ approved: 10, declined: 0 })
  })

  it('tells how many of those decided were approved, for half a minute after', () => {
    const counts = [{ at: ago(62 * SECOND), approved: 3, declined: 1, requests: 0 }]
    const { successRate, at } = seriesOf({ ...NOTHING, counts }, UNTIL, HEARTBEAT_MS)
    const told = at.filter((_, place) => successRate[place] !== null)
    expect(successRate.filter((share) => share !== null)).toEqual(
      told.map(() => expect.closeTo(0.75, 6)),
    )
    expect(told.length).toBeGreaterThanOrEqual(6)
    expect(told.length).toBeLessThanOrEqual(7)
  })

  it('tells how long charges took, where there were any', () => {
    const durations = [
      { at: ago(61 * SECOND), bucket: bucketOf(0.02), count: 98 },
      { at: ago(61 * SECOND), bucket: bucketOf(4), count: 2 },
    ]
    const { p50Seconds, p99Seconds } = seriesOf({ ...NOTHING, durations }, UNTIL, HEARTBEAT_MS)
    const known = p50Seconds.filter((seconds) => seconds !== null)
    expect(known).toHaveLength(6)
    for (const seconds of known) expect(seconds).toBeGreaterThan(0.01)
    for (const seconds of known) expect(seconds).toBeLessThan(0.025)
    for (const seconds of p99Seconds.filter((one) => one !== null)) {
      expect(seconds).toBeGreaterThan(2.5)
      expect(seconds).toBeLessThanOrEqual(5)
    }
  })
})

describe('a share of payments that are known by their buckets', () => {
  const buckets = (at: Readonly<Record<number, number>>) =>
    [...PAYMENT_BUCKETS, 0].map((_, place) => at[place] ?? 0)

  it.each([
    ['none', {}, null],
    ['all in the first', { 0: 10 }, 0.005],
    ['half in each of two', { 0: 10, 1: 10 }, 0.01],
    ['all in one further on', { 3: 4 }, 0.075],
    ['all beyond the last', { [PAYMENT_BUCKETS.length]: 3 }, PAYMENT_BUCKETS.at(-1)],
  ])('%s', (_what, at, expected) => {
    const median = quantileOf(0.5, buckets(at as Record<number, number>))
    if (expected === null || expected === undefined) expect(median).toBe(expected)
    else expect(median).toBeCloseTo(expected, 9)
  })
})
