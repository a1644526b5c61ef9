// The command line, as an operator types it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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
