// Keeps the time of this process that of the database, and its workers from working while its host
// disagrees about it: BullMQ reads the host's clock for the locks of jobs and for their delays. It
// says so once when that begins and once when it ends, and the work goes on by itself.

import { isOff } from '../core/clock-skew.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { skewText } from './words.ts'

export interface ClockWatch {
  close(): void
}

/** A timer strays by some microseconds in this time; a clock that was set has done no harm yet. */
const LOOK_EVERY_MS = SECOND

export function watchClock(world: World): ClockWatch {
  let wasWrong = false
  let measuring: Promise<void> | undefined

  function judge(): void {
    const skewMs = world.clock.skewMs()
    const isWrong = isOff(skewMs)
    const turn = isWrong ? world.queues.rest() : world.queues.resume()
    turn.catch((err) =>
      world.log.warn({ err }, 'the workers could not be told to rest or to go on'),
    )
    if (isWrong === wasWrong) return
    wasWrong = isWrong
    if (!isWrong) world.log.warn({ skewMs }, "the clock agrees with the database's again")
    else world.log.error({ skewMs }, `the clock is ${skewText(skewMs)}: no work is taken here`)
  }

  /** A database that does not answer is asked once; what the host's clock has done shows anyway. */
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
