// The processes of the service that live: those that have said so lately.

import { after } from '../core/time-units.ts'
import type { ProcessPulse } from '../generated/client.ts'
import type { World } from '../world.ts'

/** A beat may come late, and one may be left out; who misses so many is taken for dead. */
const BEATS = 3

/** By role, and within it the longest-lived first. */
export function listProcesses(world: World): Promise<readonly ProcessPulse[]> {
  const unseenSince = after(world.clock.now(), -BEATS * world.timings.pulseEveryMs)
  return world.db.prisma.processPulse.findMany({
    where: { seenAt: { gt: unseenSince } },
    orderBy: [{ role: 'asc' }, { startedAt: 'asc' }, { id: 'asc' }],
  })
}
