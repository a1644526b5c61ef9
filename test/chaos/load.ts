// Callers who charge, capture, void, refund, bill and pay bills as real ones do: each request has
// an idempotency key, is repeated when no answer came, and is sometimes repeated for no reason. The
// answers about transactions go into a journal.

import { setTimeout as delay } from 'node:timers/promises'
import type { JournalEntry } from './audit.ts'
import {
  type Bill,
  isTooLate,
  journalEntryOf,
  type Made,
  madeBy,
  newOrder,
  type Order,
  type OrderNeeds,
} from './orders.ts'
import { pick } from './random.ts'

export interface Load {
  readonly journal: readonly JournalEntry[]
  /** Answers that no fault excuses. */
  readonly strange: readonly string[]
  /** The number of orders that were not possible any more, or not yet. */
  readonly refused: () => number
  /** In the time of `performance.now()`. */
  readonly failures: readonly Failure[]
  /** Resolves after this many more answers, or after the time. */
  next(answers: number, mostMs: number): Promise<void>
  /** Stops new orders; resolves when each has its final answer, or after the time. */
  settle(mostMs: number): Promise<void>
}

export interface LoadNeeds extends OrderNeeds {
  readonly callers: number
  /** The addresses of several API servers; each request goes to one of them. */
  readonly addresses?: readonly string[]
  /** Between the requests of a caller. Without a pause they take all the CPU that there is. */
  readonly pauseMs?: number
}

/** A request without an answer, or with one that asks to repeat it. */
export interface Failure {
  readonly askedMs: number
  readonly endedMs: number
  /** `none`, or the status. */
  readonly answer: string
}

const REPEATS = 0.3
const AT_ONCE = 0.1

/** How many requests a caller remembers to repeat them. */
const MEMORY = 40

/** A killed API server never answers; a living one answers in a few seconds. */
const PATIENCE_MS = 15_000

const COME_AGAIN_MS = 150

export function startLoad(needs: LoadNeeds): Load {
  const { random } = needs
  const orders: Order[] = []
  const made: Made[] = []
  const bills: Bill[] = []
  const journal: JournalEntry[] = []
  const strange: string[] = []
  const bells = new Set<() => void>()
  let refused = 0
  const failures: Failure[] = []
  let isStopped = false
  let isAbandoned = false

  async function call(order: Order): Promise<void> {
    while (!isAbandoned) {
      const askedMs = performance.now()
      const answer = await post(needs, order, random() < AT_ONCE)
      if (answer !== undefined && enter(order, answer)) return
      const endedMs = performance.now()
      failures.push({ askedMs, endedMs, answer: String(answer?.status ?? 'none') })
      await delay(COME_AGAIN_MS)
    }
  }

  /** False if the caller must repeat the request. */
  function enter(order: Order, { status, text }: Answer): boolean {
    const isRefused = isTooLate(order, status, JSON.parse(text))
    const entry = isRefused ? undefined : journalEntryOf(order, text)
    if (!isRefused && entry === undefined) {
      if (status !== 503) strange.push(`${order.path}: ${status} ${text}`)
      return false
    }
    if (isRefused) refused += 1
    if (entry !== undefined) remember(order, entry)
    order.isFinal ||= entry?.status !== 'PENDING'
    for (const ring of bells) ring()
    return true
  }

  function remember(order: Order, entry: JournalEntry): void {
    if (order.makes === 'invoice') {
      if (!order.isFinal) bills.push({ id: entry.id, cents: entry.cents ?? 0 })
      return
    }
    journal.push(entry)
    const more = order.isFinal ? undefined : madeBy(order, entry)
    if (more !== undefined) made.push(more)
  }

  async function caller(): Promise<void> {
    while (!isStopped) {
      const isRepeat = orders.length > 0 && random() < REPEATS
      const order = isRepeat ? pick(random, orders.slice(-MEMORY)) : newOrder(needs, made, bills)
      if (!isRepeat) orders.push(order)
      await call(order)
      if (needs.pauseMs !== undefined) await delay(needs.pauseMs)
    }
  }

  const callers = Array.from({ length: needs.callers }, caller)
  return {
    journal,
    strange,
    refused: () => refused,
    failures,
    async next(answers, mostMs) {
      let left = answers
      const timeUp = new AbortController()
      const enough = new Promise<void>((resolve) => {
        const ring = () => {
          left -= 1
          if (left > 0) return
          bells.delete(ring)
          resolve()
        }
        bells.add(ring)
      })
      await Promise.race([
        enough,
        delay(mostMs, undefined, { signal: timeUp.signal }).catch(() => {}),
      ])
      timeUp.abort()
    },
    async settle(mostMs) {
      isStopped = true
      const abandoning = setTimeout(() => {
        isAbandoned = true
      }, mostMs)
      await Promise.all(callers)
      const open = orders.filter((order) => !order.isFinal)
      const finish = async () => {
        for (let order = open.pop(); order !== undefined; order = open.pop()) {
          while (!order.isFinal && !isAbandoned) await call(order)
        }
      }
      await Promise.all(Array.from({ length: needs.callers }, finish))
      clearTimeout(abandoning)
    },
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** undefined if none came. */
async function post(
  { address, addresses = [address], apiKey, random }: LoadNeeds,
  { key, path, body }: Order,
  isAtOnce: boolean,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${pick(random, addresses)}${path}`, {
      method: 'POST',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(isAtOnce ? { prefer: 'respond-async' } : {}),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
