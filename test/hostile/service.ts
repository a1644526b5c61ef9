// One process of the service under attack, called over HTTP, with a probe beside it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../chaos/proxies.ts'
import { processOf } from '../support/built.ts'
import type { Probed, ToProbe } from './probe-child.ts'
import type { FromService, ServiceOrder, ToService } from './service-child.ts'

export type Memory = Extract<FromService, { kind: 'memory' }>

export interface Service extends AsyncDisposable {
  readonly address: string
  /** The pid of the running process. */
  readonly pid: number
  send(message: ToService): void
  memory(): Promise<Memory>
  /** Blocks the process, and returns when it has been blocked. */
  stall(ms: number): Promise<void>
  /** Runs `act`; answers its result, and the longest time that /healthz took meanwhile. */
  probed<T>(act: () => Promise<T>): Promise<{ readonly done: T; readonly probe: Probed }>
  /** Kills a blocked process and starts another at the same address. */
  restart(): Promise<void>
  /** The lines that the process has logged so far. */
  log(): string
}

export interface ServiceNeeds extends ServiceOrder {
  readonly databaseUrl: string
  readonly settings?: Readonly<Record<string, string>>
}

export async function openService(needs: ServiceNeeds): Promise<Service> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-hostile-'))
  const log: Buffer[] = []
  const start = () => startService(needs, port, folder, log)
  let child = await start()
  let probe = await startProbe(address, child)

  async function endBoth(): Promise<void> {
    await Promise.all([end(child), end(probe)])
  }

  return {
    address,
    get pid() {
      return child.pid ?? 0
    },
    send: (message) => void child.send(message),
    async memory() {
      const answer = once(child, 'message')
      child.send({ kind: 'memory' } satisfies ToService)
      return (await answer)[0] as Memory
    },
    async stall(ms) {
      const answer = once(child, 'message')
      child.send({ kind: 'stall', ms } satisfies ToService)
      await answer
    },
    async probed(act) {
      const begun = once(probe, 'message')
      probe.send({ kind: 'begin' } satisfies ToProbe)
      await begun
      const done = await act()
      const answer = once(probe, 'message')
      probe.send({ kind: 'end' } satisfies ToProbe)
      return { done, probe: (await answer)[0] as Probed }
    },
    async restart() {
      await endBoth()
      child = await start()
      probe = await startProbe(address, child)
    },
    log: () => Buffer.concat(log).toString(),
    async [Symbol.asyncDispose]() {
      await endBoth()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startService(
  { databaseUrl, settings, timings }: ServiceNeeds,
  port: number,
  folder: string,
  log: Buffer[],
): Promise<ChildProcess> {
  const order = JSON.stringify({ timings })
  const script = processOf('test/hostile/service-child.ts')
  const child = spawn(process.execPath, ['--expose-gc', ...script, order], {
    env: {
      PATH: process.env.PATH,
      PORT: `${port}`,
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '1000000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stdout?.on('data', (chunk) => log.push(chunk))
  child.stderr?.on('data', (chunk) => log.push(chunk))
  return untilReady(child, () => `${Buffer.concat(log)}`)
}

function startProbe(address: string, service: ChildProcess): Promise<ChildProcess> {
  const script = processOf('test/hostile/probe-child.ts')
  const child = spawn(process.execPath, [...script, address, `${service.pid}`], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return untilReady(child, () => 'the probe')
}

function untilReady(child: ChildProcess, describe: () => string): Promise<ChildProcess> {
  child.on('error', () => {}) // The process may just have ended.
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child))
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${describe()}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
