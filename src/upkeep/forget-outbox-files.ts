// Removes the files beside the messages of the outbox, by the time in their names: each process
// looks after its own folder.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '../world.ts'

/** What else a person keeps there is left alone. */
const NAME = /^(\d{8}T\d{9}Z)-[0-9a-f-]{36}\.(eml|txt)(\.part)?$/

/** At most so many; answers how many. A folder that cannot be read keeps nobody from the rest. */
export async function forgetOutboxFiles(world: World, before: Date, most: number): Promise<number> {
  const folder = join(world.config.dataDir, 'outbox')
  const end = before.toISOString().replace(/[-:.]/g, '')
  const names = await readdir(folder).catch(() => [])
  const old = names.filter((name) => (NAME.exec(name)?.[1] ?? end) < end).slice(0, most)
  for (const name of old) await rm(join(folder, name), { force: true }).catch(() => {})
  return old.length
}
