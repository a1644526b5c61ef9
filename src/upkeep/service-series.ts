// The last hour of the service, minute by minute, for charts: the work of all processes together.

import { after, HOUR, MINUTE } from '../core/time-units.ts'
import { PAYMENT_BUCKETS } from '../telemetry/metrics.ts'
import type { World } from '../world.ts'
import type { Work } from './measured-work.ts'

export const SHOWN_MS = HOUR

export interface ServiceSeries {
  /** The ends of the minutes; the last one is the present moment. */
  readonly at: readonly Date[]
  /** In each minute. The last one is the last sixty seconds. */
  readonly approved: readonly number[]
  readonly declined: readonly number[]
  readonly requests: readonly number[]
  /** Null if no payment was decided. */
  readonly successRate: readonly (number | null)[]
  readonly p50Seconds: readonly (number | null)[]
  readonly p99Seconds: readonly (number | null)[]
  /** All of the time shown, up to now. */
  readonly totals: { readonly approved: number; readonly declined: number }
}

export interface MinuteOfService extends Omit<Work, 'queues'> {
  readonly at: Date
}

/** The sums of all processes, by minute and by bucket. Named as in `MinuteOfService`. */
const MINUTES = `
  WITH sums AS (
    SELECT at, sum(requests)::integer AS requests, sum(approved)::integer AS approved,
      sum(declined)::integer AS declined
    FROM process_work WHERE span = 'minute' AND at >= $1 GROUP BY at
  ), buckets AS (
    SELECT at, array_agg(count ORDER BY place) AS durations
    FROM (
      SELECT w.at, d.place, sum(d.count)::integer AS count
      FROM process_work w, unnest(w.durations) WITH ORDINALITY AS d(count, place)
      WHERE w.span = 'minute' AND w.at >= $1
      GROUP BY w.at, d.place
    ) counted
    GROUP BY at
  )
  SELECT sums.*, coalesce(buckets.durations, '{}') AS durations
  FROM sums LEFT JOIN buckets USING (at)`

export async function readSeries(world: World): Promise<ServiceSeries> {
  const now = world.clock.now()
  const rows = await world.db.query(MINUTES, [after(now, -SHOWN_MS - MINUTE)])
  return seriesOf(rows as readonly MinuteOfService[], now)
}

export function seriesOf(minutes: readonly MinuteOfService[], now: Date): ServiceSeries {
  const nowMs = now.getTime()
  const lastMs = Math.floor(nowMs / MINUTE) * MINUTE
  const shown = SHOWN_MS / MINUTE
  const starts = Array.from({ length: shown + 1 }, (_, place) => lastMs - (shown - place) * MINUTE)
  const found = new Map(minutes.map((one) => [one.at.getTime(), one]))
  // The rest of the last sixty seconds belongs to the minute before.
  const shareBefore = 1 - (nowMs - lastMs) / MINUTE
  const counts = (name: 'approved' | 'declined' | 'requests') => {
    const count = (startMs: number) => found.get(startMs)?.[name] ?? 0
    const lately = count(lastMs) + shareBefore * count(lastMs - MINUTE)
    return starts.map((startMs) => (startMs === lastMs ? lately : count(startMs)))
  }
  const quantile = (share: number) =>
    starts.map((startMs) => quantileOf(share, found.get(startMs)?.durations ?? []))
  const total = (name: 'approved' | 'declined') => minutes.reduce((all, one) => all + one[name], 0)
  return {
    at: starts.map((startMs) => new Date(Math.min(startMs + MINUTE, nowMs))),
    approved: counts('approved'),
    declined: counts('declined'),
    requests: counts('requests'),
    successRate: starts.map((startMs) => {
      const { approved = 0, declined = 0 } = found.get(startMs) ?? {}
      return approved + declined === 0 ? null : approved / (approved + declined)
    }),
    p50Seconds: quantile(0.5),
    p99Seconds: quantile(0.99),
    totals: { approved: total('approved'), declined: total('declined') },
  }
}

/**
 * The duration within which a share of the payments was decided, known from buckets only.
 *
 * Like Prometheus, it spreads values evenly within a bucket, and a value above the last bucket
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
