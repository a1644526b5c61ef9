// Due deliveries, channel adapters that answer at the test's choice, and the state of deliveries.

import { randomUUID } from 'node:crypto'
import type { DeliveryChannel, SendAnswer } from '../../src/core/delivery.ts'
import type { Query } from '../../src/db/database.ts'
import type { ChannelAdapter } from '../../src/deliveries/channel-adapter.ts'

export type Send = (
  delivery: Parameters<ChannelAdapter['send']>[1],
  signal: AbortSignal,
) => SendAnswer | Promise<SendAnswer>

export interface DueDelivery {
  readonly accountId: string
  readonly channel: DeliveryChannel
  /** The account's own by default. */
  readonly lane?: string
  readonly count?: number
  readonly dueAt: Date
  /** The domain of their addresses; by default each recipient is a destination of its own. */
  readonly domain?: string
}

export const TAKEN: SendAnswer = { kind: 'taken', providerId: null }

const INSERT = `
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at)
  SELECT $1, id, $2, $3, $4, id, concat_ws('@', id, $7::text), 'test', $5, $5, 'test', $5, $5
  FROM unnest($6::uuid[]) AS id`

/** Writes due deliveries; answers their ids. */
export async function insertDue(query: Query, delivery: DueDelivery): Promise<readonly string[]> {
  const { accountId, channel, lane = accountId, count = 1, dueAt, domain = null } = delivery
  const ids = Array.from({ length: count }, () => randomUUID())
  const subject = channel === 'webhook' ? 'event' : 'transaction'
  await query(INSERT, [accountId, channel, lane, subject, dueAt, ids, domain])
  return ids
}

/** An adapter of one channel with a common provider, and limits that no test reaches. */
export function adapterOf(
  send: Send,
  options: Partial<Omit<ChannelAdapter, 'send'>> = {},
): ChannelAdapter {
  return {
    channel: 'email',
    atOnce: 8,
    timeoutMs: 30_000,
    perSecond: 10_000,
    ...options,
    send: async (_world, delivery, timeLimit) => send(delivery, timeLimit()),
  }
}

interface DeliveryState {
  readonly id: string
  readonly status: string
  readonly tries: number
  readonly attempt: number
  readonly reason: string | null
  readonly last_error: string | null
  readonly due_at: Date | null
  readonly provider_id: string | null
  readonly history: readonly {
    readonly at: string
    readonly ms: number
    readonly answer: string
    readonly detail?: string
  }[]
}

const DELIVERY_STATES = `
  SELECT id, status, tries, attempt, reason, last_error, due_at, provider_id, history
  FROM delivery WHERE id = ANY($1) ORDER BY array_position($1, id)`

export async function deliveryStatesOf(
  query: Query,
  ids: readonly string[],
): Promise<readonly DeliveryState[]> {
  return (await query(DELIVERY_STATES, [ids])) as unknown as readonly DeliveryState[]
}

export async function deliveryStateOf(query: Query, id: string): Promise<DeliveryState> {
  const [state] = await deliveryStatesOf(query, [id])
  if (state === undefined) throw new Error(`no delivery ${id}`)
  return state
}

/** The number of deliveries in each status, and for each reason. */
export async function tally(query: Query): Promise<Readonly<Record<string, number>>> {
  const rows = await query(`
    SELECT concat_ws(' ', status, reason) AS standing, count(*)::integer AS count
    FROM delivery GROUP BY 1`)
  return Object.fromEntries(rows.map(({ standing: state, count }) => [state, count]))
}
