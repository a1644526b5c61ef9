// Connections to endpoints. A connection is reused only for the same origin at the same addresses,
// so requests go only to addresses that were checked.

import { isIP, type LookupFunction } from 'node:net'
import type { Pool } from 'undici'
import { MINUTE, SECOND } from '../../core/time-units.ts'

type Undici = typeof import('undici')

export interface PoolRules {
  /** Certificates trusted instead of the platform's own list. */
  readonly ca: string | undefined
}

interface Kept {
  readonly pool: Pool
  usedMs: number
}

/** Endpoints with connections, at most; the one that was used longest ago makes room. */
const MOST_POOLS = 500

/** As many as are on their way at once: who shares an origin with a slow one need not wait. */
const MOST_CONNECTIONS = 256

/** Longer than any attempt may take, so that nobody is on the way in a pool that is closed. */
const IDLE_MS = MINUTE

/** Many servers close what is idle after five seconds; a post must not meet that. */
const CONNECTION_IDLE_MS = 4 * SECOND

/** The signal of a post ends its wait sooner; this ends a connection that nobody waits for. */
const CONNECT_MS = 15 * SECOND

export class Pools {
  readonly #rules: PoolRules
  /** The one that was used longest ago first. */
  readonly #kept = new Map<string, Kept>()

  constructor(rules: PoolRules) {
    this.#rules = rules
  }

  get size(): number {
    return this.#kept.size
  }

  /** `addresses` in an order that is always the same. */
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
    const { ca } = this.#rules
    return new Pool(origin, {
      connect: {
        lookup: pinnedTo(addresses),
        autoSelectFamily: true,
        timeout: CONNECT_MS,
        ...(ca === undefined ? {} : { ca }),
      },
      connections: MOST_CONNECTIONS,
      keepAliveTimeout: CONNECTION_IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // The signal of a post is the only limit of its time.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  #closeOld(nowMs: number): void {
    for (const [key, { pool, usedMs }] of this.#kept) {
      if (this.#kept.size <= MOST_POOLS && nowMs - usedMs < IDLE_MS) return
      this.#kept.delete(key)
      // It lets those on their way arrive.
      pool.close().catch(() => {})
    }
  }
}

/** A name is not asked for a second time: it might be somewhere else by then. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, { all: isForAll }, callback) => {
    if (isForAll) callback(null, all)
    else callback(null, all[0]?.address ?? '', all[0]?.family)
  }
}
