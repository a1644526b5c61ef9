// A folder in memory for the temporary files of a run: databases, profiles of browsers, outboxes. A
// database has a thousand files, which take ten times the CPU to make on a disk that is in use.

import { mkdtemp, readFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'

/** One test starts a program from its own temporary folder. */
const STARTS_NO_PROGRAM = /^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m

const GIBIBYTE = 1024 ** 3

/** Databases and their log take less than two of them at once; a container often has 64 MiB. */
const ROOM_GIBIBYTES = 4

/** The tests themselves and their browsers need memory too. */
const MEMORY_GIBIBYTES = 8

/** A new folder, in memory if that serves. */
export async function memoryFolder(prefix: string): Promise<string> {
  return await mkdtemp(join((await serves()) ? IN_MEMORY : tmpdir(), prefix))
}

async function serves(): Promise<boolean> {
  if (process.availableMemory() < MEMORY_GIBIBYTES * GIBIBYTE) return false
  try {
    const { bavail, bsize } = await statfs(IN_MEMORY)
    if (bavail * bsize < ROOM_GIBIBYTES * GIBIBYTE) return false
    return !STARTS_NO_PROGRAM.test(await readFile('/proc/mounts', 'utf8'))
  } catch {
    // Not every system has it.
    return false
  }
}
