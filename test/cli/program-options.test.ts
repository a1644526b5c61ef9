// The programs for developers answer a wrong option with one line and no stack.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

async function run(...words: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  return { status, out, err }
}

describe('bench and chaos', { timeout: 60_000 }, () => {
  it.each([
    ['bench/main.ts', '--only PART'],
    ['test/chaos/main.ts', '--faults PATTERN'],
  ])('%s explains its options', async (program, line) => {
    const { status, out, err } = await run(program, '--help')
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain(line)
  })

  it.each([
    [['bench/main.ts', '--only', 'x'], /^--only x: it must be redis, workers, [^\n]+\n$/],
    [['bench/main.ts', '--fast'], /^Unknown option '--fast' \(--help shows the options\)\n$/],
    [['test/chaos/main.ts', '--faults', '('], /^--faults \(: it is not a regular [^\n]+\n$/],
    [['test/chaos/main.ts', '--minutes', 'ten'], /^--minutes ten: it must be a number[^\n]+\n$/],
  ])('%j gets one line and status 2', async (words, said) => {
    const { status, out, err } = await run(...words)
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(said)
  })
})
