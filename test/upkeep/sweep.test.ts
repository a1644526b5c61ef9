// The sweep: when a kind of work cannot be read, and among many rows without due work.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { sweep } from '../../src/upkeep/sweep.ts'
import type { World } from '../../src/world.ts'
import { type Explained, explaining } from '../support/explained.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterAll(() => service.close())

/** A world in which statements with one of these texts fail. Returns the rounds that it starts. */
function broken(...texts: readonly string[]) {
  const { world } = service
  const started: string[] = []
  const query: World['db']['query'] = async (text, values) => {
    const found = texts.find((one) => text.includes(one))
    if (found !== undefined) throw new Error(`${found} is corrupt`)
    return world.db.query(text, values)
  }
  const limits = { ...world.limits, forgetEnded: async () => void started.push('limits') }
  const startRound = (queue: string) => started.push(queue)
  const queues = { startRound, nudgeOverdue: async () => {} } as unknown as World['queues']
  return { started, world: { ...world, db: { ...world.db, query }, limits, queues } }
}

const ALL = ['email', 'sms', 'webhook', 'limits']

describe('a sweep', () => {
  it('does all kinds', async () => {
    const { world, started } = broken()
    await sweep(world)
    expect(started).toEqual(ALL)
  })

  it.each(['UPDATE transaction', 'FROM batch', 'FROM account', 'FROM schedule'])(
    'does the others if one fails, and then fails too: %s',
    async (text) => {
      const { world, started } = broken(text)
      await expect(sweep(world)).rejects.toThrow(`${text} is corrupt`)
      expect(started).toEqual(ALL)
    },
  )

  it('names every failure', async () => {
    const { world } = broken('UPDATE transaction', 'SELECT due_at, account_id, id FROM batch')
    await expect(sweep(world)).rejects.toThrow(/transaction is corrupt; .*batch is corrupt/)
  })
})

/** Rows like one that exists. */
const copies = (table: string) => `
  ALTER TABLE ${table} SET (autovacuum_enabled = off);
  INSERT INTO ${table} SELECT r.* FROM ${table} t, generate_series(1, 10000) n,
    jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
      'idempotency_id', gen_random_uuid(), 'token', md5(n::text))) r`

describe('a sweep of large tables without due work', () => {
  it('reads a few pages of each, whatever statistics the database has', async () => {
    await using busy = await openTestService({ backend: 'postgres' })
    const { headers } = await busy.merchant()
    const made = async (path: string, body: object): Promise<string> => {
      const answer = await call(busy.app, 'POST', path, headers, body)
      expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
      return answer.body.id
    }
    const customer_id = await made('/customer', { firstname: 'Ada', email: 'ada@example.com' })
    const payment_method_id = await made('/payment-method', { ...CARD, customer_id })
    const bill = { total: 1, payment_method_id, customer_id }
    await made('/charge', bill)
    await made('/invoice', bill)
    await made('/invoice/schedule', { ...bill, rule: 'FREQ=DAILY' })
    const client = new pg.Client(busy.databaseUrl)
    await client.connect()
    await client.query('SET session_replication_role = replica')
    for (const table of ['transaction', 'invoice', 'schedule']) {
      await client.query(copies(table))
    }
    for (const statistics of ['SELECT', 'ANALYZE']) {
      await client.query(statistics)
      const kept: Explained[] = []
      const db = { ...busy.world.db, query: explaining(client, kept) as Query }
      expect(await sweep({ ...busy.world, db })).toBe(0)
      for (const { text, buffers } of kept) expect(buffers, text).toBeLessThan(20)
      expect(kept.length).toBeGreaterThan(9)
    }
    await client.end()
  })
})
