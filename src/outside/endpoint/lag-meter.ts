// Measures how long this process was too busy to read responses. A timeout that expires meanwhile
// says nothing about the other side, because timers run before arrived data is read.

/** A shorter delay does not prevent an answer from being read in time. */
const LOOK_MS = 100

export interface Listening {
  /** For how long since its start this process could not read. */
  deafMs(): number
  end(): void
}

export class LagMeter {
  #deafMs = 0
  #dueMs = 0
  #listeners = 0
  #looking: NodeJS.Timeout | undefined

  listen(): Listening {
    this.#listeners += 1
    if (this.#looking === undefined) this.#start()
    const before = this.#totalMs()
    return {
      deafMs: () => this.#totalMs() - before,
      end: () => this.#leave(),
    }
  }

  #start(): void {
    this.#dueMs = performance.now() + LOOK_MS
    this.#looking = setInterval(() => {
      this.#deafMs = this.#totalMs()
      this.#dueMs = performance.now() + LOOK_MS
    }, LOOK_MS)
    this.#looking.unref()
  }

  #leave(): void {
    this.#listeners -= 1
    if (this.#listeners > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  /** Includes the current delay, which no timer has seen yet. */
  #totalMs(): number {
    return this.#deafMs + Math.max(0, performance.now() - this.#dueMs)
  }
}
