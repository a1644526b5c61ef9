// The database for the rest of the service: gathered hot statements, and Prisma for everything
// else. Each has a pool of its own.

import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { gather } from '../core/gather.ts'
import { objectMaker } from '../core/object-maker.ts'
import { SECOND } from '../core/time-units.ts'
import { inTurn } from '../core/turns.ts'
import { PrismaClient } from '../generated/client.ts'
import { classified, isHeldUp, isRowsFault } from './failure.ts'
import { type GatheredStatement, type Row, valuesOf } from './gathered.ts'
import { openPool, type PoolSize, sizeOf } from './pool.ts'
import { committed, type Queries, type Query } from './queries.ts'
import { silentConnections } from './silent-connections.ts'

/**
 * Rows in one statement. With more rows each costs the database the same, and the first waits for
 * the last.
 */
const MOST_ROWS = 200

/** Rounds of one statement that may be under way at once. */
const ROUNDS_AT_ONCE = 2

/** The most connections of one process, by what they are for. */
export interface ConnectionShares {
  readonly hot: number
  readonly other: number
  /** Not opened if the queues are in Redis. */
  readonly queues: number
}

/**
 * The hot statements get ten of 34, so that each may have its rounds under way, and the queues get
 * 16.
 */
export function connectionShares(most: number): ConnectionShares {
  const hot = Math.round((most * 10) / 34)
  const other = Math.round((most * 8) / 34)
  return { hot, other, queues: most - hot - other }
}

/**
 * If a hot statement waits for a row, all callers of its round wait. So it soon continues without
 * that row. Our own commits hold a row for some milliseconds.
 */
const HOT_LOCK_TIMEOUT_MS = 100

/** Then the row is tried again separately, as long as a caller is willing to wait. */
const HELD_UP = { isBy: isHeldUp, pauseMs: 50, patienceMs: 15 * SECOND }

/** A hot statement takes milliseconds. */
const HOT_TIMEOUT_MS = 10 * SECOND

const OTHER_TIMEOUT_MS = 30 * SECOND

/** Other statements wait for a row on a connection that other callers need too. */
const LOCK_TIMEOUT_MS = 5 * SECOND

/**
 * A running statement ends this soon after its connection was closed: by `queryUntil`, or by the
 * end of a process. The server would notice it only when it sends the answer.
 */
const CLOSED_CHECK_MS = 1 * SECOND

/** As long as any caller waits for a connection. Prisma's own limit is shorter. */
const TRANSACTION_WAIT_MS = 5 * SECOND

/**
 * Planning a hot statement costs as much as running it. So plans are kept, and may only look rows
 * up by their keys. In three rounds of `npm run bench` on a busy machine, alternating with and
 * without these settings, a lone charge took 12 to 17 ms with them and 17 to 24 ms without.
 */
export const KEYED_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

/**
 * A plan that was made while its tables were empty must not stay, because every key looks equally
 * good then. A statement gets a new name, and so a new plan, each time its number of rounds has
 * doubled. With one permanent name a lone charge took 16 to 35 ms in the same rounds.
 */
function planName(name: string, rounds: number): string {
  return `${name} ${Math.floor(Math.log2(rounds + 1))}`
}

export type { Query } from './queries.ts'

export type Snapshot = <T>(read: (query: Query) => Promise<T>) => Promise<T>

export interface Database extends Queries {
  readonly prisma: PrismaClient
  /** Runs a hot statement with this input, together with all other inputs of the same moment. */
  ask<I, O>(statement: GatheredStatement<I, O>, input: I): Promise<O | undefined>
  /** A hot statement that returns many rows. It is prepared, and looks rows up by their keys. */
  readonly queryHot: (name: string, ...of: Parameters<Query>) => ReturnType<Query>
  /**
   * `query` until the signal, which ends the statement under way with its connection. Statements
   * then fail with the signal's reason.
   */
  readonly queryUntil: (signal: AbortSignal) => Query
  /** Reads by several statements that all see the same rows, whatever is written meanwhile. */
  readonly snapshot: Snapshot
  /** The same until the signal, as `queryUntil`. */
  readonly snapshotUntil: (signal: AbortSignal) => Snapshot
  /** The queue of `commit`, for code that reads a row and then changes it with one statement. */
  inTurn<T>(about: string, work: () => Promise<T>): Promise<T>
  poolSizes(): readonly PoolSize[]
  /** Queries both pools, as any caller would. Throws if one does not answer. */
  probe(): Promise<void>
  /** How long the oldest statement under way has waited for its answer. */
  longestWaitMs(): number
  /**
   * Lets Prisma load its query compiler. Otherwise the first caller would wait a fifth of a second.
   */
  warmUp(): Promise<void>
}

export interface DatabaseOptions {
  readonly name: string
  readonly connections: Pick<ConnectionShares, 'hot' | 'other'>
  readonly onError: (error: Error) => void
}

export function openDatabase(
  databaseUrl: string,
  { connections, ...options }: DatabaseOptions,
): Database {
  const silent = silentConnections()
  const hotPool = openPool(databaseUrl, {
    ...options,
    silent,
    most: connections.hot,
    statementTimeoutMs: HOT_TIMEOUT_MS,
    settings: { ...KEYED_PLANS, lock_timeout: HOT_LOCK_TIMEOUT_MS },
  })
  const pool = openPool(databaseUrl, {
    ...options,
    silent,
    most: connections.other,
    statementTimeoutMs: OTHER_TIMEOUT_MS,
    settings: {
      lock_timeout: LOCK_TIMEOUT_MS,
      client_connection_check_interval: CLOSED_CHECK_MS,
    },
  })
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS },
  })
  const takeTurns = inTurn()
  const underWay = new Set<{ readonly atMs: number }>()
  /** Called once, at the next answer to a statement that is not hot. */
  const listening: (() => void)[] = []
  const hotRounds = new Map<string, number>()
  const gatherers = new Map<string, (input: unknown) => Promise<unknown>>()

  async function send(
    to: pg.Pool | pg.PoolClient,
    config: pg.QueryConfig,
  ): Promise<readonly Row[]> {
    const sent = { atMs: performance.now() }
    underWay.add(sent)
    try {
      const answer = await to.query<unknown[]>({ ...config, rowMode: 'array' })
      if (to !== hotPool) for (const hear of listening.splice(0)) hear()
      return rowsOf(answer)
    } catch (error) {
      throw classified(error)
    } finally {
      underWay.delete(sent)
    }
  }

  async function onOneUntil<T>(
    signal: AbortSignal,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect().catch((error) => {
      throw classified(error)
    })
    let isReleased = false
    const release = (isEnded: boolean) => {
      if (!isReleased) client.release(isEnded)
      isReleased = true
    }
    const end = () => release(true)
    signal.addEventListener('abort', end, { once: true })
    try {
      signal.throwIfAborted()
      return await work(client)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', end)
      release(false)
    }
  }

  function sendUntil(signal: AbortSignal, config: pg.QueryConfig): Promise<readonly Row[]> {
    return onOneUntil(signal, (client) => send(client, config))
  }

  function snapshotUntil(signal: AbortSignal): Snapshot {
    return (read) =>
      onOneUntil(signal, async (client) => {
        const query: Query = (text, values = []) => send(client, { text, values: [...values] })
        await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        try {
          return await read(query)
        } finally {
          await query('COMMIT')
        }
      })
  }

  const sendHot = (config: pg.QueryConfig) => send(hotPool, config)

  /** How often the statement ran before. */
  function count(name: string): number {
    const rounds = hotRounds.get(name) ?? 0
    hotRounds.set(name, rounds + 1)
    return rounds
  }

  function gathererOf<I, O>(statement: GatheredStatement<I, O>) {
    const known = gatherers.get(statement.name)
    if (known !== undefined) return known as (input: I) => Promise<O | undefined>
    const { name, sameBy, isPatient } = statement
    const run = (inputs: readonly I[]) =>
      runGathered(sendHot, planName(name, count(name)), statement, inputs)
    const made = gather<I, O | undefined>(sameBy === undefined ? run : eachOnce(run, sameBy), {
      most: MOST_ROWS,
      atOnce: isPatient ? 1 : ROUNDS_AT_ONCE,
      isOnesFault: isRowsFault,
      heldUp: { ...HELD_UP, groupOf: groupOf(statement) },
    })
    gatherers.set(statement.name, made as (input: unknown) => Promise<unknown>)
    return made
  }

  return {
    prisma,
    ask: (statement, input) => gathererOf(statement)(input),
    queryHot: (name, text, values = []) =>
      sendHot({ name: planName(name, count(name)), text, values: [...values] }),
    query: (text, values = [], name) => send(pool, { text, values: [...values], name }),
    queryUntil: (signal) => {
      return (text, values = [], name) => sendUntil(signal, { text, values: [...values], name })
    },
    snapshot: (read) => snapshotUntil(NEVER)(read),
    snapshotUntil,
    commit: (about, work) => takeTurns(about, () => committed(pool, send, work)),
    inTurn: takeTurns,
    poolSizes: () => [sizeOf('hot', hotPool), sizeOf('other', pool)],
    async probe() {
      // If all connections are in use, an answer to any of them proves as much as one of our own.
      const heard = new Promise<void>((resolve) => listening.push(resolve))
      await Promise.all([
        sendHot({ name: 'probe', text: 'SELECT' }),
        Promise.race([pool.query('SELECT'), heard]),
      ])
    },
    longestWaitMs() {
      const [oldest] = underWay
      return oldest === undefined ? 0 : performance.now() - oldest.atMs
    },
    async warmUp() {
      await prisma.team.count()
    },
    async close() {
      await prisma.$disconnect()
      await Promise.all([hotPool.end(), pool.end()])
    },
  }
}

const NEVER = new AbortController().signal

/** By the names of the columns, which come from our own statements. */
const rowMakers = new Map<string, ReturnType<typeof objectMaker>>()

/** The rows of the last statement, if the text has several. */
function rowsOf(answer: pg.QueryArrayResult<unknown[]>): readonly Row[] {
  const { fields = [], rows = [] } = [answer].flat().at(-1) ?? {}
  const names = fields.map(({ name }) => name)
  const key = names.join()
  const make = rowMakers.get(key) ?? objectMaker(names)
  rowMakers.set(key, make)
  return rows.map(make)
}

/** The first column names the group: usually the account. */
function groupOf<I>({ columns: [first] }: GatheredStatement<I, unknown>): (input: I) => string {
  return (input) => (first === undefined ? '' : String(input[first[0]]))
}

async function runGathered<I, O>(
  query: (config: pg.QueryConfig) => Promise<readonly Row[]>,
  name: string,
  statement: GatheredStatement<I, O>,
  inputs: readonly I[],
): Promise<readonly (O | undefined)[]> {
  const rows = await query({
    name,
    text: statement.text,
    values: valuesOf(statement, inputs),
  })
  const answers: (O | undefined)[] = inputs.map(() => undefined)
  for (const row of rows) answers[Number(row.ord) - 1] = statement.read(row)
  return answers
}

/** Sends inputs with the same text once, and hands the output to each of them. */
function eachOnce<I, O>(
  run: (inputs: readonly I[]) => Promise<readonly O[]>,
  textOf: (input: I) => string,
): (inputs: readonly I[]) => Promise<readonly O[]> {
  return async (inputs) => {
    const texts = inputs.map(textOf)
    const sent = new Map(inputs.map((input, at) => [texts[at], input]))
    const outputs = await run([...sent.values()])
    const found = new Map([...sent.keys()].map((text, at) => [text, outputs[at]]))
    return texts.map((text) => found.get(text) as O)
  }
}
