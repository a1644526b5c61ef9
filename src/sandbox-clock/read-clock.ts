// What time it is for an account, and how far its clock has come on its way.

import type { Caller } from '../accounts/find-caller.ts'
import type { World } from '../world.ts'
import { findClock } from './clock-row.ts'
import { type ClockView, clockView } from './clock-view.ts'
import { refuseLive } from './refusals.ts'

export async function readClock(world: World, caller: Caller): Promise<ClockView> {
  refuseLive(caller)
  return clockView(world, await findClock(world.db.query, caller.accountId))
}
