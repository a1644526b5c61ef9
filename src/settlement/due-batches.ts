// Batches that somebody should have looked at by now: their cutoff has passed, whoever was closing
// them has died, their gateway is to be told, or their money is there. One round nudges them all.

import type { World } from '../world.ts'

/** Of one statement: enough to be cheap. */
const ROUND = 500

const DUE = `
  SELECT due_at, account_id, id FROM batch
  WHERE due_at <= $1 AND (due_at, account_id, id) > ($2, $3, $4)
  ORDER BY due_at, account_id, id
  LIMIT $5`

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Answers how many it found. */
export async function nudgeDueBatches(world: World): Promise<number> {
  const now = world.clock.now()
  const requestId = world.newId()
  let last: readonly unknown[] = [new Date(0), NOBODY, NOBODY]
  for (let found = 0; ; ) {
    const rows = await world.db.query(DUE, [now, ...last, ROUND])
    await world.queues.nudgeOverdue(
      'settlement',
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
