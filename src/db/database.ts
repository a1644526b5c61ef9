// The database for the rest of the service: gathered hot statements, and Prisma for everything
// else, each with a pool of its own.

import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { gather } from '../core/gather.ts'
import { SECOND } from '../core/time-units.ts'
import { inTurn } from '../core/turns.ts'
import { PrismaClient } from '../generated/client.ts'
import { classified, isHeldUp, isRowsFault } from './failure.ts'
import { type GatheredStatement, type Row, valuesOf } from './gathered.ts'
import { openPool, type PoolSize, sizeOf } from './pool.ts'
import { silentConnections } from './silent-connections.ts'

/**
 * Rows of one statement, at most: beyond it a row costs the database no less, and the first waits
 * for the last.
 */
const MOST_ROWS = 200

/** Rounds of one statement under way at once. */
const ROUNDS_AT_ONCE = 2

/** Every hot statement may have two rounds under way. */
const HOT_CONNECTIONS = 10

const OTHER_CONNECTIONS = 8

/** Of one process, but for those of its queues. */
export const MOST_CONNECTIONS = HOT_CONNECTIONS + OTHER_CONNECTIONS

/**
 * A hot statement that waits for a row keeps everybody else of its round waiting: soon it goes on
 * without that row. Between two commits of ours a row is held for some milliseconds.
 */
const HOT_LOCK_TIMEOUT_MS = 100

/** Then the row is tried again, by itself, for as long as a caller is patient. */
const HELD_UP = { isBy: isHeldUp, pauseMs: 50, patienceMs: 15 * SECOND }

/** Of a hot statement, which takes milliseconds. */
const HOT_TIMEOUT_MS = 10 * SECOND

const OTHER_TIMEOUT_MS = 30 * SECOND

/** Other statements wait for a row on a connection that others need as well. */
const LOCK_TIMEOUT_MS = 5 * SECOND

/** As long as anybody waits for a connection; Prisma's own patience ends sooner. */
const TRANSACTION_WAIT_MS = 5 * SECOND

/**
 * Planning a hot statement costs as much as running it, so plans are kept, and may only look rows
 * up by their keys. In three rounds of `npm run bench` on a busy machine, in turn with and without
 * these settings, a lone charge took 12 to 17 ms with them and 17 to 24 ms without.
 */
export const KEYED_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

/**
 * A plan that was made while its tables were empty, when every key looks equally good, must not
 * stay. A statement gets a new name, and so a new plan, each time its number of rounds has doubled.
 * With one name for good a lone charge took 16 to 35 ms in the same rounds.
 */
function planName(name: string, rounds: number): string {
  return `${name} ${Math.floor(Math.log2(rounds + 1))}`
}

/** A statement of its own. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

export interface Database {
  readonly prisma: PrismaClient
  /** One input of a hot statement; asked together with all others of the same moment. */
  ask<I, O>(statement: GatheredStatement<I, O>, input: I): Promise<O | undefined>
  /** A hot statement that answers many rows: prepared, and planned by keys only as they are. */
  readonly queryHot: (name: string, ...of: Parameters<Query>) => ReturnType<Query>
  readonly query: Query
  /**
   * Statements of one commit; what throws undoes it. `about` is the row that it locks: commits
   * about the same one wait for each other here, not each on a connection.
   */
  commit<T>(about: string, work: (query: Query) => Promise<T>): Promise<T>
  /** The same turn, for what reads a row and then changes it by one statement. */
  inTurn<T>(about: string, work: () => Promise<T>): Promise<T>
  poolSizes(): readonly PoolSize[]
  /** Asks on both ways that statements take, like any caller; throws where one is not answered. */
  probe(): Promise<void>
  /** How long the oldest statement under way has been waiting for its answer. */
  longestWaitMs(): number
  /** Lets Prisma load its query compiler, a fifth of a second that else the first caller waits. */
  warmUp(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly name: string
  readonly onError: (error: Error) => void
}

export function openDatabase(databaseUrl: string, options: DatabaseOptions): Database {
  const silent = silentConnections()
  const hotPool = openPool(databaseUrl, {
    ...options,
    silent,
    most: HOT_CONNECTIONS,
    statementTimeoutMs: HOT_TIMEOUT_MS,
    settings: { ...KEYED_PLANS, lock_timeout: HOT_LOCK_TIMEOUT_MS },
  })
  const pool = openPool(databaseUrl, {
    ...options,
    silent,
    most: OTHER_CONNECTIONS,
    statementTimeoutMs: OTHER_TIMEOUT_MS,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
  })
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS },
  })
  const takeTurns = inTurn()
  const underWay = new Set<{ readonly atMs: number }>()
  /** Told once of the next answer to anything but a hot statement. */
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
      const { rows } = await to.query(config)
      if (to !== hotPool) for (const hear of listening.splice(0)) hear()
      return rows
    } catch (error) {
      throw classified(error)
    } finally {
      underWay.delete(sent)
    }
  }

  async function committed<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error) => {
      throw classified(error)
    })
    const query: Query = (text, values = []) => send(client, { text, values: [...values] })
    let isBroken = false
    try {
      await query('BEGIN')
      const answer = await work(query)
      await query('COMMIT')
      return answer
    } catch (error) {
      // A connection that cannot even undo is not given to the next one.
      await query('ROLLBACK').catch(() => {
        isBroken = true
      })
      throw error
    } finally {
      client.release(isBroken)
    }
  }

  const sendHot = (config: pg.QueryConfig) => send(hotPool, config)

  /** How often it was asked before. */
  function count(name: string): number {
    const rounds = hotRounds.get(name) ?? 0
    hotRounds.set(name, rounds + 1)
    return rounds
  }

  function gathererOf<I, O>(statement: GatheredStatement<I, O>) {
    const known = gatherers.get(statement.name)
    if (known !== undefined) return known as (input: I) => Promise<O | undefined>
    const made = gather<I, O | undefined>(
      (inputs) =>
        runGathered(sendHot, planName(statement.name, count(statement.name)), statement, inputs),
      {
        most: MOST_ROWS,
        atOnce: statement.isPatient ? 1 : ROUNDS_AT_ONCE,
        isOnesFault: isRowsFault,
        heldUp: { ...HELD_UP, groupOf: groupOf(statement) },
      },
    )
    gatherers.set(statement.name, made as (input: unknown) => Promise<unknown>)
    return made
  }

  return {
    prisma,
    ask: (statement, input) => gathererOf(statement)(input),
    queryHot: (name, text, values = []) =>
      sendHot({ name: planName(name, count(name)), text, values: [...values] }),
    query: (text, values = []) => send(pool, { text, values: [...values] }),
    commit: (about, work) => takeTurns(about, () => committed(work)),
    inTurn: takeTurns,
    poolSizes: () => [sizeOf('hot', hotPool), sizeOf('other', pool)],
    async probe() {
      // Where all connections are in use, an answer to any of them says as much as one of our own.
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

/** What belongs together names itself first: the account, mostly. */
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
