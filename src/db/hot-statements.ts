// Statements that each payment needs: prepared, and gathered into rounds of many inputs.

import type pg from 'pg'
import { gather } from '../core/gather.ts'
import { SECOND } from '../core/time-units.ts'
import { isHeldUp, isRowsFault } from './failure.ts'
import { type GatheredStatement, type Row, valuesOf } from './gathered.ts'
import type { Query } from './queries.ts'

/**
 * Rows in one statement. With more rows each costs the database the same, and the first waits for
 * the last: while 4,000 schedules of an account ran, a charge of another one took two to three
 * times as long with 200 rows.
 */
const MOST_ROWS = 64

/** The same of statements for which no caller waits. */
const MOST_PATIENT_ROWS = 200

/** Rounds of one statement that may be under way at once. */
const ROUNDS_AT_ONCE = 2

/** A row that another transaction holds is tried again, as long as a caller is willing to wait. */
const HELD_UP = { isBy: isHeldUp, pauseMs: 50, patienceMs: 15 * SECOND }

export interface HotStatements {
  /** Runs a hot statement with this input, together with all other inputs of the same moment. */
  ask<I, O>(statement: GatheredStatement<I, O>, input: I): Promise<O | undefined>
  /** A hot statement that returns many rows. It is prepared, and looks rows up by their keys. */
  readonly queryHot: (name: string, ...of: Parameters<Query>) => ReturnType<Query>
}

type Gatherer<I, O> = (input: I) => Promise<O | undefined>

export function hotStatements(
  send: (config: pg.QueryConfig) => Promise<readonly Row[]>,
): HotStatements {
  const rounds = new Map<string, number>()
  const gatherers = new Map<string, Gatherer<never, unknown>>()

  /**
   * A plan that was made while its tables were empty must not stay, because every key looks equally
   * good then. A statement gets a new name, and so a new plan, each time its number of rounds has
   * doubled. With one permanent name a lone charge took 16 to 35 ms where it takes 12 to 17 ms.
   */
  function planName(name: string): string {
    const before = rounds.get(name) ?? 0
    rounds.set(name, before + 1)
    return `${name} ${Math.floor(Math.log2(before + 1))}`
  }

  function gathererOf<I, O>(statement: GatheredStatement<I, O>): Gatherer<I, O> {
    const { name, text, read, sameBy, isPatient } = statement
    async function run(inputs: readonly I[]): Promise<readonly (O | undefined)[]> {
      const values = valuesOf(statement, inputs)
      const answers: (O | undefined)[] = inputs.map(() => undefined)
      const rows = await send({ name: planName(name), text, values })
      for (const row of rows) answers[Number(row.ord) - 1] = read(row)
      return answers
    }
    return gather(sameBy === undefined ? run : eachOnce(run, sameBy), {
      most: isPatient ? MOST_PATIENT_ROWS : MOST_ROWS,
      atOnce: isPatient ? 1 : ROUNDS_AT_ONCE,
      isOnesFault: isRowsFault,
      groupOf: groupOf(statement),
      heldUp: HELD_UP,
    })
  }

  return {
    ask<I, O>(statement: GatheredStatement<I, O>, input: I) {
      const known = gatherers.get(statement.name) as Gatherer<I, O> | undefined
      const gatherer = known ?? gathererOf(statement)
      if (known === undefined) gatherers.set(statement.name, gatherer)
      return gatherer(input)
    },
    queryHot: (name, text, values = []) =>
      send({ name: planName(name), text, values: [...values] }),
  }
}

/** The first column names the group: usually the account. */
function groupOf<I>({ columns: [first] }: GatheredStatement<I, unknown>): (input: I) => string {
  return (input) => (first === undefined ? '' : String(input[first[0]]))
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
