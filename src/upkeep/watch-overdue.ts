// Nudges each payment once when it becomes overdue: its worker died, or its job was lost. A
// customer may wait for it, so this comes more often than the sweep, which nudges payments again
// that are still overdue by then.

import type { World } from '../world.ts'
import { nudgeOverduePayments } from './sweep.ts'

export function watchOverdue(world: World): { close(): void } {
  const { clock, log, queues, timings } = world
  let since = clock.now()
  let isLooking = false

  async function look(): Promise<void> {
    if (!queues.takesWork) return
    const now = clock.now()
    await nudgeOverduePayments(world, since)
    since = now
  }

  /** One look at a time. After a failure the next look begins at the same instant. */
  async function lookOnce(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      await look()
    } catch (err) {
      log.debug({ err }, 'overdue payments wait for the next look')
    } finally {
      isLooking = false
    }
  }

  const looks = setInterval(() => void lookOnce(), timings.overdueCheckEveryMs)
  looks.unref()
  return { close: () => clearInterval(looks) }
}
