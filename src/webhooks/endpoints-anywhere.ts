// The endpoints of all teams, as operators see them: without their secrets, with the results of
// their latest deliveries and the waiting ones.

import { columnsOf, type RowKey } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import type { Row } from '../db/gathered.ts'
import type { RowOwner } from '../db/newest-anywhere.ts'
import { containing } from '../db/terms.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'

export const ENDPOINT_STATES = ['active', 'failing', 'paused', 'disabled'] as const

export type EndpointState = (typeof ENDPOINT_STATES)[number]

/** The columns without the secrets. */
const SHOWN = [
  'accountId',
  'id',
  'targetUrl',
  'events',
  'status',
  'dialect',
  'disabledReason',
  'failingSince',
  'silences',
  'pausedAt',
  'previousSecretUntil',
  'replayAfter',
  'version',
  'createdAt',
  'updatedAt',
  'deletedAt',
] as const

type ShownColumns = Pick<Webhook, (typeof SHOWN)[number]>

const webhook = columnsOf<ShownColumns>('Webhook', 'w', [], SHOWN)

export interface SeenEndpoint extends ShownColumns {
  /** Attempts of its latest deliveries, without those that failed for a reason of our own. */
  readonly attempts: number
  readonly succeeded: number
  readonly medianMs: number | null
  /** Deliveries that wait, of at most `MOST_WAITING`. */
  readonly waiting: number
  /** Since when the oldest of them waits, and when the first of them is due. */
  readonly oldest: Date | null
  readonly nextAt: Date | null
}

export type ListedEndpoint = SeenEndpoint & RowOwner

/** A list reads few deliveries of each endpoint; the page of one endpoint reads more. */
const RECENT_IN_LIST = 20
export const RECENT_OF_ONE = 100

/** Counting stops there. */
export const MOST_WAITING = 100

const COLUMNS = `${webhook.list}, recent.*, waiting.*`

const joins = (recent: number) => `
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS attempts,
      count(*) FILTER (WHERE h.one ->> 'answer' = 'taken')::integer AS succeeded,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY (h.one ->> 'ms')::float8) AS median_ms
    FROM (
      SELECT history FROM delivery
      WHERE account_id = w.account_id AND lane = w.id AND channel = 'webhook'
      ORDER BY created_at DESC, id DESC LIMIT ${recent}
    ) d
    CROSS JOIN LATERAL jsonb_array_elements(d.history) AS h(one)
    WHERE h.one ->> 'answer' <> 'away'
  ) recent
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS waiting, min(owed_at) AS oldest,
      CASE WHEN count(*) > 0 THEN greatest(min(due_at), w.resting_until) END AS next_at
    FROM (
      SELECT owed_at, due_at FROM delivery
      WHERE channel = 'webhook' AND lane = w.id AND due_at IS NOT NULL
      ORDER BY due_at LIMIT ${MOST_WAITING}
    ) d
  ) waiting`

/** The conditions of the states, as in `endpointState`. */
const STATE_TERMS: Readonly<Record<EndpointState, string>> = {
  disabled: "w.status = 'disabled'",
  paused: "w.status = 'active' AND w.paused_at IS NOT NULL",
  failing: "w.status = 'active' AND w.paused_at IS NULL AND w.failing_since IS NOT NULL",
  active: "w.status = 'active' AND w.paused_at IS NULL AND w.failing_since IS NULL",
}

export function endpointState({
  status,
  pausedAt,
  failingSince,
}: Pick<Webhook, 'status' | 'pausedAt' | 'failingSince'>): EndpointState {
  if (status === 'disabled') return 'disabled'
  if (pausedAt !== null) return 'paused'
  return failingSince === null ? 'active' : 'failing'
}

/** An account has few of them, so filters are checked row by row. */
export const ENDPOINTS = declareList({
  table: 'webhook',
  alias: 'w',
  always: 'w.deleted_at IS NULL',
  filters: {
    state: (state: EndpointState) => STATE_TERMS[state],
    address: (part: string, put) => `w.target_url ILIKE ${put(containing(part))}`,
  },
  sorts: {},
  columns: COLUMNS,
  joins: joins(RECENT_IN_LIST),
  view: seenEndpoint,
})

function seenEndpoint(row: Row): SeenEndpoint {
  return {
    ...webhook.read(row),
    attempts: row.attempts,
    succeeded: row.succeeded,
    medianMs: row.median_ms,
    waiting: row.waiting,
    oldest: row.oldest,
    nextAt: row.next_at,
  }
}

const ONE = `
  SELECT ${COLUMNS}
  FROM webhook w ${joins(RECENT_OF_ONE)} WHERE w.account_id = $1 AND w.id = $2`

/** A deleted one is found too: its deliveries still name it. */
export async function findEndpoint(
  { db }: World,
  { accountId, id }: RowKey,
): Promise<SeenEndpoint | undefined> {
  const [row] = await db.query(ONE, [accountId, id])
  return row && seenEndpoint(row)
}
