import { randomUUID } from 'node:crypto'
import {
  type ColumnType,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils'
import pg from 'pg'

// The types of PostgreSQL's catalogues, by object id. Prisma's own adapter does not know "char"
// (18), in which the catalogues keep their flags, and so cannot read a schema.
const TYPES: Readonly<Record<number, ColumnType>> = {
  16: ColumnTypeEnum.Boolean,
  18: ColumnTypeEnum.Character,
  19: ColumnTypeEnum.Text,
  20: ColumnTypeEnum.Int64,
  21: ColumnTypeEnum.Int32,
  23: ColumnTypeEnum.Int32,
  25: ColumnTypeEnum.Text,
  26: ColumnTypeEnum.Int64,
  1003: ColumnTypeEnum.TextArray,
  1009: ColumnTypeEnum.TextArray,
  1043: ColumnTypeEnum.Text,
  1184: ColumnTypeEnum.DateTime,
}

/** The engine accepts an instant only as ISO text, of which `pg` makes a Date. */
const PARSERS: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.TIMESTAMPTZ
      ? (text: string) => new Date(text).toISOString()
      : pg.types.getTypeParser(id, format),
}

/**
 * Gives Prisma's schema engine a database to read, and empty ones beside it to replay migrations
 * in. Prisma's own adapter serves queries, not migrations: it cuts a file at every semicolon, a
 * function's body too.
 */
export function engineAdapter(url: string): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: 'lamplighter-schema',
    connect: async () => adapt(await open(url)),
    connectToShadowDb: () => connectToShadow(url),
  }
}

async function connectToShadow(url: string): Promise<SqlDriverAdapter> {
  const name = `shadow_${randomUUID().replaceAll('-', '')}`
  const admin = await open(url)
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  const shadow = adapt(await open(sibling(url, name)))
  return {
    ...shadow,
    dispose: async () => {
      await shadow.dispose()
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}

/** The URL of another database of the same server. */
function sibling(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // The engine closes no connection of its own; the end of the private server does.
  client.on('error', () => {})
  await client.connect()
  return client
}

function adapt(client: pg.Client): SqlDriverAdapter {
  return {
    provider: 'postgres',
    adapterName: 'lamplighter-schema',
    queryRaw: (query) => ask(client, query),
    executeRaw: async (query) => (await client.query(query.sql, query.args)).rowCount ?? 0,
    executeScript: async (script) => {
      await client.query(script).catch(translate)
    },
    startTransaction: () => Promise.reject(new Error('the schema engine opens no transactions')),
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
    dispose: () => client.end(),
  }
}

async function ask(client: pg.Client, { sql, args }: SqlQuery): Promise<SqlResultSet> {
  const { fields, rows } = await client
    .query<unknown[]>({ text: sql, values: args, rowMode: 'array', types: PARSERS })
    .catch(translate)
  return {
    columnNames: fields.map((field) => field.name),
    columnTypes: fields.map((field) => columnType(field)),
    rows,
  }
}

function columnType({ name, dataTypeID }: pg.FieldDef): ColumnType {
  const type = TYPES[dataTypeID]
  if (type === undefined) throw new Error(`column ${name} has the unknown type ${dataTypeID}`)
  return type
}

/** The engine reads errors of the database only in this form. */
function translate(error: unknown): never {
  if (!(error instanceof pg.DatabaseError)) throw error
  const { code = '', severity = '', message, detail, column, hint } = error
  throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint })
}
