import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { explained, remedyOf } from '../../src/db/embedded/embedded-error.ts'
import {
  chooseLauncher,
  findBinaries,
  giveTo,
  linkLibraries,
} from '../../src/db/embedded/launcher.ts'
import { emptyFolder, lamps, openFolder, queryServer, startEmbeddedChild } from './embedded-rig.ts'

const isRoot = process.geteuid?.() === 0
const isLinux = process.platform === 'linux'
const run = promisify(execFile)

/** Skipped if this machine lacks the means, but never in CI, where a skip would not be noticed. */
const whenRoot = it.skipIf(!(isRoot && isLinux) && !process.env.CI)

const OTHER_USER = 12_345

const NOBODY = { uid: 65_534, gid: 65_534 }

describe('as a user', () => {
  whenRoot('who is root it serves from a folder that only root may enter', async () => {
    const folder = await closedFolder()
    const first = await openFolder(join(folder, 'data'))
    await queryServer(first, 'CREATE TABLE lamp (name text)')
    await first.stop()
    expect(await lamps(await openFolder(join(folder, 'data')))).toEqual([])
  })

  whenRoot(
    'who is root and has no user namespaces the data lie where nobody can reach',
    async () => {
      const folder = join(await closedFolder(), 'data')
      const means = { userNamespaces: false }
      const first = await openFolder(folder, 'owner', means)
      const home = await readlink(join(folder, 'postgres'))
      onTestFinished(() => rm(dirname(home), { recursive: true }))
      await queryServer(first, "CREATE TABLE lamp AS SELECT 'kept' AS name")
      await first.stop()
      expect((await stat(home)).uid).toBe(NOBODY.uid)
      expect(await lamps(await openFolder(folder, 'owner', means))).toEqual(['kept'])
    },
  )

  whenRoot('who gets data is given the rest of it after an interruption', async () => {
    const folder = await emptyFolder()
    const [file, broken] = [join(folder, 'base'), join(folder, 'leads nowhere')]
    await Promise.all([writeFile(file, ''), symlink('nowhere', broken)])
    const launcher = { ...(await chooseLauncher(await findBinaries())), user: NOBODY.uid }
    await expect(giveTo(launcher, folder)).rejects.toThrow('ENOENT')
    await chown(file, 0, 0)
    await rm(broken)
    await giveTo(launcher, folder)
    const owners = await Promise.all([folder, file].map(async (path) => (await stat(path)).uid))
    expect(owners).toEqual([NOBODY.uid, NOBODY.uid])
  })

  it('of a file system that can only be read is told so, and not to be another user', () => {
    const refused = Object.assign(new Error('read-only file system'), { code: 'EROFS' })
    expect(String(explained(refused, '/data'))).toContain('/data is on a file system that can only')
  })

  whenRoot('without a name is told to have one', async () => {
    const folder = await emptyFolder()
    await chown(folder, OTHER_USER, OTHER_USER)
    const child = await startEmbeddedChild(folder, 'owner', { uid: OTHER_USER, gid: OTHER_USER })
    expect((await child.open()).error).toMatch(
      /user does not exist: run as a user of \/etc\/passwd, or set DATABASE_URL/,
    )
  })

  it('of a container with little shared memory is not told that its disk is full', () => {
    const words = 'could not resize shared memory segment "/PostgreSQL.1" to 1048576 bytes'
    expect(remedyOf(`FATAL:  ${words}: No space left on device`)).toMatch(/^: give \/dev\/shm more/)
    expect(remedyOf('FATAL:  could not write: No space left on device')).toMatch(/^: make room/)
  })

  whenRoot('who is root, the data of another user stay usable for that user', async () => {
    const folder = await emptyFolder()
    await (await openFolder(folder)).stop()
    await run('chown', ['-R', `${OTHER_USER}:${OTHER_USER}`, folder])
    await expect(openFolder(folder)).rejects.toThrow(`belongs to user ${OTHER_USER}`)
    const [claim = ''] = (await readdir(folder)).filter((name) => name.startsWith('owner.'))
    expect((await stat(join(folder, claim))).mode & 0o777).toBe(0o644)
  })

  whenRoot('nobody, the binaries are copied where they cannot be reached', async () => {
    const { native, major } = await findBinaries()
    const closed = join(await closedFolder(), 'native')
    await copyPrograms(native, closed)
    // As npm leaves them under a narrow umask.
    await chmod(join(closed, 'bin'), 0o700)
    await chmod(join(closed, 'bin', 'initdb'), 0o700)
    const launcher = await chooseLauncher({ native: closed, major }, { userNamespaces: false })
    onTestFinished(() => rm(launcher.binaries.native, { recursive: true }))
    const [code] = await once(launcher.launch('initdb', ['--version'], 'ignore'), 'exit')
    expect(code).toBe(0)
  })

  whenRoot('who is an ordinary one it just runs', async () => {
    const folder = await emptyFolder()
    await chmod(folder, 0o777)
    const child = await startEmbeddedChild(join(folder, 'data'), 'owner', NOBODY)
    const server = await child.open()
    expect(server).toMatchObject({ owned: true })
    expect(await queryServer(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  whenRoot('who may not write there, one line says so', async () => {
    const folder = await emptyFolder()
    const child = await startEmbeddedChild(join(folder, 'data'), 'owner', NOBODY)
    expect((await child.open()).error).toMatch(
      /data may not be used by this user \(EACCES\): run as/,
    )
  })
})

describe('the binaries', () => {
  it('are refused on a platform without any', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch')
    Object.defineProperty(process, 'arch', { ...arch, value: 'riscv64' })
    onTestFinished(() => void Object.defineProperty(process, 'arch', { ...arch }))
    await expect(findBinaries()).rejects.toThrow(
      /no embedded PostgreSQL for .*riscv64: set DATABASE_URL/,
    )
  })

  it.runIf(isLinux)('get the links to their libraries if npm did not run scripts', async () => {
    const folder = await emptyFolder()
    await copyPrograms((await findBinaries()).native, join(folder, 'native'))
    const links = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8'))
    for (const { target } of links) await rm(join(folder, target))
    const postgres = join(folder, 'native/bin/postgres')
    await expect(run(postgres, ['--version'])).rejects.toThrow(/shared libraries/)
    await linkLibraries(folder)
    expect((await run(postgres, ['--version'])).stdout).toMatch(/^postgres \(PostgreSQL\) 18/)
  })
})

/** The files that are needed to run them with --version; the rest is a thousand files. */
async function copyPrograms(from: string, to: string): Promise<void> {
  const rest = [join(from, 'share'), join(from, 'lib', 'postgresql')]
  const filter = (path: string) => !rest.includes(path)
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter })
}

async function closedFolder(): Promise<string> {
  const folder = await emptyFolder('lamplighter closed ')
  await chmod(folder, 0o700)
  return folder
}
