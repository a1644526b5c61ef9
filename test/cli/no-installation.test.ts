// A command in the wrong folder says so, and writes nothing there.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand, runHere } from '../support/command.ts'

const LONG = { timeout: 60_000 }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter-nothing-'))
  await mkdir(join(folder, 'empty'))
  await writeFile(join(folder, 'a file'), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const isNone = /^lamplighter: no installation at \S+: lamplighter start makes one; .+\n$/

it.each([
  [['doctor'], 'none', isNone],
  [['doctor'], 'empty', isNone],
  [['doctor'], 'a file', /^lamplighter: \S+a file is not a folder: .+\n$/],
  [['teams', 'list'], 'none', isNone],
  [['api'], 'none', isNone],
  [['worker'], 'empty', isNone],
])('%j in a folder that is %s writes nothing and fails', LONG, async (words, name, said) => {
  const before = await readdir(folder, { recursive: true })
  const isServer = words.includes('api') || words.includes('worker')
  const run = isServer ? runCommand : runHere
  const { status, out, err } = await run(words, { DATA_DIR: join(folder, name) })
  expect(err).toMatch(said)
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(await readdir(folder, { recursive: true })).toEqual(before)
})

/** Only Linux has `/proc`, in which no process can make a folder. */
const hasProc = process.platform === 'linux'

it.runIf(hasProc).each(['start', 'migrate'])(
  '%s in a folder that cannot be made says so at once',
  LONG,
  async (command) => {
    const { status, err } = await runCommand([command], { DATA_DIR: '/proc/none/deeper' })
    expect(err).toMatch(/^lamplighter: \/proc\/none cannot be made: set DATA_DIR to .+\n$/)
    expect(status).toBe(1)
  },
)

it('migrate makes the tables that the other commands need', LONG, async () => {
  const settings = { DATA_DIR: join(folder, 'made') }
  expect(await runCommand(['migrate'], settings)).toMatchObject({ status: 0, err: '' })
  expect(await runCommand(['teams', 'list'], settings)).toMatchObject({ status: 0, err: '' })
})
