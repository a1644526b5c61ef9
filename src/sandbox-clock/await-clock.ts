// Waits in the API server until the advance of a clock has ended, perhaps in another process.

import type { Caller } from '../accounts/find-caller.ts'
import { withResolvers } from '../core/with-resolvers.ts'
import type { World } from '../world.ts'
import { type ClockView, readClock } from './sandbox-clock.ts'

/**
 * Returns the clock when it is ready, the wait is over or this process must end. The worker replies
 * after each of its turns. The first of them may have ended already, so the clock is read at once.
 */
export async function awaitClock(
  world: World,
  caller: Caller,
  wait: AbortSignal,
): Promise<ClockView> {
  let woken = withResolvers<void>()
  const wake = () => woken.resolve()
  const forget = world.queues.replies.expect(caller.accountId, wake)
  wait.addEventListener('abort', wake)
  try {
    for (;;) {
      woken = withResolvers()
      const clock = await readClock(world, caller)
      if (clock.status === 'ready' || wait.aborted || world.shutdown.isFinal) return clock
      await woken.promise
    }
  } finally {
    wait.removeEventListener('abort', wake)
    forget()
  }
}
