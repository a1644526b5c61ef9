// Sends requests as an attacker does, and judges whether the service withstood them.

import { Agent, request } from 'node:http'
import type { Service } from './service.ts'
import { waitedForCoreMs } from './waited.ts'

export interface HostileRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON; text is sent as it is, with the type of JSON. */
  readonly body?: object | string
}

export interface TimedAnswer {
  readonly status: number
  /** Without the time in which the service or this process waited for a core of the machine. */
  readonly ms: number
  /** The beginning of the answer. */
  readonly text: string
}

export interface Bounds {
  /** How long one request may take. */
  readonly requestMs: number
  /** How long /healthz may take meanwhile. */
  readonly probeMs: number
}

export const BOUNDS: Bounds = { requestMs: 500, probeMs: 250 }

/** No answer for this long means that the process is blocked, and it is restarted. */
const MOST_MS = 15_000

const KEPT_CHARACTERS = 100_000

/** An attempt on a busy machine may be slow by chance; a real block is slow each time. */
const ATTEMPTS = 3

const agent = new Agent({ keepAlive: true })

export interface HostileTarget {
  readonly address: string
  readonly pid: number
}

export function ask(
  { address, pid }: HostileTarget,
  key: string,
  sent: HostileRequest,
): Promise<TimedAnswer> {
  const { method = 'GET', path, body, headers } = sent
  const payload = typeof body === 'object' ? JSON.stringify(body) : body
  const startedMs = performance.now()
  const waitedMs = waitedForCoreMs(pid) + waitedForCoreMs(process.pid)
  return new Promise((resolve) => {
    const finish = (status: number, text: string) => {
      const waited = waitedForCoreMs(pid) + waitedForCoreMs(process.pid) - waitedMs
      resolve({ status, text, ms: performance.now() - startedMs - waited })
    }
    const asked = request(`${address}${path}`, {
      method,
      agent,
      timeout: MOST_MS,
      headers: {
        authorization: `Bearer ${key}`,
        ...(payload === undefined
          ? {}
          : {
              'content-type': 'application/json',
              'content-length': `${Buffer.byteLength(payload)}`,
            }),
        ...headers,
      },
    })
    asked.on('response', (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        if (text.length < KEPT_CHARACTERS) text += chunk
      })
      answer.on('end', () => finish(answer.statusCode ?? 0, text))
      answer.on('error', () => finish(0, 'the answer broke off'))
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', (error) => finish(0, error.message))
    asked.end(payload)
  })
}

/**
 * The faults in words, the fewest of up to three attempts; none if one attempt was without fault.
 * Each attempt sends new requests. A block shows in all three, a busy machine hardly ever.
 */
export async function faultsOfAttempts(
  service: Service,
  attempt: () => Promise<readonly string[]>,
  { probeMs }: Bounds = BOUNDS,
): Promise<readonly string[]> {
  let faults: readonly string[] = []
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    const { done, probe } = await service.probed(attempt)
    faults = [
      ...done,
      ...(probe.slowestMs >= probeMs ? [`/healthz waited ${Math.round(probe.slowestMs)} ms`] : []),
      ...(probe.failures > 0 ? [`/healthz failed ${probe.failures} times`] : []),
    ]
    if (faults.length === 0) return []
    if (faults.some((fault) => fault.includes('no answer'))) await service.restart()
    // A wrong answer is wrong each time, and slowness alone may be chance.
    if (faults.some((fault) => fault.includes(' answered '))) return faults
  }
  return faults
}

/** The faults of an answer, whatever the request was. */
export function faultsIn(
  sent: HostileRequest,
  answer: TimedAnswer,
  { requestMs }: Bounds,
): string[] {
  const { method = 'GET', path } = sent
  const what = `${method} ${path.length > 100 ? `${path.slice(0, 100)}…` : path}`
  const faults: string[] = []
  if (answer.status === 0) faults.push(`${what}: no answer (${answer.text})`)
  if (answer.status >= 500)
    faults.push(`${what} answered ${answer.status} ${answer.text.slice(0, 200)}`)
  if (answer.ms >= requestMs) faults.push(`${what} took ${Math.round(answer.ms)} ms`)
  if (answer.status >= 400 && answer.text.length >= KEPT_CHARACTERS) {
    faults.push(`${what} answered ${answer.status} with ${KEPT_CHARACTERS} characters and more`)
  }
  return faults
}
