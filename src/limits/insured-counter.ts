// A counter that always answers at once. While the store is away, requests are counted within the
// process. The store is tried now and then, so that it counts again when it is back.

import { SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import type { Counted, CountingOnly, RequestCounter } from './counter.ts'

/** Longer than a busy store takes. A caller hardly notices it, and it happens once in an outage. */
const MOST_WAIT_MS = SECOND

/** A store that failed is left alone for this long. */
const QUIET_MS = SECOND

export function insuredCounter(
  store: RequestCounter,
  inProcess: CountingOnly,
  onError: (error: Error) => void,
): RequestCounter {
  let isAway = false
  let quietUntilMs = 0

  async function ask(subject: string): Promise<Counted | undefined> {
    try {
      const counted = await inTime(store.count(subject))
      isAway = false
      return counted
    } catch (error) {
      isAway = true
      quietUntilMs = performance.now() + QUIET_MS
      onError(error as Error)
      return undefined
    }
  }

  return {
    async count(subject) {
      if (!isAway) return (await ask(subject)) ?? inProcess.count(subject)
      if (performance.now() >= quietUntilMs) {
        quietUntilMs = performance.now() + QUIET_MS
        void ask(subject)
      }
      return inProcess.count(subject)
    },
    // If the store fails here, one request too many is counted until the window ends.
    giveBack: (subject) => (isAway ? inProcess : store).giveBack(subject).catch(onError),
    forgetEnded: () => store.forgetEnded(),
    close: () => store.close(),
  }
}

async function inTime(counting: Promise<Counted>): Promise<Counted> {
  if (await isDoneWithin(MOST_WAIT_MS, counting)) return counting
  throw new Error('the store that counts requests does not answer')
}
