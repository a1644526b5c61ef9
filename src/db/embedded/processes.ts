// What the system says about a process by its pid: pids are used again, so a bare one proves
// nothing.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { readIfThere } from './files.ts'

/**
 * In what `/proc/<pid>/stat` says behind the process's name: its state, and the tick of the boot at
 * which it began.
 */
const STATE = 0
const START_TICK = 19

/**
 * `Z` has ended and waits to be collected by its parent, which a container's first process may
 * never do.
 */
const ENDED_STATES = new Set(['Z', 'X', 'x'])

/**
 * Names this one run of the process: another process that gets its pid has another. Undefined where
 * none is alive.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return await ps(pid, 'lstart=')
  const stat = await readProc(pid, 'stat')
  if (stat === undefined) return undefined
  // The name stands in brackets and may hold brackets and spaces itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (ENDED_STATES.has(fields[STATE] ?? '')) return undefined
  return `${await bootId()}/${fields[START_TICK]}`
}

/** True where the process is a PostgreSQL that was started on this folder. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    return (await ps(pid, 'command='))?.includes(`-D ${cluster}`) ?? false
  }
  const words = (await readProc(pid, 'cmdline'))?.split('\0') ?? []
  return words[words.indexOf('-D') + 1] === cluster
}

/**
 * The processes that it has started and that run. Empty where the system does not say: not every
 * kernel does, and none but Linux.
 */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const pids = (await readProc(pid, `task/${pid}/children`))?.split(' ') ?? []
  return pids.filter((one) => one.trim() !== '').map(Number)
}

/** What it calls itself; empty where it is gone, or the system does not say. */
export async function titleOf(pid: number): Promise<string> {
  return (await readProc(pid, 'cmdline')) ?? ''
}

async function readProc(pid: number, name: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // Gone before the read (ENOENT) or during it (ESRCH), or hidden from us and thus nothing that
    // we started.
    return undefined
  }
}

async function bootId(): Promise<string> {
  return (await readIfThere('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''
}

async function ps(pid: number, column: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      '/bin/ps',
      ['-ww', '-p', String(pid), '-o', column],
      {
        env: { LC_ALL: 'C', TZ: 'UTC' },
      },
    )
    return stdout.trim() || undefined
  } catch {
    // ps ends with 1 where there is no such process.
    return undefined
  }
}
