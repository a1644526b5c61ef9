// Processes that send deliveries, and the deliveries that all of them have begun to send.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { processOf } from './built.ts'
import type { DeliveryBegun, DeliveryOrder, Stalling } from './delivery-child.ts'

export interface DeliveryProcesses extends AsyncDisposable {
  /** In the order of their beginning. */
  readonly begun: () => readonly DeliveryBegun[]
  /** The process with that number stands still for this long again and again. */
  stall(which: number, stallMs: number): void
  /** It stands still until it is thawed, like a machine whose memory is swapped out. */
  freeze(which: number): void
  thaw(which: number): void
}

const CHILD = 'test/support/delivery-child.ts'

/** Resolves when all of them run. */
export async function startDelivering(
  count: number,
  order: DeliveryOrder,
): Promise<DeliveryProcesses> {
  const begun: DeliveryBegun[] = []
  const children = Array.from({ length: count }, () => spawnChild(order))
  const ready = children.map((child) => untilReady(child, begun))
  await Promise.all(ready)
  return {
    begun: () => begun.toSorted((a, b) => a.atMs - b.atMs),
    stall: (which, stallMs) => children[which]?.send({ stallMs } satisfies Stalling),
    freeze: (which) => children[which]?.kill('SIGSTOP'),
    thaw: (which) => children[which]?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(end))
    },
  }
}

/** The shortest time, wherever it begins, in which more than `most` were begun. */
export function shortestWithMore(begun: readonly DeliveryBegun[], most: number): number {
  const spans = begun.slice(most).map(({ atMs }, i) => atMs - (begun[i]?.atMs ?? atMs))
  return Math.min(...spans)
}

function spawnChild(order: DeliveryOrder): ChildProcess {
  return spawn(process.execPath, [...processOf(CHILD), JSON.stringify(order)], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

function untilReady(child: ChildProcess, begun: DeliveryBegun[]): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: 'ready' | DeliveryBegun) => {
      if (message === 'ready') resolve()
      else begun.push(message)
    })
    child.once('exit', (code) => reject(new Error(`a process ended with ${code}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
