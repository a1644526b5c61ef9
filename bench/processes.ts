// What a process costs, as the kernel counts it. Where there is no /proc, these figures are left out.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Linux counts in hundredths of a second for everyone who asks. */
const MICROS_A_TICK = 10_000

const BYTES_A_MB = 1_000_000
const BYTES_A_KB = 1_024

export const hasProcesses = existsSync('/proc/self/stat')

interface Stat {
  readonly parent: number
  /** Of itself, and of its children that ended. */
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

async function allStats(): Promise<readonly Stat[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(names.map((name) => statOf(Number(name))))
  return stats.filter((stat) => stat !== undefined)
}

async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  if (text === undefined) return undefined
  // The second field is the program's name, and may hold anything.
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = rest.slice(9, 13).map(Number)
  return { parent: Number(parent), ticks: user + system + childrenUser + childrenSystem }
}
