// One request and its response, on a connection of a pool. The signal limits the time. A response
// counts by its status line, even if its body never ends.

import type { Dispatcher, Pool } from 'undici'
import { DAY, SECOND } from '../../core/time-units.ts'
import type { Clock } from '../clock.ts'
import { type EndpointAttempt, ownFault } from './own-fault.ts'
import type { Post, PostAnswer } from './port.ts'

/** The part of an answer that people read. No more is read. */
const EXCERPT_BYTES = 1024

/** The status is known by then; only the connection is lost. */
const BODY_MS = SECOND

const ENOUGH = new Error('enough of it')

/**
 * Answers that say nothing yet, such as 103. Servers send one or two; without end they would keep
 * this process busy.
 */
const MOST_INTERIM = 10

const TOO_MANY_INTERIM = Object.assign(new Error('too many interim answers'), {
  code: `more than ${MOST_INTERIM} interim answers (1xx)`,
})

interface Ask {
  readonly path: string
  readonly post: Post
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly attempt: EndpointAttempt
}

export function exchange(pool: Pool, ask: Ask): Promise<PostAnswer> {
  return new Promise((resolve) => {
    const { path, post, signal } = ask
    const answering = new Answering(ask, resolve)
    if (signal.aborted) return answering.giveUp()
    signal.addEventListener('abort', answering.giveUp, { once: true })
    try {
      pool.dispatch({ path, method: 'POST', headers: post.headers, body: post.body }, answering)
    } catch (error) {
      answering.fail(error)
    }
  })
}

class Answering implements Dispatcher.DispatchHandler {
  readonly #ask: Ask
  readonly #resolve: (answer: PostAnswer) => void
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #interim = 0
  #controller: Dispatcher.DispatchController | undefined
  #head: { readonly status: number; readonly retryAfterMs: number | undefined } | undefined
  #bodyTimer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(ask: Ask, resolve: (answer: PostAnswer) => void) {
    this.#ask = ask
    this.#resolve = resolve
  }

  /** The endpoint is connected, and the request is sent now. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(ENOUGH)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) {
      this.#countInterim(controller)
      return
    }
    const [header] = [headers['retry-after'] ?? []].flat()
    this.#head = { status, retryAfterMs: endpointRetryAfterMs(header, this.#ask.clock.now()) }
    this.#bodyTimer = setTimeout(this.giveUp, BODY_MS)
  }

  #countInterim(controller: Dispatcher.DispatchController): void {
    this.#interim += 1
    if (this.#interim <= MOST_INTERIM) return
    this.fail(TOO_MANY_INTERIM)
    controller.abort(ENOUGH)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, EXCERPT_BYTES - this.#bytes))
    this.#bytes += chunk.length
    if (this.#bytes > EXCERPT_BYTES) this.giveUp()
  }

  onResponseEnd(): void {
    this.fail(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  /** Called when enough was read, or the time is over. */
  readonly giveUp = (): void => {
    this.fail(undefined)
    this.#controller?.abort(ENOUGH)
  }

  fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#bodyTimer)
    this.#ask.signal.removeEventListener('abort', this.giveUp)
    const isReached = this.#controller !== undefined
    if (this.#head === undefined) {
      const own = ownFault(codeOf(error), this.#ask.attempt)
      this.#resolve(
        own === undefined
          ? { kind: 'silent', detail: silenceOf(error, isReached), isReached }
          : { kind: 'own_fault', detail: own },
      )
      return
    }
    const excerpt = plainExcerpt(Buffer.concat(this.#chunks))
    this.#resolve({ kind: 'answered', ...this.#head, excerpt })
  }
}

/** By its code, because its text may contain our addresses. */
function silenceOf(error: unknown, isReached: boolean): string {
  if (error === undefined) {
    return isReached ? 'no answer within the time' : 'no connection within the time'
  }
  const code = codeOf(error)
  return isReached ? `no answer: ${code}` : `no connection: ${code}`
}

/** Undefined if the time ran out without an error. */
function codeOf(error: unknown): string | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof Error)) return 'no code'
  return 'code' in error && error.code !== undefined ? String(error.code) : error.name
}

/** Makes an endpoint's response readable: one line of plain text. */
function plainExcerpt(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim()
}

/** A longer wait is cut to this: an owner disables an endpoint, not a header. */
const LONGEST_MS = 7 * DAY

/**
 * The header Retry-After: seconds, or a date.
 *
 * Undefined where it says nothing that makes sense, or an instant that is over.
 */
function endpointRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : untilDate(text, now)
  return ms > 0 ? Math.min(ms, LONGEST_MS) : undefined
}

/** An HTTP date begins with the weekday; other forms of dates are not accepted. */
function untilDate(text: string, now: Date): number {
  return /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN
}
