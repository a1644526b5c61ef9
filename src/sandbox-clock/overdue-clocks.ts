// Clocks that are on their way and that nobody takes further: their nudge got lost, or who had them
// died.

import type { World } from '../world.ts'

/** More are found by the next sweep. */
const MOST = 500

const OVERDUE = `
  SELECT id, clock_due_at FROM account
  WHERE clock_due_at <= $1
  ORDER BY clock_due_at
  LIMIT ${MOST}`

export async function nudgeOverdueClocks(world: World): Promise<number> {
  const rows = await world.db.query(OVERDUE, [world.clock.now()])
  const overdue = rows.map(({ id, clock_due_at: dueAt }) => {
    return { accountId: id, id, requestId: world.newId(), dueAt }
  })
  if (overdue.length > 0) await world.queues.nudgeOverdue('clock', overdue)
  return overdue.length
}
