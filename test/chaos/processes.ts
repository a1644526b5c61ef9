// The processes of the service as an orchestrator runs them: one that ends is started anew.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { processOf } from '../support/built.ts'
import type { ChildOrder, Done } from './child.ts'
import type { FaultRates } from './fault-rates.ts'
import { WRONG_CLOCK } from './wrong-clock.ts'

export interface Processes {
  readonly workers: readonly Slot[]
  readonly apis: readonly Slot[]
  /** The first of the API servers. */
  readonly api: Slot
  /** Processes that ended by themselves before they ran, since a store was away. */
  readonly gaveUp: () => number
  /** Processes that ended by themselves after they had run. */
  readonly crashed: () => number
  /** Sets how often the gateway misbehaves, for later processes as well. */
  setFaultRates(faultRates: FaultRates): void
  close(): Promise<void>
}

/** A slot that a process holds, and after its end another. */
export interface Slot {
  readonly name: string
  /** Resolves when it has ended; another takes its slot. After SIGTERM it may finish first. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Stops it like a machine that stands still: it neither runs nor dies, and its clock goes on. */
  freeze(): void
  thaw(): void
  /** Resolves when the process that holds the slot now runs. */
  ready(): Promise<void>
  /** The pid of the process that holds the slot now. */
  readonly pid: () => number
  /** The rows and rounds that it has finished, by queue; a new start begins anew. */
  readonly done: () => Done
}

export interface ProcessesNeeds {
  readonly environment: Readonly<Record<string, string>>
  /**
   * The environment of one slot, by its name: `api 1`, `worker 3`. With the `env` of a wrong clock
   * in it the process has that clock.
   */
  readonly own?: (name: string) => Readonly<Record<string, string>>
  /** One by default. */
  readonly apis?: number
  readonly workers: number
  readonly seed: number
  readonly faultRates: FaultRates
  readonly timings?: ChildOrder['timings']
  /** The offset of the clock of all processes. */
  readonly clockOffsetMs?: number
  /** The queues of the workers; all by default. */
  readonly queues?: ChildOrder['queues']
  /** The file descriptor of their log. */
  readonly logFd: number
}

/** A process that ends at its start must not be restarted without a pause. */
const RESTART_MS = 200

const CHILD = 'test/chaos/child.ts'

export function startProcesses(needs: ProcessesNeeds): Processes {
  let { faultRates, seed } = needs
  let gaveUp = 0
  let crashed = 0
  let isClosing = false
  const holders: Holder[] = []

  function slot(role: ChildOrder['role'], name: string): Slot {
    const holder = new Holder(() => {
      seed += 1
      const child = spawnChild(needs, name, { ...orderOf(needs), role, seed })
      child.send(faultRates)
      return child
    })
    holder.onEnd = (hasRun) => {
      if (isClosing) return
      if (!holder.isEndWanted && hasRun) crashed += 1
      if (!holder.isEndWanted && !hasRun) gaveUp += 1
      setTimeout(() => holder.start(), holder.isEndWanted ? 0 : RESTART_MS)
    }
    holder.start()
    holders.push(holder)
    return {
      name,
      end: (signal) => holder.end(signal),
      freeze: () => holder.child.kill('SIGSTOP'),
      thaw: () => holder.child.kill('SIGCONT'),
      ready: () => holder.ready,
      pid: () => holder.child.pid ?? 0,
      done: () => holder.done,
    }
  }

  const api = slot('api', 'api 1')
  const apis = [api]
  while (apis.length < (needs.apis ?? 1)) apis.push(slot('api', `api ${apis.length + 1}`))
  const workers = Array.from({ length: needs.workers }, (_, i) => slot('worker', `worker ${i + 1}`))
  return {
    apis,
    api,
    workers,
    gaveUp: () => gaveUp,
    crashed: () => crashed,
    setFaultRates(next) {
      faultRates = next
      for (const { child } of holders) if (child.connected) child.send(faultRates)
    },
    async close() {
      isClosing = true
      await Promise.all(holders.map((holder) => holder.end('SIGKILL')))
    },
  }
}

/** The part that is the same for all; JSON leaves out undefined values. */
function orderOf({ timings, clockOffsetMs, queues }: ProcessesNeeds): Partial<ChildOrder> {
  return JSON.parse(JSON.stringify({ timings, clockOffsetMs, queues }))
}

class Holder {
  readonly #spawn: () => ChildProcess
  #child: ChildProcess | undefined
  #ready = new Latch()
  isEndWanted = false
  done: Done = {}
  onEnd: (hasRun: boolean) => void = () => {}

  constructor(spawnOne: () => ChildProcess) {
    this.#spawn = spawnOne
  }

  get child(): ChildProcess {
    if (this.#child === undefined) throw new Error('not started')
    return this.#child
  }

  get ready(): Promise<void> {
    return this.#ready.opened
  }

  start(): void {
    this.isEndWanted = false
    const child = this.#spawn()
    this.#child = child
    this.done = {}
    child.on('message', (message: 'ready' | Done) => {
      if (message === 'ready') this.#ready.open()
      else this.done = message
    })
    child.on('error', () => {}) // The process may just have ended.
    child.once('exit', () => {
      const hasRun = this.#ready.isOpen
      if (hasRun) this.#ready = new Latch()
      this.onEnd(hasRun)
    })
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this
    if (child.exitCode !== null || child.signalCode !== null) return
    this.isEndWanted = true
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}

class Latch {
  open: () => void = () => {}
  isOpen = false
  readonly opened = new Promise<void>((resolve) => {
    this.open = () => {
      this.isOpen = true
      resolve()
    }
  })
}

function spawnChild(
  { environment, own, logFd }: ProcessesNeeds,
  name: string,
  order: ChildOrder,
): ChildProcess {
  return spawn(process.execPath, [...processOf(CHILD, WRONG_CLOCK), JSON.stringify(order)], {
    env: { PATH: process.env.PATH, ...environment, ...own?.(name) },
    stdio: ['ignore', logFd, logFd, 'ipc'],
  })
}
