// New ids: UUIDs of version 7, made here, so that a row's id is known before the row is written.

import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import { SECOND } from '../core/time-units.ts'

const BYTES = 16

/** Random bytes are cheap in large pieces and expensive for each id. */
const pool = new Uint8Array(256 * BYTES)
const numbers = new DataView(pool.buffer)
let used = pool.length

let lastMs = 0
let sequence = 0

/**
 * A clock that follows another one is put right by some milliseconds now and then, in both
 * directions. A clock that was set back further is believed.
 */
const MOST_STEP_BACK_MS = SECOND

/**
 * The id contains the given time, or the host's. The ids of one process are in the order in which
 * they were made, in the same millisecond too and when the clock steps back a little, because
 * events of one instant are listed by id.
 */
export function newId(msecs?: number): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + BYTES)
  const start = numbers.getUint32(used) >>> 1
  used += BYTES
  if (msecs === undefined) return v7({ random })
  const isLater = msecs > lastMs || msecs < lastMs - MOST_STEP_BACK_MS
  sequence = isLater ? start : sequence + 1
  if (isLater) lastMs = msecs
  return v7({ random, msecs: lastMs, seq: sequence })
}
