// Tells the intake that somebody waits at that a row is finished. A message may be lost: who waits
// also looks again by himself now and then.

import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Replies {
  /** Where this process can be told something. */
  readonly address: string
  /** `wake` is called whenever there may be news of the row; the answer stops that. */
  expect(id: string, wake: () => void): () => void
  /** Wakes everybody. */
  wakeAll(): void
  /**
   * Wakes who has waited since this was called the last time, for whatever message got lost. Who
   * came later will hear yet: where many wait, looking for all of them would hold the others up.
   */
  wakeLongWaiting(): void
  /** Sent together with all that is told at the same moment. */
  tell(address: string, id: string): void
  close(): Promise<void>
}

/** Sends ids to another process's address. */
export type Send = (address: string, ids: readonly string[]) => Promise<void>

/** The part that is the same for every carrier. */
export class Expectations {
  readonly #wakes = new Map<string, Set<() => void>>()
  readonly #waitsLong = new WeakSet<() => void>()

  add(id: string, wake: () => void): () => void {
    const wakes = this.#wakes.get(id) ?? new Set()
    this.#wakes.set(id, wakes.add(wake))
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && this.#wakes.get(id) === wakes) this.#wakes.delete(id)
    }
  }

  arrived(id: string): void {
    for (const wake of this.#wakes.get(id) ?? []) wake()
  }

  /** Anything may have been missed, as after a broken connection. */
  arrivedPerhaps(): void {
    for (const id of [...this.#wakes.keys()]) this.arrived(id)
  }

  wakeLongWaiting(): void {
    for (const wake of [...this.#wakes.values()].flatMap((wakes) => [...wakes])) {
      if (this.#waitsLong.has(wake)) wake()
      else this.#waitsLong.add(wake)
    }
  }
}

/**
 * Collects what is told while the last message is on its way, so that a message carries many ids.
 */
export class Outgoing {
  readonly #send: Send
  readonly #mostIds: number
  readonly #onError: (error: Error) => void
  #waiting = new Map<string, string[]>()
  #sending: Promise<void> | undefined

  constructor(send: Send, mostIds: number, onError: (error: Error) => void) {
    this.#send = send
    this.#mostIds = mostIds
    this.#onError = onError
  }

  add(address: string, id: string): void {
    const ids = this.#waiting.get(address)
    if (ids === undefined) this.#waiting.set(address, [id])
    else ids.push(id)
    this.#sending ??= this.#sendAll()
  }

  /** Resolves when all that was told so far is on its way. */
  async sent(): Promise<void> {
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    await nextTurn()
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting
      this.#waiting = new Map()
      for (const [address, ids] of waiting) await this.#sendTo(address, ids)
    }
    this.#sending = undefined
  }

  async #sendTo(address: string, ids: readonly string[]): Promise<void> {
    try {
      for (let i = 0; i < ids.length; i += this.#mostIds) {
        await this.#send(address, ids.slice(i, i + this.#mostIds))
      }
    } catch (error) {
      this.#onError(error as Error)
    }
  }
}
