// New ids: UUIDs of version 7, made here, so that a row's id is known before the row is written.

import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const BYTES = 16

/** Random bytes are cheap in large pieces and expensive for each id. */
const pool = new Uint8Array(256 * BYTES)
const numbers = new DataView(pool.buffer)
let used = pool.length

let lastMs: number | undefined
let sequence = 0

/**
 * The id contains the given time, or the host's. The ids of one process in the same millisecond are
 * in order too, because events of one instant are listed by id.
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
  sequence = msecs === lastMs ? sequence + 1 : start
  lastMs = msecs
  return v7({ random, msecs, seq: sequence })
}
