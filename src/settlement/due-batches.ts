// Batches that are overdue: their cutoff has passed, the worker that closed them died, or their
// deposit must be announced; and closed ones that their gateway must be told of. One round nudges
// them all.

import type { World } from '../world.ts'
import { TELL_DUE, UNTOLD } from './untold.ts'

/** Of one statement: enough to be cheap. */
const ROUND = 500

const DUE = `
  SELECT due_at, account_id, id FROM batch
  WHERE due_at <= $1 AND (due_at, account_id, id) > ($2, $3, $4)
  ORDER BY due_at, account_id, id
  LIMIT $5`

const TO_BE_TOLD = `
  SELECT ${TELL_DUE} AS due_at, account_id, id FROM batch
  WHERE ${UNTOLD} AND ${TELL_DUE} <= $1 AND (${TELL_DUE}, account_id, id) > ($2, $3, $4)
  ORDER BY ${TELL_DUE}, account_id, id
  LIMIT $5`

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Answers how many it found. */
export async function nudgeDueBatches(world: World): Promise<number> {
  return (
    (await nudgeAll(world, 'settlement', DUE)) + (await nudgeAll(world, 'tell_gateway', TO_BE_TOLD))
  )
}

async function nudgeAll(
  world: World,
  queue: 'settlement' | 'tell_gateway',
  text: string,
): Promise<number> {
  const now = world.clock.now()
  const requestId = world.newId()
  let last: readonly unknown[] = [new Date(0), NOBODY, NOBODY]
  for (let found = 0; ; ) {
    const rows = await world.db.query(text, [now, ...last, ROUND])
    await world.queues.nudgeOverdue(
      queue,
      rows.map((row) => ({
        accountId: row.account_id,
        id: row.id,
        requestId,
        dueAt: row.due_at,
      })),
    )
    found += rows.length
    const end = rows.at(-1)
    if (end === undefined || rows.length < ROUND) return found
    last = [end.due_at, end.account_id, end.id]
  }
}
