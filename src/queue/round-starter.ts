// Starts rounds: at once for work that is due now, later for work that is due later. A round takes
// all due rows, so many calls at the same moment need one round.

import type { JobsOptions } from 'bullmq'
import { SECOND } from '../core/time-units.ts'
import type { SharedClock } from '../outside/clock.ts'
import type { QueueName } from './catalogue.ts'
import { delayUntil, overdueOptions } from './job-options.ts'

/** Adds a job without rows. */
type AddRound = (queue: QueueName, options: JobsOptions) => void

/** A round of a queue is started at most once in this time. */
const EVERY_MS = 25

export class RoundStarter {
  readonly #add: AddRound
  /** Queues whose round was started a moment ago, and whether another was requested since. */
  readonly #recent = new Map<QueueName, boolean>()
  /** The second for which a round of each queue was last started. */
  readonly #later = new Map<QueueName, number>()

  constructor(add: AddRound) {
    this.#add = add
  }

  /** Starts one at once; calls within the next moment share one more round. */
  now(queue: QueueName): void {
    if (this.#recent.has(queue)) {
      this.#recent.set(queue, true)
      return
    }
    this.#recent.set(queue, false)
    this.#add(queue, {})
    setTimeout(() => {
      const isRequestedAgain = this.#recent.get(queue) === true
      this.#recent.delete(queue)
      if (isRequestedAgain) this.now(queue)
    }, EVERY_MS).unref()
  }

  /** At most once for each second. */
  at(queue: QueueName, instant: Date, clock: SharedClock): void {
    const second = Math.ceil(instant.getTime() / SECOND)
    if (this.#later.get(queue) === second) return
    this.#later.set(queue, second)
    const delayed = delayUntil(new Date(second * SECOND), clock)
    this.#add(queue, { ...overdueOptions(queue, `due-${second}`), ...delayed })
  }
}
