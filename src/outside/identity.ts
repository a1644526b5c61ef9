// New ids: UUIDs of version 7, made by us, so that a row's id is known before the row is written.

import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const BYTES = 16

/** Random bytes are cheap by the page and dear by the id. */
const pool = new Uint8Array(256 * BYTES)
let used = pool.length

/** It holds that time, or else the host's. */
export function newId(msecs?: number): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + BYTES)
  used += BYTES
  return v7(msecs === undefined ? { random } : { random, msecs })
}
