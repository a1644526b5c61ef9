// The job `refund`: makes a refund or a void at the gateway.

import type { Verdict } from '../core/verdict.ts'
import type { World } from '../world.ts'
import { carryOut } from './carry-out.ts'
import type { RowKey } from './row-key.ts'

export function makeRefund(world: World, key: RowKey, signal: AbortSignal): Promise<Verdict> {
  return carryOut(world, key, 'refund', signal)
}
