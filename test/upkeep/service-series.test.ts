// The minutes of the charts, made from the work of the processes.

import { describe, expect, it } from 'vitest'
import { PAYMENT_BUCKETS } from '../../src/telemetry/metrics.ts'
import { type MinuteOfService, quantileOf, seriesOf } from '../../src/upkeep/service-series.ts'

const NOW = new Date('2026-05-01T12:00:15Z')

const minute = (of: string, over: Partial<MinuteOfService> = {}): MinuteOfService => ({
  at: new Date(`2026-05-01T${of}:00Z`),
  requests: 0,
  approved: 0,
  declined: 0,
  durations: [],
  ...over,
})

function bucketsOf(counts: Readonly<Record<number, number>>): readonly number[] {
  const place = (seconds: number) => PAYMENT_BUCKETS.findIndex((bound) => seconds <= bound)
  const found = Object.entries(counts).map(([seconds, count]) => [place(Number(seconds)), count])
  return [...PAYMENT_BUCKETS, 0].map((_, at) => found.find(([one]) => one === at)?.[1] ?? 0)
}

describe('the series of the last hour', () => {
  it('is sixty minutes and the present one, empty if nothing was done', () => {
    const series = seriesOf([], NOW)
    expect(series.at).toHaveLength(61)
    expect(series.at[0]).toEqual(new Date('2026-05-01T11:01:00Z'))
    expect(series.at.at(-2)).toEqual(new Date('2026-05-01T12:00:00Z'))
    expect(series.at.at(-1)).toEqual(NOW)
    expect(new Set(series.approved)).toEqual(new Set([0]))
    expect(new Set([...series.p50Seconds, ...series.successRate])).toEqual(new Set([null]))
    expect(series.totals).toEqual({ approved: 0, declined: 0 })
  })

  it('has each minute at its place', () => {
    const series = seriesOf(
      [minute('11:00', { approved: 3 }), minute('11:58', { approved: 5, requests: 9 })],
      NOW,
    )
    expect(series.approved.map((count, at) => [at, count]).filter(([, count]) => count)).toEqual([
      [0, 3],
      [58, 5],
    ])
    expect(series.requests[58]).toBe(9)
    expect(series.totals).toEqual({ approved: 8, declined: 0 })
  })

  it('ends with the last sixty seconds: an even flow stays even', () => {
    const { approved, declined } = seriesOf(
      [
        minute('11:59', { approved: 60, declined: 12 }),
        minute('12:00', { approved: 15, declined: 3 }),
      ],
      NOW,
    )
    expect(approved.slice(-2)).toEqual([60, 60])
    expect(declined.slice(-2)).toEqual([12, 12])
  })

  it('shows the share of approved charges, and the duration of charges', () => {
    const { successRate, p50Seconds, p99Seconds } = seriesOf(
      [minute('11:30', { approved: 3, declined: 1, durations: bucketsOf({ 0.02: 98, 4: 2 }) })],
      NOW,
    )
    expect(successRate.filter((share) => share !== null)).toEqual([0.75])
    expect(p50Seconds[30]).toBeGreaterThan(0.01)
    expect(p50Seconds[30]).toBeLessThan(0.025)
    expect(p99Seconds[30]).toBeGreaterThan(2.5)
    expect(p99Seconds[30]).toBeLessThanOrEqual(5)
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
