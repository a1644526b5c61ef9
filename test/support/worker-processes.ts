// Worker processes of the service under an orchestrator: a killed one is started anew.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildOrder } from '../chaos/child.ts'
import { NO_FAULTS } from '../chaos/fault-rates.ts'
import { processOf } from './built.ts'
import { SECRETS_KEY } from './secrets-key.ts'

export interface WorkerProcesses extends AsyncDisposable {
  /** Kills the running one with this number; another takes its place. */
  kill(which: number): Promise<void>
  /** The log of all of them so far. */
  log(): Promise<string>
}

interface WorkerNeeds extends Pick<ChildOrder, 'queues' | 'timings'> {
  readonly count: number
  readonly environment: Readonly<Record<string, string>>
}

const CHILD = 'test/chaos/child.ts'

export async function startWorkers(needs: WorkerNeeds): Promise<WorkerProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-workers-'))
  const log = await open(join(folder, 'log'), 'a')
  const children = new Map<number, ChildProcess>()
  let isClosing = false

  function start(which: number): void {
    const child = spawnWorker(needs, which, log)
    children.set(which, child)
    child.once('exit', () => {
      if (!isClosing) start(which)
    })
  }

  async function kill(which: number): Promise<void> {
    const child = children.get(which)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  for (let which = 0; which < needs.count; which += 1) start(which)
  return {
    kill,
    log: () => readFile(join(folder, 'log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      isClosing = true
      await Promise.all([...children.keys()].map(kill))
      await log.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function spawnWorker(
  { environment, queues, timings }: WorkerNeeds,
  seed: number,
  { fd }: FileHandle,
): ChildProcess {
  const order = { role: 'worker', seed, queues, timings }
  const child = spawn(process.execPath, [...processOf(CHILD), JSON.stringify(order)], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', SECRETS_KEY, ...environment },
    stdio: ['ignore', fd, fd, 'ipc'],
  })
  child.on('error', () => {}) // The process may just have ended.
  child.send(NO_FAULTS)
  return child
}
