// The cost of a process, as the kernel counts it. Without /proc these figures are left out.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Linux counts in hundredths of a second for every reader. */
const MICROS_A_TICK = 10_000

const BYTES_A_MB = 1_000_000
const BYTES_A_KB = 1_024

export const hasProcesses = existsSync('/proc/self/stat')

interface Stat {
  readonly parent: number
  /** Of the process itself, and of its children that have ended. */
  readonly ticks: number
}

/** With its children: PostgreSQL has one for each connection. */
export async function cpuMicros(pid: number): Promise<number> {
  const own = await statOf(pid)
  const children = (await allStats()).filter(({ parent }) => parent === pid)
  return [own, ...children].reduce((total, stat) => total + (stat?.ticks ?? 0), 0) * MICROS_A_TICK
}

export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
  return (Number(kb) * BYTES_A_KB) / BYTES_A_MB
}

/** How often any of its threads has given up its core because there was nothing to do. */
export async function wakeUps(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const counts = threads.map(async (thread) => {
    const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8').catch(() => '')
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0)
  })
  return (await Promise.all(counts)).reduce((total, count) => total + count, 0)
}

async function allStats(): Promise<readonly Stat[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(names.map((name) => statOf(Number(name))))
  return stats.filter((stat) => stat !== undefined)
}

async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  if (text === undefined) return undefined
  // The second field is the program's name, and may contain anything.
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = rest.slice(9, 13).map(Number)
  return { parent: Number(parent), ticks: user + system + childrenUser + childrenSystem }
}
