// Nudges each payment once when it becomes overdue: its worker died, or its job was lost. A
// customer may wait for it, so this comes more often than the sweep, which nudges payments again
// that are still overdue by then.

import { every, type Repeated } from '../core/every.ts'
import type { World } from '../world.ts'
import { nudgeOverduePayments } from './sweep.ts'

/** After a failure the next look begins at the same instant. */
export function watchOverdue(world: World): Repeated {
  const { clock, log, queues, timings } = world
  let since = clock.now()
  return every(timings.overdueCheckEveryMs, async () => {
    if (!queues.takesWork) return
    const now = clock.now()
    try {
      await nudgeOverduePayments(world, since)
      since = now
    } catch (err) {
      log.debug({ err }, 'overdue payments wait for the next look')
    }
  })
}
