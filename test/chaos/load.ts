// Callers who charge as real ones do: each request with an idempotency key, the same again when no
// answer came, and now and then the same again for no reason. What they are told goes into a
// journal.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Told } from './audit.ts'
import { between, pick, type Random } from './random.ts'
import type { Introduced } from './setting.ts'

export interface Load {
  readonly journal: readonly Told[]
  /** Answers that no fault excuses. */
  readonly strange: readonly string[]
  /** Requests that got no answer, or one that said to come again. */
  readonly unanswered: () => number
  /** Resolves after so many more answers, or after the time. */
  next(answers: number, mostMs: number): Promise<void>
  /** No new charges; resolves when each has been told its final answer, or after the time. */
  settle(mostMs: number): Promise<void>
}

export interface LoadNeeds extends Introduced {
  readonly random: Random
  readonly callers: number
}

interface Order {
  readonly key: string
  readonly cents: number
  readonly card: string
  isFinal: boolean
}

const REPEATS = 0.3
const DECLINED = 0.2
const SLOW = 0.03
const AT_ONCE = 0.1

/** The sandbox decides it only when asked after three times. */
const SLOW_CENTS = 763_64

/** The sandbox never decides it, and it would be owed for hours. */
const LOST_CENTS = 763_63

/** How far back a caller remembers what to repeat. */
const MEMORY = 40

/** An intake that was killed answers nothing; one that lives answers in a few seconds. */
const PATIENCE_MS = 15_000

const COME_AGAIN_MS = 150

export function startLoad(needs: LoadNeeds): Load {
  const { random } = needs
  const orders: Order[] = []
  const journal: Told[] = []
  const strange: string[] = []
  const bells = new Set<() => void>()
  let unanswered = 0
  let isStopped = false
  let isAbandoned = false

  async function call(order: Order): Promise<void> {
    while (!isAbandoned) {
      const answer = await post(needs, order, random() < AT_ONCE)
      if (answer !== undefined && enter(order, answer)) return
      unanswered += 1
      await delay(COME_AGAIN_MS)
    }
  }

  /** False when the caller must come again. */
  function enter(order: Order, { status, text }: Answer): boolean {
    const body = JSON.parse(text)
    if (typeof body.id !== 'string') {
      if (status !== 503) strange.push(`${status} ${text}`)
      return false
    }
    journal.push({
      id: body.id,
      key: order.key,
      cents: order.cents,
      status: body.status,
      body: text,
    })
    order.isFinal ||= body.status !== 'PENDING'
    for (const ring of bells) ring()
    return true
  }

  async function caller(): Promise<void> {
    while (!isStopped) {
      const isRepeat = orders.length > 0 && random() < REPEATS
      const order = isRepeat ? pick(random, orders.slice(-MEMORY)) : newOrder(needs)
      if (!isRepeat) orders.push(order)
      await call(order)
    }
  }

  const callers = Array.from({ length: needs.callers }, caller)
  return {
    journal,
    strange,
    unanswered: () => unanswered,
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

function newOrder({ random, goodCard, badCard }: LoadNeeds): Order {
  const drawn = random() < SLOW ? SLOW_CENTS : between(random, 1, 99_999)
  const cents = drawn === LOST_CENTS ? SLOW_CENTS : drawn
  // The key is no part of the plan: two runs with one seed must not meet in one database.
  return {
    key: randomUUID(),
    cents,
    card: random() < DECLINED ? badCard : goodCard,
    isFinal: false,
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** undefined when none came. */
async function post(
  { address, apiKey }: LoadNeeds,
  { key, cents, card }: Order,
  isAtOnce: boolean,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${address}/charge`, {
      method: 'POST',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(isAtOnce ? { prefer: 'respond-async' } : {}),
      },
      body: JSON.stringify({ total: (cents / 100).toFixed(2), payment_method_id: card }),
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
