// The programs for developers answer a wrong option with one line and no stack.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { choiceOption, numberOption, programOptions } from '../support/program-options.ts'

const ROOT = join(import.meta.dirname, '../..')

it.each([
  ['bench/main.ts', ['--help'], { status: 0, out: /--only PART/, err: /^$/ }],
  [
    'test/chaos/main.ts',
    ['--faults', '('],
    { status: 2, out: /^$/, err: /^--faults \(: it is not a regular [^\n]+\n$/ },
  ],
])('%s answers %j', { timeout: 60_000 }, async (program, words, expected) => {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  expect({ status, out, err }).toEqual({
    status: expected.status,
    out: expect.stringMatching(expected.out),
    err: expect.stringMatching(expected.err),
  })
})

const { argv } = process

afterEach(() => {
  process.argv = argv
  vi.restoreAllMocks()
})

class Ended extends Error {}

it.each([
  ['--help', 0, 'usage: one\n'],
  ['--fast', 2, "Unknown option '--fast' (--help shows the options)\n"],
  ['--only=x', 2, '--only x: it must be redis, workers (--help shows the options)\n'],
  [
    '--minutes=ten',
    2,
    '--minutes ten: it must be a number, 1 or more (--help shows the options)\n',
  ],
])('%s ends the program before it begins, with status %i', (word, status, said) => {
  const texts: unknown[] = []
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Ended()
  })
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((line) => texts.push(line) > 0)
  }
  process.argv = ['node', 'program', word]
  const options = { only: { type: 'string' }, minutes: { type: 'string' } } as const
  const read = () =>
    programOptions('usage: one\n', options, ({ only = 'redis', minutes = '1' }) => [
      choiceOption('only', only, ['redis', 'workers']),
      numberOption('minutes', minutes, 1),
    ])
  expect(read).toThrow(Ended)
  vi.restoreAllMocks()
  expect([texts, exit.mock.calls]).toEqual([[said], [[status]]])
})
