// Old files of the outbox are deleted.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileNameOf } from '../../src/outside/outbox.ts'
import { forgetOutboxFiles } from '../../src/upkeep/forget-old.ts'
import type { World } from '../../src/world.ts'

const ID = '01941f29-7c00-7000-8000-000000000001'
const BEFORE = new Date('2026-03-08T12:00:00.000Z')

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lamplighter-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const forget = (most: number) => forgetOutboxFiles({ config: { dataDir } } as World, BEFORE, most)

const nameAt = (instant: string, channel = 'email') =>
  fileNameOf({ id: ID, channel, createdAt: new Date(instant) })

it('deletes by file name, and leaves other files alone', async () => {
  expect(await forget(10)).toBe(0)
  const folder = join(dataDir, 'outbox')
  await mkdir(folder)
  const old = [nameAt('2025-12-31T23:59:59.999Z'), nameAt('2026-03-08T11:59:59.999Z', 'sms')]
  const kept = [nameAt(BEFORE.toISOString()), nameAt('2026-03-09T00:00:00.000Z'), 'notes.eml']
  for (const name of [...old, `${old[0]}.part`, ...kept]) await writeFile(join(folder, name), '')
  expect([await forget(2), await forget(2), await forget(2)]).toEqual([2, 1, 0])
  expect((await readdir(folder)).sort()).toEqual([...kept].sort())
})
