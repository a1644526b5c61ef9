// Connections to endpoints. A connection is reused only for the same origin at the same addresses,
// so requests go only to addresses that were checked.

import { isIP, type LookupFunction } from 'node:net'
import type { Pool } from 'undici'
import { MINUTE, SECOND } from '../../core/time-units.ts'

type Undici = typeof import('undici')

interface Kept {
  readonly pool: Pool
  usedMs: number
}

/** The most endpoints with connections. The least recently used one is closed first. */
const MOST_POOLS = 500

/** As many as the sends under way, so that endpoints of one origin do not wait for a slow one. */
const MOST_CONNECTIONS = 256

/** Longer than any attempt, so that a closed pool has no request under way. */
const IDLE_MS = MINUTE

/** Many servers close idle connections after five seconds, which must not happen during a post. */
const CONNECTION_IDLE_MS = 4 * SECOND

/**
 * A post's own signal ends its wait earlier. This ends a connection attempt that no post waits for.
 */
const CONNECT_MS = 15 * SECOND

/**
 * The most for one of several addresses, after which it is given up for the next. Node gives up
 * after 250 ms: too early for a far address, and for a first packet that was lost and is sent
 * again after a second.
 */
const CONNECT_ONE_MS = 3 * SECOND

export class Pools {
  /** Certificates trusted instead of the platform's own list. */
  readonly #ca: string | undefined
  /** The least recently used one first. */
  readonly #kept = new Map<string, Kept>()

  constructor(ca: string | undefined) {
    this.#ca = ca
  }

  get size(): number {
    return this.#kept.size
  }

  /** `addresses` must be sorted. */
  of(undici: Undici, origin: string, addresses: readonly string[]): Pool {
    const key = `${origin} ${addresses.join()}`
    const nowMs = performance.now()
    const kept = this.#kept.get(key) ?? { pool: this.#open(undici, origin, addresses), usedMs: 0 }
    kept.usedMs = nowMs
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    this.#closeOld(nowMs)
    return kept.pool
  }

  async close(): Promise<void> {
    const pools = [...this.#kept.values()].map(({ pool }) => pool.destroy())
    this.#kept.clear()
    await Promise.all(pools)
  }

  #open({ Pool }: Undici, origin: string, addresses: readonly string[]): Pool {
    return new Pool(origin, {
      connect: {
        lookup: pinnedTo(addresses),
        autoSelectFamily: true,
        // The last one has a share of the time too, however many there are.
        autoSelectFamilyAttemptTimeout: Math.floor(
          Math.min(CONNECT_ONE_MS, CONNECT_MS / (addresses.length + 1)),
        ),
        timeout: CONNECT_MS,
        ...(this.#ca !== undefined && { ca: this.#ca }),
      },
      connections: MOST_CONNECTIONS,
      keepAliveTimeout: CONNECTION_IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // A post's signal is its only time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  #closeOld(nowMs: number): void {
    for (const [key, { pool, usedMs }] of this.#kept) {
      if (this.#kept.size <= MOST_POOLS && nowMs - usedMs < IDLE_MS) return
      this.#kept.delete(key)
      // Requests under way still finish.
      pool.close().catch(() => {})
    }
  }
}

/** The name is not resolved a second time, because its addresses might differ by then. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, { all: isForAll }, callback) => {
    if (isForAll) callback(null, all)
    else callback(null, all[0]?.address ?? '', all[0]?.family)
  }
}
