// A shop that sells all the time, a little at once. Each charge has its own key and is never
// repeated: a failed request is a failure.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { JournalEntry } from '../chaos/audit.ts'
import type { Introduced } from '../chaos/setting.ts'
import type { Balancer } from './balancer.ts'

const CALLERS = 6
const PAUSE_MS = 25

export interface Sold {
  readonly orders: number
  readonly journal: readonly JournalEntry[]
  /** Failures that a shop must never see. */
  readonly failures: readonly string[]
}

export function startSteadySales(balancer: Balancer, { apiKey, good }: Introduced) {
  const journal: JournalEntry[] = []
  const failures: string[] = []
  let orders = 0
  let isOver = false

  async function charge(): Promise<void> {
    orders += 1
    const key = randomUUID()
    const cents = 100 + orders
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': key,
      // Some do not wait: their payments are left to the workers.
      ...(orders % 5 === 0 ? { prefer: 'respond-async' } : {}),
    }
    const body = { total: (cents / 100).toFixed(2), payment_method_id: good.id }
    const { status, text } = await balancer.post('/charge', body, headers)
    if (status < 200 || status > 299) throw new Error(`${status} ${text}`)
    const made = JSON.parse(text)
    journal.push({ id: made.id, key, cents, status: made.status, body: text })
  }

  async function caller(): Promise<void> {
    while (!isOver) {
      await charge().catch((error) => failures.push(String(error)))
      await delay(PAUSE_MS)
    }
  }

  const callers = Array.from({ length: CALLERS }, caller)
  return {
    async stop(): Promise<Sold> {
      isOver = true
      await Promise.all(callers)
      return { orders, journal, failures }
    },
  }
}
