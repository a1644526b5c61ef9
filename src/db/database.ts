// The database as the rooms see it: hot statements gathered, Prisma for everything else, one pool
// beneath both.

import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { gather } from '../core/gather.ts'
import { PrismaClient } from '../generated/client.ts'
import { classified, isRowsFault } from './failure.ts'
import { type GatheredStatement, type Row, valuesOf } from './gathered.ts'
import { openPool } from './pool.ts'

/**
 * Rows of one statement, at most: beyond it a row costs the database no less, and the first waits
 * for the last.
 */
const MOST_ROWS = 200

/** Rounds of one statement under way at once. */
const ROUNDS_AT_ONCE = 2

/** Every hot statement may have two rounds under way, and Prisma needs some beside them. */
const MOST_CONNECTIONS = 16

export interface Database {
  readonly prisma: PrismaClient
  /** One input of a hot statement; asked together with all others of the same moment. */
  ask<I, O>(statement: GatheredStatement<I, O>, input: I): Promise<O | undefined>
  /** A statement of its own. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Lets Prisma load its query compiler, a fifth of a second that else the first caller waits. */
  warmUp(): Promise<void>
  /** Statements sent so far: what a charge costs is measured, not guessed. */
  readonly statementsSent: () => number
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly name: string
  readonly onError: (error: Error) => void
}

export function openDatabase(databaseUrl: string, options: DatabaseOptions): Database {
  const pool = openPool(databaseUrl, { most: MOST_CONNECTIONS, ...options })
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  const gatherers = new Map<string, (input: unknown) => Promise<unknown>>()
  let sent = 0

  async function query(config: pg.QueryConfig): Promise<readonly Row[]> {
    sent += 1
    try {
      return (await pool.query(config)).rows
    } catch (error) {
      throw classified(error)
    }
  }

  function gathererOf<I, O>(statement: GatheredStatement<I, O>) {
    const known = gatherers.get(statement.name)
    if (known !== undefined) return known as (input: I) => Promise<O | undefined>
    const made = gather<I, O | undefined>((inputs) => runGathered(query, statement, inputs), {
      most: MOST_ROWS,
      atOnce: ROUNDS_AT_ONCE,
      isOnesFault: isRowsFault,
    })
    gatherers.set(statement.name, made as (input: unknown) => Promise<unknown>)
    return made
  }

  return {
    prisma,
    ask: (statement, input) => gathererOf(statement)(input),
    query: (text, values = []) => query({ text, values: [...values] }),
    async warmUp() {
      await prisma.team.count()
    },
    statementsSent: () => sent,
    async close() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

async function runGathered<I, O>(
  query: (config: pg.QueryConfig) => Promise<readonly Row[]>,
  statement: GatheredStatement<I, O>,
  inputs: readonly I[],
): Promise<readonly (O | undefined)[]> {
  const rows = await query({
    name: statement.name,
    text: statement.text,
    values: valuesOf(statement, inputs),
  })
  const answers: (O | undefined)[] = inputs.map(() => undefined)
  for (const row of rows) answers[Number(row.ord) - 1] = statement.read(row)
  return answers
}
