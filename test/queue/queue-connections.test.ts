// The queues of a process on PostgreSQL need few connections: one listens for all workers, and if it
// ends, another one takes its place.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresEngine } from '../../src/queue/postgres-engine.ts'
import { QueueConnections } from '../../src/queue/queue-connections.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { soon } from '../support/soon.ts'

const NAMES = ['alpha', 'beta', 'gamma']

/** A worker asks every five seconds by itself; what a notification causes comes much sooner. */
const SOON = { timeout: 4_000, interval: 20 }

let database: FreshDatabase
let observer: pg.Client

beforeAll(async () => {
  database = await freshDatabase()
  observer = new pg.Client({ connectionString: database.url })
  await observer.connect()
})
afterAll(async () => {
  await observer.end()
  await database.drop()
})

async function pidsOf(condition: string): Promise<readonly number[]> {
  const { rows } = await observer.query(
    `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'lamplighter queues' AND ${condition}`,
  )
  return rows.map(({ pid }) => pid)
}

const listening = () => pidsOf(`query ~ '(^|\\n)LISTEN '`)

function openWorkers() {
  const engine = postgresEngine(database.url, 16, () => {})
  const done: string[] = []
  const workers = NAMES.map((name) =>
    engine.openWorker(name, async ({ queueName, id }) => void done.push(`${queueName} ${id}`), {}),
  )
  for (const worker of workers) worker.on('error', () => {})
  const queues = NAMES.map((name) => engine.openQueue(name, {}))
  const replies = engine.openReplies()
  const add = (n: number) =>
    Promise.all(queues.map((queue) => queue.add('job', { items: [] }, { jobId: `job-${n}` })))
  async function close(): Promise<void> {
    await Promise.all([...workers, ...queues].map((one) => one.close()))
    await replies.close()
    await engine.close()
  }
  return { engine, done, replies, add, [Symbol.asyncDispose]: close }
}

describe('the queues of a process on PostgreSQL', () => {
  it('listen on one connection, whatever the number of workers, and close it', async () => {
    {
      await using service = openWorkers()
      await expect.poll(listening).toHaveLength(1)
      await service.add(1)
      await expect
        .poll(() => service.done.toSorted(), SOON)
        .toEqual(NAMES.map((name) => `${name} job-1`))
      expect((await pidsOf('true')).length).toBeLessThanOrEqual(16)
      expect(await listening()).toHaveLength(1)
    }
    await expect.poll(() => pidsOf('true')).toEqual([])
  })

  it('listen on another one when it ends, and all of them', async () => {
    await using service = openWorkers()
    await expect.poll(listening).toHaveLength(1)
    const [killed = 0] = await listening()
    await observer.query('SELECT pg_terminate_backend($1)', [killed])
    await expect.poll(listening).not.toEqual([killed])
    await expect.poll(listening).toHaveLength(1)
    let isWoken = false
    service.replies.expect('row', () => {
      isWoken = true
    })
    // The workers subscribe one after the other. Those that have not yet would come by themselves,
    // but not twice so soon.
    let jobs = 1
    const areSubscribed = async () => {
      jobs += 1
      await service.add(jobs)
      const wanted = NAMES.map((name) => `${name} job-${jobs}`)
      const isDone = () => expect(wanted.every((one) => service.done.includes(one))).toBe(true)
      return soon(isDone, { timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(async () => (await areSubscribed()) && (await areSubscribed())).toBe(true)
    await observer.query('SELECT pg_notify($1, $2)', [service.replies.address, 'row'])
    await expect.poll(() => isWoken, SOON).toBe(true)
  })

  it('prepare each statement once on a connection', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    // The server may end the last connection itself, when the database is dropped: the pool reports
    // it while the connection is idle, and the connection itself before and after.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    const connections = new QueueConnections(pool)
    for (const n of [1, 2, 3]) await connections.query('SELECT $1::integer AS n', [n])
    const { rows } = await pool.query('SELECT statement FROM pg_prepared_statements')
    expect(rows).toEqual([{ statement: 'SELECT $1::integer AS n' }])
    await connections.end()
  })
})
