// Reads and writes the rows of Prisma's models in SQL statements. Types and columns come from the
// schema, so a new column appears in every column list automatically.

import { objectMaker } from '../core/object-maker.ts'
import { snakeCase } from '../core/snake-case.ts'
import { Prisma } from '../generated/browser.ts'
import type { Query } from './database.ts'
import { BETWEEN_JSON, instantText, type Row } from './gathered.ts'

type Model =
  | 'Batch'
  | 'Customer'
  | 'Delivery'
  | 'Dispute'
  | 'Event'
  | 'Invoice'
  | 'Item'
  | 'OutboxMessage'
  | 'PaymentLink'
  | 'PaymentMethod'
  | 'RecentRequest'
  | 'Reversal'
  | 'Schedule'
  | 'StoppedAddress'
  | 'Transaction'
  | 'Webhook'

/** A statement that writes whole rows. `$1` is the result of `json`. */
export interface RowWrite<T> {
  readonly text: string
  readonly json: (rows: readonly T[]) => string
}

export interface Columns<T> {
  /** The select list. Each column gets a name that no other table of the statement uses. */
  readonly list: string
  readonly read: (row: Row) => T
  /** The row, deleted or not. */
  readonly find: (query: Query, key: RowKey) => Promise<T | undefined>
  /** The same, locked until the commit. */
  readonly hold: (query: Query, key: RowKey, lock: Lock) => Promise<T | undefined>
  /** Inserts the rows as they are. */
  readonly insert: (query: Query, ...rows: readonly T[]) => Promise<void>
  /** The same, but skips rows that a unique key refuses. Returns the ids of the inserted rows. */
  readonly insertNew: (query: Query, ...rows: readonly T[]) => Promise<ReadonlySet<string>>
  /** Updates the rows with these keys. Columns that never change stay as they are. */
  readonly update: (query: Query, ...rows: readonly T[]) => Promise<void>
  /** As `insert` and `update` send them, for a statement that writes other rows as well. */
  readonly insertion: RowWrite<T>
  readonly change: RowWrite<T>
}

/** The key of a row: the account first, as in every key of the database. */
export interface RowKey {
  readonly accountId: string
  readonly id: string
}

export type Lock = 'FOR UPDATE' | 'FOR NO KEY UPDATE' | 'FOR KEY SHARE'

const FIXED = new Set(['account_id', 'id', 'created_at'])

/** A large value that is stored beside its row is not stored once more if it is the same. */
const UNCHANGED_META = 'CASE WHEN t.meta = r.meta THEN t.meta ELSE r.meta END'

/**
 * `alias` is the table's name in the statement. `bigints` are the properties that `pg` returns as
 * text. `properties` limits the columns, if not all are needed.
 */
export function columnsOf<T>(
  model: Model,
  alias: string,
  bigints: readonly (keyof T & string)[] = [],
  properties: readonly string[] = Object.keys(Prisma[`${model}ScalarFieldEnum`]),
): Columns<T> {
  const parts = properties.map((property) => ({
    property,
    column: snakeCase(property),
    name: `${alias}_${snakeCase(property)}`,
    isBigint: (bigints as readonly string[]).includes(property),
  }))
  const list = parts.map(({ column, name }) => `${alias}.${column} AS ${name}`).join(', ')
  const read = objectMaker<Row>(
    parts.map(({ property, name, isBigint }) => ({
      name: property,
      from: name,
      by: isBigint ? bigintOrNull : undefined,
    })),
  ) as (row: Row) => T
  const table = snakeCase(model).slice(1)
  const { insertion, change } = writesOf<T>(table, parts)
  const send = (query: Query, { text, json }: RowWrite<T>, rows: readonly T[]) =>
    rows.length === 0 ? [] : query(text, [json(rows)])
  const find = async (query: Query, { accountId, id }: RowKey, lock: Lock | '' = '') => {
    const text = `SELECT ${list} FROM ${table} ${alias} WHERE account_id = $1 AND id = $2 ${lock}`
    const [row] = await query(text, [accountId, id])
    return row && read(row)
  }
  const isNew = { ...insertion, text: `${insertion.text} ON CONFLICT DO NOTHING RETURNING id` }
  return {
    list,
    read,
    insertion,
    change,
    find,
    hold: find,
    async insert(query, ...rows) {
      await send(query, insertion, rows)
    },
    async insertNew(query, ...rows) {
      return new Set((await send(query, isNew, rows)).map(({ id }) => id))
    },
    async update(query, ...rows) {
      await send(query, change, rows)
    },
  }
}

function writesOf<T>(table: string, parts: readonly Part[]) {
  const columns = parts.map(({ column }) => column)
  const listed = columns.join(', ')
  const changes = columns
    .filter((column) => !FIXED.has(column))
    .map((name) => `${name} = ${name === 'meta' ? UNCHANGED_META : `r.${name}`}`)
  const recordsOf = recordsBy<T>(parts)
  const insertion = {
    text: `INSERT INTO ${table} (${listed})
    SELECT ${listed} FROM json_populate_recordset(NULL::${table}, $1) AS r`,
    json: (rows: readonly T[]) => JSON.stringify(recordsOf(rows)),
  }
  // The planner knows the length of an array but not of JSON. So for one row it reads no whole
  // table.
  const change = {
    text: `UPDATE ${table} t SET ${changes.join(', ')}
    FROM unnest(string_to_array($1, chr(${BETWEEN_JSON.charCodeAt(0)}))::json[]) AS one,
      json_populate_record(NULL::${table}, one) AS r
    WHERE t.account_id = r.account_id AND t.id = r.id`,
    json: (rows: readonly T[]) =>
      recordsOf(rows)
        .map((record) => JSON.stringify(record))
        .join(BETWEEN_JSON),
  }
  return { insertion, change }
}

function bigintOrNull(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

interface Part {
  readonly property: string
  readonly column: string
}

/** By column name. A bigint travels as text, and an absent value becomes null. */
function recordsBy<T>(parts: readonly Part[]) {
  const recordOf = (row: T) => {
    const record: Record<string, unknown> = {}
    for (const { property, column } of parts) {
      const value = (row as Readonly<Record<string, unknown>>)[property]
      if (value !== null && value !== undefined) record[column] = jsonValue(value)
    }
    return record
  }
  return (rows: readonly T[]) => rows.map(recordOf)
}

function jsonValue(value: unknown): unknown {
  if (value instanceof Date) return instantText(value)
  return typeof value === 'bigint' ? String(value) : value
}
