// Settles what is due of one account, in this process and in order: for whoever advances its clock,
// and cannot go on before it is done.

import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../accounts/scope.ts'
import type { Report } from '../core/progress.ts'
import type { Verdict } from '../core/verdict.ts'
import type { RowItem } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { settleBatch } from './settle-batch.ts'

/** Who holds a row of a batch, or is about its closing as well, is done soon. */
const WAIT_MS = 50

/** A void holds a row for milliseconds. Who waits for this long waits for something else. */
const MOST_WAITS = 600

/** Its business, and a gateway that is to be told. Who lives by the real clock is not ahead of it. */
const FIRST_DUE = `
  WITH instant AS (
    SELECT CASE WHEN clock_at IS NULL THEN least($2::timestamptz, $3) ELSE $2 END AS now
    FROM account WHERE id = $1
  )
  SELECT id FROM batch, instant
  WHERE account_id = $1 AND (
    (status <> 'closed' AND cutoff_at <= now)
    OR (deposited_at IS NULL AND deposit_at <= now)
    OR (status = 'closed' AND told_at IS NULL AND due_at <= $3))
  ORDER BY CASE WHEN status = 'closed' THEN deposit_at ELSE cutoff_at END, cutoff_at
  LIMIT 1`

/** Answers how often there was something to do. A gateway that is silent is told later. */
export async function settleAccount(world: World, { accountId, now }: Scope): Promise<number> {
  const requestId = world.newId()
  for (let found = 0; ; found += 1) {
    const [row] = await world.db.query(FIRST_DUE, [accountId, now, world.clock.now()])
    if (row === undefined) return found
    await settleAtOnce(world, { accountId, id: row.id, requestId }, () => {}, now)
  }
}

/** Until nothing of it is due any more, but for what a silent gateway has put off. */
export async function settleAtOnce(
  world: World,
  item: RowItem,
  report: Report,
  now?: Date,
): Promise<Verdict> {
  const { signal } = new AbortController()
  for (let waits = 0; waits < MOST_WAITS; waits += 1) {
    const verdict = await settleBatch(world, item, signal, report, now)
    if (!(await isClosing(world, item))) return verdict
    await delay(WAIT_MS)
  }
  throw new Error(`somebody does not let go of what batch ${item.id} is to take`)
}

const IS_CLOSING = `
  SELECT FROM batch WHERE account_id = $1 AND id = $2 AND status = 'closing'`

async function isClosing(world: World, { accountId, id }: RowItem): Promise<boolean> {
  return (await world.db.query(IS_CLOSING, [accountId, id])).length > 0
}
