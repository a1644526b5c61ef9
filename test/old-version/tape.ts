// The statements that a version sends to PostgreSQL, in the order in which they ended, with the
// result of each: recorded from its connections, and replayed on our own. A value is kept in its
// wire form.

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import pg from 'pg'

/** `pg` converts a value for the wire with this; its types omit it. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue(value: unknown): string | Buffer | null
}

/** One line of the tape. */
export interface RecordedStep {
  /** Connections are sessions: a transaction ends on the connection that began it. */
  readonly connection: number
  /** The settings that the connection began with, since they affect how a statement is planned. */
  readonly options: string
  readonly text: string
  readonly values: readonly (string | null)[]
  /** The number of rows that it answered or changed, or the SQLSTATE of its refusal. */
  readonly outcome: number | string
}

interface Recording {
  readonly steps: readonly RecordedStep[]
  stop(): void
}

type Query = (...args: unknown[]) => unknown
type Callback = (error: unknown, result: { rowCount: number | null } | undefined) => void

/** Only the service's own pools are recorded; the queues are BullMQ's. */
const RECORDED = 'lamplighter'

export function record(): Recording {
  const steps: RecordedStep[] = []
  const connections = new Map<pg.Client, number>()
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  prototype.query = function recorded(this: pg.Client, ...args: unknown[]): unknown {
    const asked = askedOf(args)
    if (parameterOf(this, 'application_name') !== RECORDED || asked === undefined)
      return query.apply(this, args)
    const connection = connections.get(this) ?? connections.size
    connections.set(this, connection)
    const options = String(parameterOf(this, 'options'))
    const keep = (outcome: RecordedStep['outcome']) =>
      steps.push({ connection, options, ...asked, outcome })
    const keepOutcome: Callback = (error, result) => {
      keep(error instanceof pg.DatabaseError ? (error.code ?? '') : (result?.rowCount ?? 0))
    }
    const last = args.at(-1)
    if (typeof last === 'function') {
      const callback: Callback = (error, result) => {
        keepOutcome(error, result)
        last(error, result)
      }
      return query.apply(this, [...args.slice(0, -1), callback])
    }
    const answer = query.apply(this, args) as Promise<{ rowCount: number | null }>
    answer.then(
      (result) => keepOutcome(undefined, result),
      (error) => keepOutcome(error, undefined),
    )
    return answer
  }
  return {
    steps,
    stop() {
      prototype.query = query
    },
  }
}

/** Replays on as many connections as were recorded, one statement after the other. */
export async function play(
  databaseUrl: string,
  steps: readonly RecordedStep[],
): Promise<readonly RecordedStep[]> {
  const clients = new Map<number, pg.Client>()
  const played: RecordedStep[] = []
  try {
    for (const step of steps) {
      const { connection, options } = step
      const client =
        clients.get(connection) ?? new pg.Client({ connectionString: databaseUrl, options })
      if (!clients.has(step.connection)) await client.connect()
      clients.set(step.connection, client)
      played.push({ ...step, outcome: await outcomeOf(client, step) })
    }
  } finally {
    await Promise.all([...clients.values()].map((client) => client.end()))
  }
  return played
}

/** A text that came before is replaced by the first eight digits of its hash. */
export function written(steps: readonly RecordedStep[]): string {
  const known = new Set<string>()
  const named = (text: string) => {
    const name = hashOf(text)
    if (known.has(name)) return name
    known.add(name)
    return text
  }
  const lines = steps.map(({ connection, options, text, values, outcome }) =>
    JSON.stringify([connection, named(options), named(text), values, outcome]),
  )
  return `${lines.join('\n')}\n`
}

export function read(tape: string): readonly RecordedStep[] {
  const known = new Map<string, string>()
  const meant = (textOrName: string) => {
    const text = known.get(textOrName) ?? textOrName
    known.set(hashOf(text), text)
    return text
  }
  return tape
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [connection, options, text, values, outcome] = JSON.parse(line)
      return { connection, options: meant(options), text: meant(text), values, outcome }
    })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

function askedOf([first, second]: unknown[]): Pick<RecordedStep, 'text' | 'values'> | undefined {
  if (typeof first === 'string') return { text: first, values: wired(second) }
  const { text, values } = first as { text?: unknown; values?: unknown }
  return typeof text === 'string' ? { text, values: wired(values) } : undefined
}

function wired(values: unknown): readonly (string | null)[] {
  if (!Array.isArray(values)) return []
  return values.map((value) => {
    const prepared = prepareValue(value)
    return Buffer.isBuffer(prepared) ? `\\x${prepared.toString('hex')}` : prepared
  })
}

function parameterOf(client: pg.Client, name: string): unknown {
  return Reflect.get(Reflect.get(client, 'connectionParameters'), name)
}

async function outcomeOf(
  client: pg.Client,
  { text, values }: RecordedStep,
): Promise<RecordedStep['outcome']> {
  try {
    return (await client.query(text, [...values])).rowCount ?? 0
  } catch (error) {
    return error instanceof pg.DatabaseError ? `${error.code} ${error.message}` : String(error)
  }
}
