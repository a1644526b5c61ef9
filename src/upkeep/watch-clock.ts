// Keeps this process on the database's time. Its workers take no work while the host's clock
// disagrees, because BullMQ uses that clock for the locks and delays of jobs. The log says so once
// when it begins and once when it ends.

import { isOff } from '../core/clock-skew.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { skewText } from './shown-figures.ts'

/** In this time a timer drifts by microseconds, and a changed clock has done no harm yet. */
const LOOK_EVERY_MS = SECOND

export function watchClock(world: World): { close(): void } {
  let wasWrong = false
  let measuring: Promise<void> | undefined

  function judge(): void {
    const skewMs = world.clock.skewMs()
    const isWrong = isOff(skewMs)
    const turn = isWrong ? world.queues.rest() : world.queues.resume()
    turn.catch((err) => world.log.warn({ err }, 'the workers could not be paused or resumed'))
    if (isWrong === wasWrong) return
    wasWrong = isWrong
    if (!isWrong) world.log.warn({ skewMs }, "the clock agrees with the database's again")
    else world.log.error({ skewMs }, `the clock is ${skewText(skewMs)}: no work is taken here`)
  }

  /**
   * One question at a time. If the database does not answer, the host's clock change still shows.
   */
  function look(): void {
    if (measuring !== undefined) judge()
    measuring ??= world.clock
      .measure()
      .catch((err) => world.log.debug({ err }, 'the clock was not measured'))
      .then(() => {
        measuring = undefined
        judge()
      })
  }

  look()
  const looks = setInterval(look, LOOK_EVERY_MS)
  looks.unref()
  return { close: () => clearInterval(looks) }
}
