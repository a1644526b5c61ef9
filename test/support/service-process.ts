// Processes of the service that are not restarted when they end: the tests are about their end.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ChildOrder } from '../chaos/child.ts'
import { type FaultRates, NO_FAULTS } from '../chaos/fault-rates.ts'
import { WRONG_CLOCK } from '../chaos/wrong-clock.ts'
import { processOf } from './built.ts'
import { SECRETS_KEY } from './secrets-key.ts'

export interface ServiceProcess extends AsyncDisposable {
  readonly name: string
  /** Resolves when it runs; rejects if it ended before. */
  readonly ready: Promise<void>
  readonly ended: Promise<ProcessEnd>
  signal(signal: NodeJS.Signals): void
  setFaultRates(faultRates: FaultRates): void
  /** Its log so far. */
  log(): string
  /** Sends SIGTERM, and answers how it ended. */
  end(): Promise<ProcessEnd>
}

export interface ProcessEnd {
  /** null if a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Since the first signal to end. */
  readonly tookMs: number
}

export interface ServiceProcessNeeds extends Omit<ChildOrder, 'seed'> {
  readonly name: string
  /** With the `env` of a wrong clock in it the process has that clock. */
  readonly environment: Readonly<Record<string, string>>
  readonly faultRates?: FaultRates
}

const CHILD = 'test/chaos/child.ts'

export function startServiceProcess(needs: ServiceProcessNeeds): ServiceProcess {
  const { name, faultRates = NO_FAULTS } = needs
  const child = spawnServiceProcess(needs)
  const log: Buffer[] = []
  child.stdout?.on('data', (chunk) => log.push(chunk))
  child.stderr?.on('data', (chunk) => log.push(chunk))
  let signalledMs: number | undefined
  const ended = once(child, 'exit').then(([code, signal]): ProcessEnd => {
    return { code, signal, tookMs: performance.now() - (signalledMs ?? performance.now()) }
  })
  const early = ended.then(({ code, signal }) => {
    throw new Error(`${name} ended with ${signal ?? code}: ${Buffer.concat(log)}`)
  })
  const ready = Promise.race([once(child, 'message').then(() => {}), early])
  ready.catch(() => {}) // The error is reported where it is awaited.
  early.catch(() => {})
  child.send(faultRates)

  function signal(which: NodeJS.Signals): void {
    signalledMs ??= performance.now()
    child.kill(which)
  }

  return {
    name,
    ready,
    ended,
    signal,
    setFaultRates: (next) => void child.send(next),
    log: () => Buffer.concat(log).toString(),
    end() {
      signal('SIGTERM')
      return ended
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
  }
}

function spawnServiceProcess(needs: ServiceProcessNeeds): ChildProcess {
  const { role, timings, queues, slowMs, environment } = needs
  const order: Partial<ChildOrder> = {
    role,
    seed: 1,
    ...JSON.parse(JSON.stringify({ timings, queues, slowMs })),
  }
  const child = spawn(process.execPath, [...processOf(CHILD, WRONG_CLOCK), JSON.stringify(order)], {
    env: { PATH: process.env.PATH, SECRETS_KEY, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.on('error', () => {}) // The process may just have ended.
  return child
}
