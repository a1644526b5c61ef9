// The limit of statements that make rows: the same rows, written again by plain inserts of many
// rows each, without any other work.

import pg from 'pg'
import { SECOND } from '../src/core/time-units.ts'

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** The values of each row, as the database writes them. */
  readonly rows: readonly (readonly (string | null)[])[]
}

/**
 * The tables in the order of their references, each with the column that keeps the rows of a run
 * together.
 */
const TABLES = {
  invoice: 'id',
  bill_name: 'invoice_id',
  transaction: 'invoice_id',
  schedule_run: 'invoice_id',
  event: 'created_at',
}

/** Every value stays text, and is sent unchanged. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

export async function readRows(client: pg.Client): Promise<readonly Table[]> {
  const tables: Table[] = []
  for (const [name, order] of Object.entries(TABLES)) {
    const text = `SELECT * FROM ${name} ORDER BY ${order}`
    const { rows, fields } = await client.query({ text, rowMode: 'array', types: AS_TEXT })
    tables.push({ name, columns: fields.map((field) => `"${field.name}"`), rows })
  }
  return tables
}

/**
 * Returns the seconds: chunks of so many runs, each a commit of one statement for each table, over
 * so many connections.
 */
export async function writeRows(
  url: string,
  tables: readonly Table[],
  options: { readonly runsAChunk: number; readonly connections: number },
): Promise<number> {
  const runs = tables.find(({ name }) => name === 'schedule_run')?.rows.length ?? 0
  const chunks = Math.ceil(runs / options.runsAChunk)
  const clients = await Promise.all(
    Array.from({ length: options.connections }, () => connected(url)),
  )
  let next = 0
  const startedMs = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      while (next < chunks) await writeChunk(client, tables, next++ / chunks, 1 / chunks)
    }),
  )
  const seconds = (performance.now() - startedMs) / SECOND
  await Promise.all(clients.map((client) => client.end()))
  return seconds
}

async function writeChunk(
  client: pg.Client,
  tables: readonly Table[],
  from: number,
  share: number,
): Promise<void> {
  await client.query('BEGIN')
  for (const { name, columns, rows } of tables) {
    const [first, last] = [from, from + share].map((at) => Math.round(at * rows.length))
    const chunk = rows.slice(first, last)
    const values = chunk.map(
      (_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`)})`,
    )
    const text = `INSERT INTO ${name} (${columns}) VALUES ${values}`
    if (chunk.length > 0) await client.query(text, chunk.flat())
  }
  await client.query('COMMIT')
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // the statement under way fails with it
  await client.connect()
  return client
}
