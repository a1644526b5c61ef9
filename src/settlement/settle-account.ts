// Settles all due batches of one account, in order and in this process. The advance of a sandbox
// clock needs this, because it cannot go on before the account is settled.

import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../accounts/scope.ts'
import type { Report } from '../core/progress.ts'
import type { Verdict } from '../core/verdict.ts'
import type { RowItem } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { settleBatch } from './settle-batch.ts'

/** A commit that holds the batch, or another worker that closes it, ends soon. */
const WAIT_MS = 50

/** A commit takes milliseconds, so a longer wait means that something else is wrong. */
const MOST_WAITS = 600

/** An account without a clock of its own is never ahead of real time. */
const FIRST_DUE = `
  WITH instant AS (
    SELECT CASE WHEN clock_at IS NULL THEN least($2::timestamptz, $3) ELSE $2 END AS now
    FROM account WHERE id = $1
  )
  SELECT id FROM batch, instant
  WHERE account_id = $1 AND (
    (status <> 'closed' AND cutoff_at <= now)
    OR (deposited_at IS NULL AND (deposit_at <= now OR events_written < count)))
  ORDER BY CASE WHEN status = 'closed' THEN deposit_at ELSE cutoff_at END, cutoff_at
  LIMIT 1`

/**
 * Returns how often it found due work. If the turn is over before all is done, the rows say what is
 * left.
 */
export async function settleAccount(
  world: World,
  { accountId, now }: Scope,
  isTurnOver = () => false,
): Promise<number> {
  const requestId = world.newId()
  for (let found = 0; ; found += 1) {
    const [row] = await world.db.query(FIRST_DUE, [accountId, now, world.clock.now()])
    if (row === undefined || isTurnOver()) return found
    await settleAtOnce(world, { accountId, id: row.id, requestId }, { now, isTurnOver })
  }
}

interface AtOnce {
  readonly report?: Report
  /** In the account's time while its clock is being advanced. */
  readonly now?: Date
  readonly isTurnOver?: () => boolean
}

/** Repeats until the batch has no more due work, or the turn is over. */
export async function settleAtOnce(
  world: World,
  item: RowItem,
  { report = () => {}, now, isTurnOver = () => false }: AtOnce = {},
): Promise<Verdict> {
  const { signal } = new AbortController()
  for (let waits = 0; waits < MOST_WAITS; ) {
    const verdict = await settleBatch(world, item, signal, report, now)
    if (isTurnOver() || !(await isAnyLeft(world, item, now))) return verdict
    // The turn is over, but the work is not: go on at once.
    if (verdict.kind === 'snooze' && verdict.until <= world.clock.now()) continue
    waits += 1
    await delay(WAIT_MS)
  }
  throw new Error(`batch ${item.id} is held by another connection`)
}

const ANY_LEFT = `
  SELECT FROM batch b JOIN account a ON a.id = b.account_id
  WHERE b.account_id = $1 AND b.id = $2 AND (b.status <> 'closed' OR b.events_written < b.count)
    AND b.cutoff_at <= CASE WHEN a.clock_at IS NULL THEN $4 ELSE coalesce($3, a.clock_at) END`

/** True while the batch has to be closed, or events of its transactions are missing. */
async function isAnyLeft(
  world: World,
  { accountId, id }: RowItem,
  now: Date | undefined,
): Promise<boolean> {
  const values = [accountId, id, now ?? null, world.clock.now()]
  return (await world.db.query(ANY_LEFT, values)).length > 0
}
