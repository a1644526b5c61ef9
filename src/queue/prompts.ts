// Has rounds begin: at once for what has just been owed, later for what is due then. A round takes
// all that is due, so many who ask at the same moment need one.

import type { JobsOptions } from 'bullmq'
import { SECOND } from '../core/time-units.ts'
import type { SharedClock } from '../outside/clock.ts'
import type { QueueName } from './catalogue.ts'
import { delayUntil, overdueOptions } from './job-options.ts'

/** Adds a job that carries nothing. */
type AddRound = (queue: QueueName, options: JobsOptions) => void

/** Prompts of a queue, at most one in this time. */
const EVERY_MS = 25

export class Prompts {
  readonly #add: AddRound
  /** Queues that were prompted a moment ago, and whether somebody asked again since. */
  readonly #recent = new Map<QueueName, boolean>()
  /** The second for which each was prompted last. */
  readonly #later = new Map<QueueName, number>()

  constructor(add: AddRound) {
    this.#add = add
  }

  /** At once, and for all who ask within the next moment once more. */
  now(queue: QueueName): void {
    if (this.#recent.has(queue)) {
      this.#recent.set(queue, true)
      return
    }
    this.#recent.set(queue, false)
    this.#add(queue, {})
    setTimeout(() => {
      const isAskedAgain = this.#recent.get(queue) === true
      this.#recent.delete(queue)
      if (isAskedAgain) this.now(queue)
    }, EVERY_MS).unref()
  }

  /** Once a second is enough. */
  at(queue: QueueName, instant: Date, clock: SharedClock): void {
    const second = Math.ceil(instant.getTime() / SECOND)
    if (this.#later.get(queue) === second) return
    this.#later.set(queue, second)
    const delayed = delayUntil(new Date(second * SECOND), clock)
    this.#add(queue, { ...overdueOptions(queue, `due-${second}`), ...delayed })
  }
}
