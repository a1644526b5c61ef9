import type { World } from '../world.ts'

const DUE = `
  SELECT EXISTS (SELECT FROM schedule WHERE due_at <= $1)
    OR EXISTS (SELECT FROM invoice WHERE due_at <= $1) AS is_due`

/** Whether a round of the schedules' queue would find anything, over all accounts. */
export async function isAnythingDue(world: World): Promise<boolean> {
  const [found] = await world.db.query(DUE, [world.clock.now()])
  return found?.is_due === true
}
