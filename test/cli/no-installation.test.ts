// A command that is sent to the wrong folder says so, and leaves nothing there.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'

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
  const { status, out, err } = await runCommand(words, { DATA_DIR: join(folder, name) })
  expect(err).toMatch(said)
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(await readdir(folder, { recursive: true })).toEqual(before)
})

it('migrate makes what the others need', LONG, async () => {
  const settings = { DATA_DIR: join(folder, 'made') }
  expect(await runCommand(['migrate'], settings)).toMatchObject({ status: 0, err: '' })
  expect(await runCommand(['teams', 'list'], settings)).toMatchObject({ status: 0, err: '' })
})
