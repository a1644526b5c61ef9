// The last minutes of the service in equal steps, for charts: the work of all processes in each
// step.
//
// A process reports its work of the previous seconds. Each report is spread over those seconds, so
// that short steps do not jump with the number of reports in them.

import { after, MINUTE, SECOND } from '../core/time-units.ts'
import type { Row } from '../db/gathered.ts'
import { PAYMENT_BUCKETS } from '../telemetry/metrics.ts'
import type { World } from '../world.ts'

export const SHOWN_MS = 10 * MINUTE
export const STEP_MS = 5 * SECOND

/**
 * Rates are averaged over these steps, so that one charge a second does not show as 0.75 and 1.25.
 */
const SMOOTHED_STEPS = 2

/** Shares and quantiles use more steps, so that rare payments still give a line. */
const WIDE_STEPS = 6

const GRAIN_MS = SECOND / 2

export interface ServiceSeries {
  /** The ends of the steps. */
  readonly at: readonly Date[]
  /** For each second. */
  readonly approved: readonly number[]
  readonly declined: readonly number[]
  readonly requests: readonly number[]
  /** Over the half minute before; null if no payment was decided. */
  readonly successRate: readonly (number | null)[]
  readonly p50Seconds: readonly (number | null)[]
  readonly p99Seconds: readonly (number | null)[]
  /** All reports for the time shown, up to now. */
  readonly totals: { readonly approved: number; readonly declined: number }
}

interface Told {
  readonly at: Date
  readonly approved: number
  readonly declined: number
  readonly requests: number
}

interface ToldDurations {
  readonly at: Date
  /** The index of the bucket, from 0. */
  readonly bucket: number
  readonly count: number
}

export interface Figures {
  readonly counts: readonly Told[]
  readonly durations: readonly ToldDurations[]
}

const COUNTS = `
  SELECT date_bin($3, at, $1) AS at, sum(approved)::integer AS approved,
    sum(declined)::integer AS declined, sum(requests)::integer AS requests
  FROM house_figure
  WHERE at >= $1 AND at <= $2
  GROUP BY 1`

const DURATIONS = `
  SELECT date_bin($3, f.at, $1) AS at, d.place - 1 AS bucket, sum(d.count)::integer AS count
  FROM house_figure f CROSS JOIN LATERAL unnest(f.durations) WITH ORDINALITY AS d(count, place)
  WHERE f.at >= $1 AND f.at <= $2 AND d.count > 0
  GROUP BY 1, 2`

export async function readSeries(world: World): Promise<ServiceSeries> {
  const { heartbeatEveryMs } = world.timings
  const now = world.clock.now()
  const until = lastWholeStep(after(now, -heartbeatEveryMs))
  const from = after(until, -SHOWN_MS - WIDE_STEPS * STEP_MS)
  const values = [from, now]
  const [counts, durations] = await Promise.all([
    world.db.query(COUNTS, [...values, `${GRAIN_MS} milliseconds`]),
    world.db.query(DURATIONS, [...values, `${STEP_MS} milliseconds`]),
  ])
  const figures = { counts: counts.map(readTold), durations: durations.map(readDurations) }
  return seriesOf(figures, until, heartbeatEveryMs)
}

/** The last step whose reports have all arrived. */
function lastWholeStep(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / STEP_MS) * STEP_MS)
}

/** The steps up to `until`. A report covers the `toldMs` before it. */
export function seriesOf(figures: Figures, until: Date, toldMs: number): ServiceSeries {
  const shown = SHOWN_MS / STEP_MS
  const steps = shown + WIDE_STEPS
  const startMs = until.getTime() - steps * STEP_MS
  const spread = (name: 'approved' | 'declined' | 'requests') =>
    spreadOver(steps, startMs, toldMs, figures.counts, name)
  const [approved, declined, requests] = [
    spread('approved'),
    spread('declined'),
    spread('requests'),
  ]
  const buckets = bucketsOf(steps, startMs, figures.durations)
  const places = Array.from({ length: shown }, (_, place) => place + WIDE_STEPS)
  const rate = (counts: readonly number[]) =>
    places.map(
      (place) => (before(counts, place, SMOOTHED_STEPS) / (SMOOTHED_STEPS * STEP_MS)) * SECOND,
    )
  const quantile = (share: number) =>
    places.map((place) => quantileOf(share, together(buckets, place)))
  return {
    at: places.map((place) => new Date(startMs + (place + 1) * STEP_MS)),
    approved: rate(approved),
    declined: rate(declined),
    requests: rate(requests),
    successRate: places.map((place) => {
      const good = before(approved, place, WIDE_STEPS)
      const all = good + before(declined, place, WIDE_STEPS)
      return all < 1e-6 ? null : good / all
    }),
    p50Seconds: quantile(0.5),
    p99Seconds: quantile(0.99),
    totals: {
      approved: totalOf(figures, until, 'approved'),
      declined: totalOf(figures, until, 'declined'),
    },
  }
}

function totalOf({ counts }: Figures, until: Date, name: 'approved' | 'declined'): number {
  const from = after(until, -SHOWN_MS)
  return counts.filter(({ at }) => at >= from).reduce((all, one) => all + one[name], 0)
}

function spreadOver(
  steps: number,
  startMs: number,
  toldMs: number,
  told: readonly Told[],
  name: 'approved' | 'declined' | 'requests',
): readonly number[] {
  const sums: number[] = Array(steps).fill(0)
  for (const one of told) {
    const end = one.at.getTime() + GRAIN_MS / 2 - startMs
    const begin = end - toldMs
    const first = Math.max(0, Math.floor(begin / STEP_MS))
    for (let step = first; step < steps && step * STEP_MS < end; step += 1) {
      const inIt = Math.min(end, (step + 1) * STEP_MS) - Math.max(begin, step * STEP_MS)
      sums[step] = (sums[step] ?? 0) + (one[name] * inIt) / toldMs
    }
  }
  return sums
}

function bucketsOf(
  steps: number,
  startMs: number,
  told: readonly ToldDurations[],
): readonly (readonly number[])[] {
  const all = Array.from({ length: steps }, (): number[] =>
    Array(PAYMENT_BUCKETS.length + 1).fill(0),
  )
  for (const { at, bucket, count } of told) {
    const step = all[Math.floor((at.getTime() - startMs) / STEP_MS)]
    if (step !== undefined) step[bucket] = (step[bucket] ?? 0) + count
  }
  return all
}

function before(counts: readonly number[], place: number, steps: number): number {
  return counts.slice(place + 1 - steps, place + 1).reduce((all, count) => all + count, 0)
}

function together(buckets: readonly (readonly number[])[], place: number): readonly number[] {
  const some = buckets.slice(place + 1 - WIDE_STEPS, place + 1)
  return [...PAYMENT_BUCKETS, 0].map((_, bucket) =>
    before(
      some.map((one) => one[bucket] ?? 0),
      some.length - 1,
      some.length,
    ),
  )
}

function readTold(row: Row): Told {
  return { at: row.at, approved: row.approved, declined: row.declined, requests: row.requests }
}

function readDurations(row: Row): ToldDurations {
  return { at: row.at, bucket: Number(row.bucket), count: row.count }
}

/**
 * How long most of them took, of payments that are known by their buckets only.
 *
 * As Prometheus does: values are spread evenly within a bucket, and a value above the last bucket
 * counts as its upper bound.
 */
export function quantileOf(share: number, buckets: readonly number[]): number | null {
  const total = buckets.reduce((all, count) => all + count, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (const [place, count] of buckets.entries()) {
    const [from, to] = [PAYMENT_BUCKETS[place - 1] ?? 0, PAYMENT_BUCKETS[place]]
    if (to === undefined) return from
    if (count > 0 && below + count >= rank) return from + ((to - from) * (rank - below)) / count
    below += count
  }
  return PAYMENT_BUCKETS.at(-1) ?? null
}
