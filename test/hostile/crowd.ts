// Charges over HTTP: by callers who each wait for their answer, and by callers who come at fixed
// moments, however many earlier ones are unanswered.

import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../../src/core/time-units.ts'

export interface ChargeTarget {
  readonly address: string
  readonly key: string
  readonly card: string
}

export interface TimedCharge {
  /** The `status` of the payment, or of the answer if it has no payment. */
  readonly came: string
  readonly retryAfter: string | undefined
  readonly idempotencyKey: string
  readonly ms: number
}

/** A caller without an answer by then counts as unanswered. */
const PATIENCE_MS = 20 * SECOND

const TICK_MS = 5

const agent = new Agent({ keepAlive: true })

/** Runs this many callers, each with one charge after the other. */
export async function keepCharging(
  target: ChargeTarget,
  callers: number,
  ms: number,
): Promise<TimedCharge[]> {
  const untilMs = performance.now() + ms
  const all = Array.from({ length: callers }, async () => {
    const charged: TimedCharge[] = []
    while (performance.now() < untilMs) charged.push(await charge(target))
    return charged
  })
  return (await Promise.all(all)).flat()
}

/** Sends this many charges a second, evenly. */
export async function crowd(
  target: ChargeTarget,
  aSecond: number,
  ms: number,
): Promise<TimedCharge[]> {
  const startedMs = performance.now()
  const sent: Promise<TimedCharge>[] = []
  for (;;) {
    const elapsedMs = Math.min(performance.now() - startedMs, ms)
    while (sent.length < (elapsedMs * aSecond) / SECOND) sent.push(charge(target))
    if (elapsedMs >= ms) return Promise.all(sent)
    await delay(TICK_MS)
  }
}

function charge({ address, key, card }: ChargeTarget): Promise<TimedCharge> {
  const idempotencyKey = randomUUID()
  const body = JSON.stringify({ total: 12.5, payment_method_id: card })
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const finish = (came: string, retryAfter?: string) =>
      resolve({ came, retryAfter, idempotencyKey, ms: performance.now() - startedMs })
    const asked = request(
      `${address}/charge`,
      {
        method: 'POST',
        agent,
        timeout: PATIENCE_MS,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': body.length,
          'idempotency-key': idempotencyKey,
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        answer.on('end', () => {
          const { error, status } = JSON.parse(text)
          finish(error ?? status, answer.headers['retry-after'])
        })
      },
    )
    asked.on('timeout', () => asked.destroy())
    asked.on('error', (error: NodeJS.ErrnoException) => finish(`no answer: ${error.code}`))
    asked.end(body)
  })
}
