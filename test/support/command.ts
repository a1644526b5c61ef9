// The command line, as an operator types it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runProgram } from '../../src/cli/program.ts'
import { processOf } from './built.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export async function runCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...processOf('src/main.ts'), ...words], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  return { status, out, err }
}

/**
 * The same without a process of its own, whose start takes longer than the command; one at a time.
 * What a process adds is tested in `help.test.ts` and `start.test.ts`.
 */
export async function runHere(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> {
  const { argv, env, exitCode } = process
  const { PATH = '', HOME = '', TZ = 'UTC' } = env
  const said = { stdout: '', stderr: '' }
  const streams = ['stdout', 'stderr'] as const
  const writes = streams.map((name) => process[name].write)
  for (const name of streams) {
    process[name].write = (chunk: string | Uint8Array) => {
      said[name] += String(chunk)
      return true
    }
  }
  process.argv = [process.execPath, 'lamplighter', ...words]
  process.env = { PATH, HOME, TZ, ...settings }
  process.exitCode = 0
  try {
    await runProgram()
    return { status: Number(process.exitCode), out: said.stdout, err: said.stderr }
  } finally {
    Object.assign(process, { argv, env, exitCode })
    for (const [i, name] of streams.entries()) process[name].write = writes[i] ?? (() => true)
  }
}
