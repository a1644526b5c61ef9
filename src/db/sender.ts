// Sends statements on the connections of one pool, and knows which of them are under way.

import type pg from 'pg'
import { objectMaker } from '../core/object-maker.ts'
import { classified } from './failure.ts'
import type { Row } from './gathered.ts'

/** Sends a statement on any connection of the pool, or on the given one. */
export type Send = (config: pg.QueryConfig, on?: pg.PoolClient) => Promise<readonly Row[]>

export interface StatementSender {
  readonly send: Send
  /** Resolves at the next answer to any statement. */
  nextAnswer(): Promise<void>
  /** How long the oldest statement under way has waited for its answer. */
  longestWaitMs(): number
}

export function statementSender(pool: pg.Pool): StatementSender {
  const underWay = new Set<{ readonly atMs: number }>()
  const waiting: (() => void)[] = []
  return {
    async send(config, on) {
      const sent = { atMs: performance.now() }
      underWay.add(sent)
      try {
        const answer = await (on ?? pool).query<unknown[]>({ ...config, rowMode: 'array' })
        for (const resolve of waiting.splice(0)) resolve()
        return rowsOf(answer)
      } catch (error) {
        throw classified(error)
      } finally {
        underWay.delete(sent)
      }
    },
    nextAnswer: () => new Promise((resolve) => waiting.push(resolve)),
    longestWaitMs() {
      const [oldest] = underWay
      return oldest === undefined ? 0 : performance.now() - oldest.atMs
    },
  }
}

/** By the names of the columns, which come from our own statements. */
const rowMakers = new Map<string, (values: readonly unknown[]) => Row>()

/** The rows of the last statement, if the text has several. */
function rowsOf(answer: pg.QueryArrayResult<unknown[]>): readonly Row[] {
  const { fields = [], rows = [] } = [answer].flat().at(-1) ?? {}
  const names = fields.map(({ name }) => name)
  const key = names.join()
  const make = rowMakers.get(key) ?? objectMaker(names.map((name, from) => ({ name, from })))
  rowMakers.set(key, make)
  return rows.map((values) => make(values))
}
