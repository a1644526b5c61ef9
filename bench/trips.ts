// How long one trip to PostgreSQL takes if both ends are quiet in between: each must be woken. A
// charge at the same rate makes some ten of these trips, one after the other.

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { SECOND } from '../src/core/time-units.ts'
import { median } from './statistics.ts'

const TRIP = { name: 'trip', text: 'SELECT $1::int', values: [1] }

/** The median, in milliseconds. */
export async function measureTrip(client: pg.Client, perSecond: number, ms: number) {
  const pauseMs = SECOND / perSecond
  const took: number[] = []
  while (took.length < ms / pauseMs) {
    await delay(pauseMs)
    const startedMs = performance.now()
    await client.query(TRIP)
    took.push(performance.now() - startedMs)
  }
  return median(took)
}
