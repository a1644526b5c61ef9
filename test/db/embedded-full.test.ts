// The embedded PostgreSQL on a full disk: a small file system of its own, which only root can
// mount, and not everywhere.

import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { replaceFile } from '../../src/db/embedded/files.ts'
import { lamps, madeFolder, makeOnce, openFolder, queryServer, removeMade } from './embedded-rig.ts'

const MEBIBYTE = 1024 * 1024

/** Room for a database, two segments of its log, and little more. */
const DISK_MEBIBYTES = 120

/** A server that does not recover is given up after some ten seconds. */
const LONG_TEST = { timeout: 40_000 }

const canMount = await mountable()
if (!canMount) console.warn('SKIPPED: a full disk, because this user may not mount one')

beforeAll(makeOnce)
afterAll(removeMade)

async function mountable(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-'))
  try {
    mount(folder)
    unmount(folder)
    return true
  } catch {
    return false
  } finally {
    await rm(folder, { recursive: true })
  }
}

function mount(folder: string): void {
  const size = `size=${DISK_MEBIBYTES}m`
  execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' })
}

function unmount(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'ignore' })
}

async function smallDisk(): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'lamplighter-'))
  mount(disk)
  onTestFinished(async () => {
    // The kernel holds the disk until the last child of a crashed server is gone.
    await expect.poll(() => unmount(disk)).toBeUndefined()
    await rm(disk, { recursive: true })
  })
  return disk
}

/** Fills the disk except for some space; answers the file that does. */
async function fill(disk: string, leaveMebibytes = 0): Promise<string> {
  const file = join(disk, 'fill')
  const some = Buffer.alloc(MEBIBYTE)
  await writeFile(file, '')
  try {
    for (;;) await writeFile(file, some, { flag: 'a' })
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  if (leaveMebibytes > 0) execFileSync('truncate', ['-s', `-${leaveMebibytes}M`, file])
  return file
}

describe.skipIf(!canMount)('on a full disk, which only root can make here', () => {
  it(
    'a server that crashes and cannot recover is given up with the reason, and loses nothing',
    LONG_TEST,
    async () => {
      const disk = await smallDisk()
      const folder = join(disk, 'data')
      await cp(madeFolder(), folder, { recursive: true })
      const server = await openFolder(folder)
      const filled = await fill(disk)

      const superuser = { url: server.superuserUrl }
      const nextSegment = "SELECT pg_logical_emit_message(true, 'a', 'b'), pg_switch_wal()"
      const fails = async () => {
        for (;;) await queryServer(superuser, nextSegment)
      }
      await expect(fails()).rejects.toThrow()

      const ending = await server.gone
      expect(ending.expected).toBe(false)
      // PostgreSQL either ends because it cannot recover, or stays and is given up.
      expect(ending.detail).toMatch(/^it (crashed and does not recover|ended with exit code 1)/)
      expect(ending.detail).toContain('No space left on device')
      await server.stop()

      await rm(filled)
      expect(await lamps(await openFolder(folder))).toEqual(['first'])
    },
  )

  it(
    'a first start says in one line that there is no room, and what to do',
    LONG_TEST,
    async () => {
      const disk = await smallDisk()
      await fill(disk, 2)
      const refusal = await openFolder(join(disk, 'data')).catch((error) => error)
      expect(refusal.message).toMatch(
        /^initdb failed in [^.\n]+\/data: .*No space left on device: make room, set DATA_DIR [^\n]+$/,
      )
    },
  )

  it('a file without space leaves no draft behind', async () => {
    const disk = await smallDisk()
    await fill(disk)
    await expect(replaceFile(join(disk, 'file'), 'text')).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(disk)).toEqual(['fill'])
  })
})
