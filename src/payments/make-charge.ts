// The job `charge`: makes a charge or a pre_auth at the gateway, or captures one.

import type { Verdict } from '../core/verdict.ts'
import type { World } from '../world.ts'
import { carryOut } from './carry-out.ts'
import type { RowKey } from './row-key.ts'

export function makeCharge(world: World, key: RowKey, signal: AbortSignal): Promise<Verdict> {
  return carryOut(world, key, 'charge', signal)
}
