// Informs the API server whose caller waits that a row is finished. A message may be lost, so the
// waiting side also checks the row itself now and then.

import { setImmediate as nextTick } from 'node:timers/promises'

export interface Replies {
  /** The address at which this process receives replies. */
  readonly address: string
  /** `wake` is called whenever the row may have changed. The returned function stops that. */
  expect(id: string, wake: () => void): () => void
  /** Wakes all waiting callers. */
  wakeAll(): void
  /**
   * Wakes the callers that have waited since the previous call, in case their message was lost.
   * Later ones may still get their message; checking all of their rows at once would delay other
   * callers.
   */
  wakeLongWaiting(): void
  /** Sent together with all other ids of the same moment. */
  reply(address: string, id: string): void
  close(): Promise<void>
}

/** Sends ids to another process's address. */
export type Send = (address: string, ids: readonly string[]) => Promise<void>

/** The part that is the same on both backends. */
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

  /** Any message may have been missed, as after a broken connection. */
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

/** Collects ids while the last message is being sent, so that one message carries many ids. */
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

  /** Resolves when all ids so far are being sent. */
  async sent(): Promise<void> {
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    await nextTick()
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
