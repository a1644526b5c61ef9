// Packets to PostgreSQL are swallowed: connections stay open, and nothing is answered on them.

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '../../src/db/pool.ts'
import { silentConnections } from '../../src/db/silent-connections.ts'
import { buildProxies, type ServerProxy } from '../chaos/proxies.ts'
import { freshDatabase } from '../support/postgres.ts'

const STATEMENT_MS = 500

/** The server's time to end a statement, and the time of a check or two. */
const FOUND_OUT_MS = STATEMENT_MS + 6_000

describe('a connection that is dead without a signal', { timeout: 30_000 }, () => {
  let proxy: ServerProxy
  let pools: pg.Pool[]
  let drop: () => Promise<void>
  let url: string

  beforeEach(async () => {
    const database = await freshDatabase()
    const behind = new URL(database.url)
    const proxies = buildProxies()
    proxy = await proxies.proxy()
    await proxies.open(Number(behind.port))
    behind.port = String(proxy.port)
    url = behind.href
    pools = []
    drop = async () => {
      await Promise.all(pools.map((pool) => pool.end()))
      await proxies.shut()
      await database.drop()
    }
  })
  afterEach(() => drop())

  function open(options: { readonly most: number; readonly askAfterMs?: number }): pg.Pool {
    const shared = { name: 'test', onError: () => {}, statementTimeoutMs: STATEMENT_MS }
    const pool = openPool(url, { ...shared, silent, ...options })
    pools.push(pool)
    return pool
  }
  const silent = silentConnections()

  it('is ended once its statement is long overdue', async () => {
    const pool = open({ most: 1 })
    await pool.query('SELECT 1')
    proxy.swallow()
    const asked = performance.now()
    const answer = pool.query('SELECT 1').catch((error) => error.name)
    proxy.heal()
    expect(await answer).toBe('DatabaseAway')
    expect(performance.now() - asked).toBeLessThan(FOUND_OUT_MS)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('takes with it the other connections that were as silent, of any pool', async () => {
    const [first, second] = [open({ most: 1 }), open({ most: 4 })]
    const clients = await Promise.all(Array.from({ length: 4 }, () => second.connect()))
    for (const client of clients) client.release()
    await first.query('SELECT 1')
    proxy.swallow()
    const answer = first.query('SELECT 1').catch((error) => error.name)
    proxy.heal()
    expect(await answer).toBe('DatabaseAway')
    const asked = performance.now()
    await Promise.all(clients.map(() => second.query('SELECT 1')))
    // A dead one would be given up after three and a half seconds.
    expect(performance.now() - asked).toBeLessThan(STATEMENT_MS + 2_000)
  })

  it('is noticed even if it only listens', async () => {
    const client = await open({ most: 1, askAfterMs: 500 }).connect()
    const ended = new Promise((resolve) => client.on('error', resolve))
    await client.query('LISTEN anything')
    proxy.swallow()
    expect(await ended).toBeInstanceOf(Error)
    client.release(true)
    proxy.heal()
  })

  it('is not one whose statement takes long, or that is idle', async () => {
    const pool = open({ most: 2, askAfterMs: 500 })
    const listening = await pool.connect()
    let isEnded = false
    listening.on('error', () => {
      isEnded = true
    })
    await listening.query('LISTEN anything')
    await pool.query(`SET statement_timeout = 0; SELECT pg_sleep(${FOUND_OUT_MS / 4_000})`)
    await delay(STATEMENT_MS)
    expect(isEnded).toBe(false)
    listening.release()
  })
})
