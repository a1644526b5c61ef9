// Callers who charge and wait for the outcome, as many as there are connections. A raw socket and a request made
// beforehand, of which only the key changes: on a small machine whatever the load costs is missing from what it measures.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SECOND } from '../src/core/time-units.ts'
import { answerParent } from './child.ts'
import type { Callers, Charged } from './load.ts'
import { percentile, sum } from './statistics.ts'

interface Caller {
  readonly socket: Socket
  /** Sends a charge; resolves when its answer is there. */
  charge(idempotencyKey: string): Promise<'final' | 'other'>
}

const END_OF_HEAD = '\r\n\r\n'
const OK = 'HTTP/1.1 200 '
const FINAL = '"status":"SUCCESS"'

/** Unlike any key of another run on the same database. */
const RUN = Math.random().toString(36).slice(2, 10).padEnd(8, '0')

let charges = 0

answerParent(async ({ target, paymentMethods, connections, ms }: Callers): Promise<Charged> => {
  const { hostname, port } = new URL(target.address)
  const callers = await Promise.all(
    Array.from({ length: connections }, (_, i) => {
      const method = paymentMethods[i % paymentMethods.length] ?? ''
      return openCaller(hostname, Number(port), requestParts(target, method))
    }),
  )
  const before = process.cpuUsage()
  const startedMs = performance.now()
  const latencies: number[] = []
  const others = await Promise.all(
    callers.map((caller) => keepAsking(caller, startedMs + ms, latencies)),
  )
  const tookMs = performance.now() - startedMs
  const { user, system } = process.cpuUsage(before)
  for (const { socket } of callers) socket.destroy()
  const sorted = Float64Array.from(latencies).sort()
  return {
    completed: latencies.length,
    others: sum(others),
    perSecond: (latencies.length / tookMs) * SECOND,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMicros: user + system,
  }
})

/** Answers how many answers were none that a charge should have. */
async function keepAsking(caller: Caller, untilMs: number, latencies: number[]): Promise<number> {
  let others = 0
  for (let now = performance.now(); now < untilMs; ) {
    charges += 1
    const outcome = await caller.charge(`bench-${RUN}-${String(charges).padStart(10, '0')}`)
    const answeredMs = performance.now()
    if (outcome === 'final') latencies.push(answeredMs - now)
    else others += 1
    now = answeredMs
  }
  return others
}

/** What goes before the idempotency key, and after it. */
function requestParts(target: Callers['target'], paymentMethodId: string): [string, string] {
  const body = JSON.stringify({ total: 12.5, payment_method_id: paymentMethodId })
  const head = [
    'POST /charge HTTP/1.1',
    `Host: ${new URL(target.address).host}`,
    `Authorization: Bearer ${target.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Idempotency-Key: ',
  ]
  return [head.join('\r\n'), `${END_OF_HEAD}${body}`]
}

async function openCaller(
  host: string,
  port: number,
  [before, after]: [string, string],
): Promise<Caller> {
  const socket = connect({ host, port, noDelay: true })
  await once(socket, 'connect')
  let received: Buffer | undefined
  let resolve: (outcome: 'final' | 'other') => void = () => {}
  let reject: (error: Error) => void = () => {}
  socket.on('data', (chunk) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk])
    if (!isWhole(received)) return
    const outcome = outcomeOf(received)
    received = undefined
    resolve(outcome)
  })
  socket.on('error', (error) => reject(error))
  socket.on('close', () => reject(new Error('the service closed a connection')))
  return {
    socket,
    charge(idempotencyKey) {
      socket.write(before + idempotencyKey + after, 'latin1')
      return new Promise((done, failed) => {
        resolve = done
        reject = failed
      })
    },
  }
}

function isWhole(received: Buffer): boolean {
  const headEnd = received.indexOf(END_OF_HEAD)
  if (headEnd < 0) return false
  const head = received.toString('latin1', 0, headEnd)
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error('an answer without its length')
  return received.length >= headEnd + END_OF_HEAD.length + Number(length)
}

function outcomeOf(received: Buffer): 'final' | 'other' {
  return received.toString('latin1', 0, OK.length) === OK && received.includes(FINAL)
    ? 'final'
    : 'other'
}
