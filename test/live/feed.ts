// Reads the feeds of a live service's gateways at once, and the events that result.

import { readFeeds } from '../../src/settlement/read-feeds.ts'
import type { LiveService } from './live-service.ts'

type Live = Pick<LiveService, 'get' | 'service'>

/** Reads them as the job does when a feed is due. */
export async function readNews({ service: { world } }: Pick<Live, 'service'>): Promise<void> {
  await world.db.query('UPDATE gateway_feed SET due_at = $1', [world.clock.now()])
  await readFeeds(world)
}

export interface FeedEvent {
  readonly type: string
  readonly sequence: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read events as an endpoint does
  readonly data: any
}

/** The events of these types, the oldest first. */
export async function feedEventsOf(
  live: Pick<Live, 'get'>,
  ...types: readonly string[]
): Promise<readonly FeedEvent[]> {
  const { body } = await live.get('/event?order=ASC&limit=200')
  return body.data.filter(({ type }: FeedEvent) => types.includes(type))
}
