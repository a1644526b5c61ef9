// Deletes the queues, as an operator may do by mistake, on either store.

import { Redis } from 'ioredis'
import pg from 'pg'
import type { PrivateRedis } from './redis.ts'

/** `jobs` keeps the schedulers, which then wait for a next job that is gone. */
export type Flushed = 'everything' | 'jobs'

export interface QueueStore {
  readonly databaseUrl: string
  /** undefined if the queues are in the database. */
  readonly redis: PrivateRedis | undefined
}

const DEADLOCK = '40P01'

/** Each try costs the second after which PostgreSQL looks for a deadlock. */
const TRIES = 20

/** The lists of waiting and running jobs; without them the jobs' own data is never found. */
const LISTS = /:(wait|active|delayed|prioritized)$/

export async function flushQueues(
  { databaseUrl, redis }: QueueStore,
  what: Flushed,
): Promise<void> {
  if (redis === undefined) await truncate(databaseUrl, what)
  else if (what === 'everything') await redis.flush()
  else await removeJobs(redis)
}

async function removeJobs({ port }: PrivateRedis): Promise<void> {
  const client = new Redis(port, '127.0.0.1')
  const keys = (await client.keys('lamplighter:*')).filter((key) => LISTS.test(key))
  if (keys.length > 0) await client.del(keys)
  client.disconnect()
}

/** The ledger of BullMQ's schema stays: it is no part of a queue. */
async function truncate(databaseUrl: string, what: Flushed): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ tables: string }>(
      `SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename) AS tables
       FROM pg_tables WHERE schemaname = 'bullmq' AND tablename <> 'migration'`,
    )
    const all = rows[0]?.tables ?? ''
    const flush = `TRUNCATE ${what === 'jobs' ? 'bullmq.job CASCADE' : all}`
    await untilNoDeadlock(() => client.query(flush), TRIES)
  } finally {
    await client.end()
  }
}

/** A working process holds locks on some of the tables, and waits for others. */
async function untilNoDeadlock(flush: () => Promise<unknown>, tries: number): Promise<void> {
  try {
    await flush()
  } catch (error) {
    if (tries === 1 || !(error instanceof pg.DatabaseError) || error.code !== DEADLOCK) throw error
    await untilNoDeadlock(flush, tries - 1)
  }
}
