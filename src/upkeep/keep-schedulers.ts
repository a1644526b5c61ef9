// Sees to it that what comes round by itself does: the rounds, and the cutoff of each account.

import { cutoffsInUse } from '../settlement/cutoffs-in-use.ts'
import type { World } from '../world.ts'

export async function keepSchedulers(world: World): Promise<void> {
  await world.queues.keepSchedules(await cutoffsInUse(world))
}
