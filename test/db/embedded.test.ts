import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EmbeddedError } from '../../src/db/embedded/index.ts'
import { claimFolder } from '../../src/db/embedded/ownership.ts'
import { poll } from '../../src/db/embedded/postmaster.ts'
import {
  commandOf,
  emptyFolder,
  IN_CONTAINER,
  killServer,
  lamps,
  madeFolder,
  makeOnce,
  openFolder,
  queryServer,
  removeMade,
  serverPid,
  startEmbeddedChild,
} from './embedded-rig.ts'

const isLinux = process.platform === 'linux'

/** Skipped where no container can be made, but never in CI, where a skip would not be noticed. */
const whenRoot = it.skipIf(!(process.geteuid?.() === 0 && isLinux) && !process.env.CI)

beforeAll(makeOnce)
afterAll(removeMade)

describe('a folder', () => {
  it('is completed at the first start, whatever a killed one left, and keeps its rows', async () => {
    const folder = join(await emptyFolder(), 'made', 'by us')
    const draft = join(folder, 'postgres.new-1234')
    await mkdir(draft, { recursive: true })
    await writeFile(join(draft, 'PG_VERSION'), '18\n')
    const first = await openFolder(folder)
    expect((await readdir(folder)).filter((name) => name.includes('.new'))).toEqual([])
    expect(first.owned).toBe(true)
    await queryServer(first, "CREATE TABLE lamp AS SELECT 'kept' AS name")
    const settings = await queryServer(
      first,
      "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, lower('ÄÉ')",
    )
    expect(settings).toEqual([{ fsync: 'on', commit: 'on', lower: 'äé' }])
    await first.stop()
    expect(await first.gone).toMatchObject({ expected: true })

    const again = await openFolder(folder)
    expect(await lamps(again)).toEqual(['kept'])
  })

  it('shows its password to no other user, on the disk or over a connection without it', async () => {
    const folder = madeFolder()
    const server = await openFolder(folder)
    for (const name of ['postgres.password', 'postgres.log']) {
      expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
    }
    const url = server.url.replace(/:[^:@]+@/, ':wrong@')
    await expect(queryServer({ url }, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it.runIf(isLinux)('gives the server nothing of our environment', async () => {
    const folder = madeFolder()
    await openFolder(folder)
    const environment = await readFile(`/proc/${await serverPid(folder)}/environ`, 'utf8')
    const names = environment.split('\0').map((entry) => entry.split('=')[0])
    expect(names.filter((name) => name && !name.startsWith('PG')).sort()).toEqual([
      'LC_ALL',
      'PATH',
      'TZ',
    ])
  })

  it('of another PostgreSQL is refused', async () => {
    const folder = madeFolder()
    await alter(join(folder, 'postgres', 'PG_VERSION'), '17\n')
    await expect(openFolder(folder)).rejects.toThrow(
      /made by PostgreSQL 17 and this release brings 18/,
    )
    await expect(openFolder(folder, 'guest')).rejects.toThrow(EmbeddedError)
  })

  it('that fails to start reports the last lines of its log', async () => {
    const folder = madeFolder()
    await alter(join(folder, 'postgres', 'postgresql.conf'), 'port = lamp\n')
    await expect(openFolder(folder)).rejects.toThrow(
      /^PostgreSQL failed on .*FATAL: .*configuration.*\)$/,
    )
  })
})

describe('an owner', () => {
  it('is the only one: another process is told which one to stop', async () => {
    const folder = madeFolder()
    await openFolder(folder)
    const other = await startEmbeddedChild(folder, 'owner')
    expect((await other.open()).error).toBe(
      `${folder} is in use by process ${process.pid}: stop it, set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own`,
    )
  })

  whenRoot('is refused to a process in another container, and serves on', async () => {
    const folder = madeFolder()
    const server = await openFolder(folder)
    const before = await readdir(folder)
    const other = await startEmbeddedChild(folder, 'guest', { through: IN_CONTAINER })
    expect((await other.open()).error).toMatch(/is in use in another container.*stop the service/)
    expect(await lamps(server)).toContain('first')
    expect(await readdir(folder)).toEqual(before)
  })

  whenRoot('is open to a process in another container once its server was killed', async () => {
    const folder = madeFolder()
    await openFolder(folder)
    await killServer(folder)
    const other = await startEmbeddedChild(folder, 'owner', { through: IN_CONTAINER })
    expect(await lamps(await other.open())).toContain('first')
  })

  it('is one of several that start at the same instant', async () => {
    const folder = madeFolder()
    const children = await Promise.all([1, 2, 3].map(() => startEmbeddedChild(folder, 'owner')))
    const answers = await Promise.all(children.map((child) => child.open()))
    const [winner, ...others] = answers.filter(({ error }) => error === undefined)
    expect(others).toEqual([])
    expect(await lamps(winner ?? {})).toContain('first')
    const refused = answers.filter(({ error }) => error?.includes('is in use by process'))
    expect(refused).toHaveLength(2)
  })

  it('is one of many that find the claim of a dead process, again and again', async () => {
    const folder = await emptyFolder()
    for (let round = 1; round <= 20; round += 1) {
      const claims = await Promise.all(
        Array.from({ length: 10 }, () => claimFolder(folder, 'owner')),
      )
      expect(claims.filter(({ won }) => won)).toHaveLength(1)
      const [file = ''] = await readdir(folder)
      await writeFile(
        join(folder, file),
        JSON.stringify({ pid: 1, identity: 'dead', role: 'owner' }),
      )
    }
  })

  it('is not a process that got the pid of a dead one', async () => {
    const folder = madeFolder()
    const claim = { pid: process.ppid, identity: 'of another run', role: 'owner' }
    await writeFile(join(folder, 'owner.7.json'), JSON.stringify(claim))
    expect((await openFolder(folder)).owned).toBe(true)
  })

  it('waits for a guest that owns the folder briefly', async () => {
    const folder = madeFolder()
    const guest = await openFolder(folder, 'guest')
    const owner = openFolder(folder)
    await guest.stop()
    expect((await owner).owned).toBe(true)
  })
})

describe('a guest', () => {
  it('joins the server of an owner and leaves it running', async () => {
    const folder = madeFolder()
    const owner = await openFolder(folder)
    const guest = await openFolder(folder, 'guest')
    expect(guest).toMatchObject({ owned: false, url: owner.url })
    await guest.stop()
    expect(await lamps(owner)).toContain('first')
    await owner.stop()
    expect(await guest.gone).toMatchObject({ expected: false })
  })

  it('waits for a server that is being made, then joins it', async () => {
    const folder = await emptyFolder()
    const opening = openFolder(folder)
    const claimed = async () => (await readdir(folder)).includes('owner.1.json') || undefined
    await poll(claimed, { everyMs: 1, withinMs: 10_000 })
    const [owner, guest] = await Promise.all([opening, openFolder(folder, 'guest')])
    expect([owner.owned, guest.owned]).toEqual([true, false])
    expect(await queryServer(guest, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('starts a server if none runs, and stops it', async () => {
    const folder = madeFolder()
    const guest = await openFolder(folder, 'guest')
    expect(guest.owned).toBe(true)
    const pid = await serverPid(folder)
    await guest.stop()
    expect(await commandOf(pid)).toBe('')
  })
})

/** Sets this for one test only. */
async function alter(path: string, text: string): Promise<void> {
  const before = await readFile(path)
  await writeFile(path, text)
  onTestFinished(() => writeFile(path, before))
}
