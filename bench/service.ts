// A process of the service, as it runs in production.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import type { Cleanups } from './cleanups.ts'
import { BUILT, ROOT } from './root.ts'
import { within } from './within.ts'

export interface BenchService {
  readonly name: string
  readonly pid: number
  /** The address at which it serves; undefined if it serves none. */
  readonly address: string | undefined
}

export type Settings = Readonly<Record<string, string>>

/** A sandbox key that every start creates. */
export const KEY = 'sk_sandbox_bench_0123456789abcdef'

/** More requests than a benchmark sends, and no wait at the end. */
const ALWAYS = { PORT: '0', SEED_API_KEY: KEY, RATE_LIMIT_PER_MINUTE: '1000000', GRACE_MS: '3s' }

const READY_MS = 30 * SECOND
const STOP_MS = 40 * SECOND
const LOOK_MS = 5

/** Its log goes to a file, as under a service manager, with the default level. */
export async function startService(
  name: string,
  args: readonly string[],
  settings: Settings,
  folder: string,
  cleanups: Cleanups,
): Promise<BenchService> {
  const log = join(folder, `${name.replaceAll(' ', '-')}.log`)
  const output = openSync(log, 'w')
  const env = environment(settings)
  const child = spawn(process.execPath, [BUILT, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  cleanups.add(() => stopService(child, child.pid ?? 0))
  const { address } = await within(READY_MS, `starting ${name}`, readyIn(log, child))
  return { name, pid: child.pid ?? 0, address }
}

/** Passes nothing of our own environment but the paths of programs. */
export function environment(settings: Settings): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, NODE_ENV: 'production', ...ALWAYS, ...settings }
}

/** Stops it as a service manager does, and kills it if it does not end. */
export async function stopService(child: ChildProcess, pid: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(pid, 'SIGTERM')
  try {
    await within(STOP_MS, 'stopping the service', ended)
  } catch (error) {
    process.kill(pid, 'SIGKILL')
    throw error
  }
}

interface ReadyLine {
  readonly pid: number
  readonly address?: string
}

/** The line of the log that says that it is ready. */
export function readyLineOf(log: string): ReadyLine | undefined {
  const line = log.split('\n').find((one) => one.startsWith('{') && one.endsWith('"msg":"ready"}'))
  return line === undefined ? undefined : JSON.parse(line)
}

async function readyIn(log: string, child: ChildProcess): Promise<{ address: string | undefined }> {
  for (;;) {
    const text = await readFile(log, 'utf8')
    const ready = readyLineOf(text)
    if (ready !== undefined) return { address: ready.address }
    if (child.exitCode !== null) throw new Error(`the service ended:\n${text}`)
    await delay(LOOK_MS)
  }
}
