// The job `tell_gateway`: reports an account's closed batches to the gateway, so that it settles
// the same transactions. A batch may be reported any number of times: the batch's id is the
// key.
//
//   claim    the batch with the fewest tries, for a lease   a crash after: the sweep finds it
//   ask      with the batch's id as the key                 a crash after: reported again
//   record   reported, and the next batch is claimed
//            no answer: all batches of the account wait, longer after each try
//
// One batch of an account is reported at a time. So however many batches a silent gateway leaves
// behind, they take one worker's slot, and the batches of other accounts do not wait for them.

import { backoffMs, withJitter } from '../core/backoff.ts'
import { after } from '../core/time-units.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import { dateText } from '../core/whole-days.ts'
import type { BatchTotals } from '../outside/gateway/port.ts'
import { askGateway } from '../payments/make/ask-gateway.ts'
import type { RowItem } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch.ts'
import { TELL_DUE, UNTOLD } from './due-batches.ts'
import { addUpInTurn, readSums, SUMS } from './sums.ts'

interface Claim {
  readonly batch: BatchRow
  /** The highest number of tries among the account's unreported batches, including this try. */
  readonly tries: number
}

interface Part {
  readonly gatewayName: string
  readonly totals: BatchTotals
}

/** A label of `gateway_answer_duration_seconds`, so it keeps its value. */
const CONFIRMED = { kind: 'told' } as const

export async function tellGateway(
  world: World,
  { accountId, requestId }: RowItem,
  signal: AbortSignal,
): Promise<Verdict> {
  while (!signal.aborted && world.queues.takesWork) {
    const claimed = await claim(world, accountId)
    if (claimed === undefined) return done
    if (!(await ask(world, claimed.batch, requestId, signal))) {
      return snooze(await putOff(world, accountId, claimed.tries))
    }
    await record(world, claimed.batch)
  }
  return snooze(world.clock.now())
}

/** Rows are locked in one order, so that two workers on one account's batches never deadlock. */
const HOLD_UNTOLD = `
  WITH untold AS MATERIALIZED (
    SELECT id, ${TELL_DUE} AS tell_due_at, tell_attempt, cutoff_at FROM batch
    WHERE account_id = $1 AND ${UNTOLD}
    ORDER BY id
    FOR NO KEY UPDATE
  )`

/**
 * Claims nothing while another batch of the account is being reported, or waits because its gateway
 * did not answer. After the first claim `due_at` is that of the deposit, also for a batch that the
 * previous version closed.
 */
const CLAIM = `${HOLD_UNTOLD}
  UPDATE batch b SET tell_due_at = $3, tell_attempt = b.tell_attempt + 1,
    due_at = CASE
      WHEN b.tell_due_at IS NOT NULL THEN b.due_at
      WHEN b.deposited_at IS NULL AND a.clock_at IS NULL THEN b.deposit_at END
  FROM account a
  WHERE a.id = $1 AND b.account_id = $1
    AND b.id = (SELECT id FROM untold ORDER BY tell_attempt, cutoff_at LIMIT 1)
    AND NOT EXISTS (SELECT FROM untold WHERE tell_due_at > $2)
  RETURNING ${BATCH_COLUMNS}, (SELECT max(tell_attempt) + 1 FROM untold) AS tries`

async function claim(world: World, accountId: string): Promise<Claim | undefined> {
  const now = world.clock.now()
  const values = [accountId, now, after(now, world.timings.leaseMs)]
  const [row] = await world.db.query(CLAIM, values)
  return row && { batch: readBatch(row), tries: row.tries }
}

/** True if every gateway confirmed the batch. */
async function ask(
  world: World,
  batch: BatchRow,
  requestId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { accountId, id } = batch
  const answers = await Promise.all(
    (await partsOf(world, batch)).map(({ gatewayName, totals }) => {
      const asked = { gatewayName, question: 'close_batch', accountId, id, requestId } as const
      return askGateway(world, asked, signal, async (gateway, limit) => {
        await gateway.closeBatch(totals, limit)
        return CONFIRMED
      })
    }),
  )
  return answers.every(({ kind }) => kind === CONFIRMED.kind)
}

/** If an account changed its gateway during the day, each gateway gets its part. */
const PARTS = `
  SELECT t.gateway_name, ${SUMS} FROM transaction t
  WHERE t.account_id = $1 AND t.business_date = $2::date AND t.void_id IS NULL
  GROUP BY t.gateway_name`

async function partsOf(world: World, batch: BatchRow): Promise<readonly Part[]> {
  const { accountId, id, businessDate } = batch
  const date = dateText(businessDate)
  const rows = await addUpInTurn(() => world.db.query(PARTS, [accountId, date]))
  return rows.map((row) => ({
    gatewayName: row.gateway_name,
    totals: { accountId, key: id, businessDate: date, ...readSums(row) },
  }))
}

const RECORD = `
  UPDATE batch SET told_at = $3, tell_due_at = NULL
  WHERE account_id = $1 AND id = $2 AND told_at IS NULL`

async function record(world: World, { accountId, id }: BatchRow): Promise<void> {
  await world.db.query(RECORD, [accountId, id, world.clock.now()])
}

/** A row without `tell_due_at` is due already, and a later claim sets that column. */
const PUT_OFF = `${HOLD_UNTOLD}
  UPDATE batch b SET tell_due_at = $2 FROM untold
  WHERE b.account_id = $1 AND b.id = untold.id AND b.tell_due_at IS NOT NULL`

async function putOff(world: World, accountId: string, tries: number): Promise<Date> {
  const { clock, random, timings } = world
  const until = after(clock.now(), withJitter(backoffMs(timings.askAgain, tries), random()))
  await world.db.query(PUT_OFF, [accountId, until])
  return until
}
