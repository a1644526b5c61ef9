// Ends the advance of a clock at the instant that it has reached, for operators: a mistyped year
// would otherwise keep its account waiting for hours.

import type { WritingWorld } from '../world.ts'

/**
 * The worker that advances the clock has lost its lease by this, and moves it no further. The next
 * one finishes the work of this instant.
 */
const STOP = `
  UPDATE account SET clock_target = clock_at, clock_ends = false, clock_due_at = $2
  WHERE team_id = $1 AND clock_at < clock_target
  RETURNING clock_at`

/** Returns where it stops. Undefined if no clock of the team is being advanced. */
export async function stopAdvance(
  { db, clock }: WritingWorld,
  teamId: string,
): Promise<Date | undefined> {
  const [row] = await db.query(STOP, [teamId, clock.now()])
  return row?.clock_at
}
