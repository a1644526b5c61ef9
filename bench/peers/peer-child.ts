// A payments service in its smallest form around one library: a request writes a row and a job, a job
// orders the payment, makes the row final and writes an event, and the waiting caller gets the outcome.
// usage: peer-child.ts <library>

import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'
import { answerParent } from '../child.ts'
import { openBullmq } from './bullmq-jobs.ts'
import { openGraphileWorker } from './graphile-worker-jobs.ts'
import type { Jobs, OpenJobs, Stores } from './jobs.ts'
import { openPgBoss } from './pg-boss-jobs.ts'

const LIBRARIES: Readonly<Record<string, OpenJobs>> = {
  'pg-boss': openPgBoss,
  'graphile-worker': openGraphileWorker,
  BullMQ: openBullmq,
}

const TABLES = `
  CREATE TABLE charge (
    id uuid PRIMARY KEY,
    idempotency_key text NOT NULL UNIQUE,
    payment_method_id text NOT NULL,
    total numeric NOT NULL,
    status text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE ledger (
    key uuid PRIMARY KEY,
    amount numeric NOT NULL,
    outcome text NOT NULL
  );
  CREATE TABLE event (
    id uuid PRIMARY KEY,
    charge_id uuid NOT NULL REFERENCES charge (id),
    type text NOT NULL,
    body jsonb NOT NULL
  )`

const ACCEPT = {
  name: 'accept',
  text: `INSERT INTO charge (id, idempotency_key, payment_method_id, total, status)
    VALUES ($1, $2, $3, $4, 'PENDING')`,
}

/** The ledger of a sandbox gateway, which approves everything, and the same order only once. */
const ORDER = {
  name: 'order',
  text: `INSERT INTO ledger (key, amount, outcome)
    SELECT id, total, 'approved' FROM charge WHERE id = $1 AND status = 'PENDING'
    ON CONFLICT DO NOTHING`,
}

const RECORD = {
  name: 'record',
  text: `WITH final AS (
      UPDATE charge SET status = 'SUCCESS', updated_at = now()
      WHERE id = $1 AND status = 'PENDING' RETURNING *
    )
    INSERT INTO event (id, charge_id, type, body)
    SELECT $2, id, 'update_transaction', to_jsonb(final) FROM final RETURNING charge_id`,
}

/** The two pools of a peer together are as large as the pools of the service. */
const CONNECTIONS = 16

interface Charge {
  readonly payment_method_id: string
  readonly total: number
}

answerParent(async (stores: Stores) => {
  const open = LIBRARIES[process.argv[2] ?? '']
  if (open === undefined) throw new Error('usage: peer-child.ts <library>')
  const pool = new pg.Pool({ connectionString: stores.databaseUrl, max: CONNECTIONS })
  await pool.query(TABLES)
  const waiting = new Map<string, () => void>()
  const jobs = await open(stores, async (id) => {
    await pool.query({ ...ORDER, values: [id] })
    await pool.query({ ...RECORD, values: [id, randomUUID()] })
    waiting.get(id)?.()
  })

  const app = fastify()
  app.post<{ Body: Charge; Headers: { 'idempotency-key': string } }>('/charge', async (request) => {
    const id = randomUUID()
    const { payment_method_id, total } = request.body
    const final = new Promise<void>((resolve) => waiting.set(id, resolve))
    await accept(pool, jobs, [id, request.headers['idempotency-key'], payment_method_id, total])
    await jobs.committed(id)
    await final
    waiting.delete(id)
    return { id, payment_method_id, total, status: 'SUCCESS' }
  })
  return { address: await app.listen({ host: '127.0.0.1', port: 0 }) }
})

async function accept(pool: pg.Pool, jobs: Jobs, values: [string, ...unknown[]]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query({ ...ACCEPT, values })
    await jobs.enqueue(client, values[0])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}
