// The machine and the commit of a measurement.

import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
}

const GB = 1024 ** 3

export function readMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / GB),
    system: `${type()} ${release()}`,
    node: process.version,
  }
}

/** With a plus if the tree has changes that are not in the commit. */
export function readCommit(): string {
  try {
    const changed = git('status', '--porcelain') !== ''
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed ? '+' : ''}`
  } catch {
    return 'unknown'
  }
}

function git(...args: readonly string[]): string {
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  return execFileSync('git', args, { encoding: 'utf8', stdio: [...stdio] }).trim()
}
