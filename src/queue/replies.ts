// Informs the API server whose caller waits that a row is finished. A message may be lost, so the
// waiting side also checks the row itself now and then. A caller of the same process is handed the
// answer, and need not read the row.

import { setImmediate as nextTick } from 'node:timers/promises'
import { chunksOf } from '../core/chunks.ts'
import type { Answered } from '../core/verdict.ts'

/** How messages between processes travel. */
interface ReplyTransport {
  /** The address at which this process receives replies. */
  readonly address: string
  /** In one message. */
  readonly mostIds: number
  send(address: string, ids: string): Promise<unknown>
  /** No message is received any more. */
  stop(): void
  onError(error: Error): void
}

/** Without an answer the row is to be read. */
type Wake = (answer?: Answered) => void

export class Replies {
  readonly #transport: ReplyTransport
  readonly #wakes = new Map<string, Set<Wake>>()
  readonly #waitsLong = new WeakSet<Wake>()
  #unsent = new Map<string, string[]>()
  #sending: Promise<void> | undefined

  constructor(transport: ReplyTransport) {
    this.#transport = transport
  }

  get address(): string {
    return this.#transport.address
  }

  /** `wake` is called whenever the row may have changed. The returned function stops that. */
  expect(id: string, wake: Wake): () => void {
    const wakes = this.#wakes.get(id) ?? new Set()
    this.#wakes.set(id, wakes.add(wake))
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && this.#wakes.get(id) === wakes) this.#wakes.delete(id)
    }
  }

  /** The transport has received a message. */
  arrived(ids: string): void {
    for (const id of ids.split(',')) this.#wake(id)
  }

  /** Wakes all waiting callers: after a broken connection any message may have been missed. */
  wakeAll(): void {
    for (const id of [...this.#wakes.keys()]) this.#wake(id)
  }

  /**
   * Wakes the callers that have waited since the previous call, in case their message was lost.
   * Later ones may still get their message; checking all of their rows at once would delay other
   * callers.
   */
  wakeLongWaiting(): void {
    for (const wake of [...this.#wakes.values()].flatMap((wakes) => [...wakes])) {
      if (this.#waitsLong.has(wake)) wake()
      else this.#waitsLong.add(wake)
    }
  }

  /** While a message is being sent, ids gather for the next one. */
  reply(address: string, id: string, answer?: Answered): void {
    if (address === this.address) {
      // The process that finished a row is often the one whose caller waits for it.
      this.#wake(id, answer)
      return
    }
    const ids = this.#unsent.get(address)
    if (ids === undefined) this.#unsent.set(address, [id])
    else ids.push(id)
    this.#sending ??= this.#sendAll()
  }

  async close(): Promise<void> {
    await this.#sending
    this.#transport.stop()
  }

  #wake(id: string, answer?: Answered): void {
    for (const wake of this.#wakes.get(id) ?? []) wake(answer)
  }

  async #sendAll(): Promise<void> {
    await nextTick()
    while (this.#unsent.size > 0) {
      const unsent = this.#unsent
      this.#unsent = new Map()
      for (const [address, ids] of unsent) await this.#sendTo(address, ids)
    }
    this.#sending = undefined
  }

  async #sendTo(address: string, ids: readonly string[]): Promise<void> {
    const { send, mostIds, onError } = this.#transport
    try {
      for (const some of chunksOf(ids, mostIds)) await send(address, some.join())
    } catch (error) {
      onError(error as Error)
    }
  }
}
