// The data folder of the embedded PostgreSQL. It is created as a whole or not at all.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ELSEWHERE, EmbeddedError, remedyOf } from './embedded-error.ts'
import { isThere, randomName, readIfThere, replaceFile, syncFolder, systemCodeOf } from './files.ts'
import { COMMON_FOLDER, giveTo, type Launcher, openCommonFolder, type Program } from './launcher.ts'

export const DATABASE = 'lamplighter'
export const USER = 'postgres'

/**
 * A draft beside the folder. If a process was killed while it made one, the next start deletes it.
 */
const DRAFT = '.new-'

/** 144 bits, in characters that need no escape in a URL. */
const PASSWORD_BYTES = 18

/**
 * UTF-8 in the order of code points, built into PostgreSQL. So it does not depend on the machine's
 * locales, whose order may change with an update and corrupt indexes. Messages and numbers use C.
 */
const LOCALE = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

/** The data folder: `<dataDir>/postgres`, or the target of a link with that name. */
export async function clusterOf(dataDir: string): Promise<string> {
  const path = join(dataDir, 'postgres')
  if (!(await isThere(path))) return path
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error
    throw new EmbeddedError(
      `the data that ${path} leads to are gone: bring them back, or remove that link to begin with new data`,
      { cause: error },
    )
  }
}

export async function passwordOf(dataDir: string): Promise<string> {
  const password = (await readIfThere(passwordFile(dataDir)))?.trim()
  if (password) return password
  throw new EmbeddedError(
    `${passwordFile(dataDir)} is missing, and the data cannot be opened without it: bring it back, or ${ELSEWHERE}`,
  )
}

/** Creates the data folder if there is none, and returns its path. */
export async function ensureCluster(dataDir: string, launcher: Launcher): Promise<string> {
  const cluster = await clusterOf(dataDir)
  if (await isMade(cluster)) {
    await assertVersion(cluster, launcher.binaries.major)
    await giveTo(launcher, cluster)
    await assertReach(cluster, launcher)
    return cluster
  }
  await removeDrafts(dataDir)
  // The password is written before the data, so that data never exist without it.
  await replaceFile(passwordFile(dataDir), `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`)
  if (await launcher.canReach(dataDir)) return await createCluster(cluster, dataDir, launcher)
  return await createElsewhere(cluster, dataDir, launcher)
}

/** False if there is no data folder, or an empty one. */
export async function isMade(cluster: string): Promise<boolean> {
  try {
    return (await readdir(cluster)).length > 0
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false
    throw error
  }
}

export async function assertVersion(cluster: string, major: string): Promise<void> {
  const found = (await readIfThere(join(cluster, 'PG_VERSION')))?.trim()
  if (found === major) return
  if (found === undefined) {
    throw new EmbeddedError(
      `${cluster} holds something that is not PostgreSQL's: move it away, ${ELSEWHERE}`,
    )
  }
  throw new EmbeddedError(
    `${cluster} was made by PostgreSQL ${found} and this release brings ${major}: dump it with ${found} and load it again, ${ELSEWHERE}`,
  )
}

async function assertReach(cluster: string, launcher: Launcher): Promise<void> {
  if (await launcher.canReach(dirname(cluster))) return
  throw new EmbeddedError(
    `the user that PostgreSQL runs as may not enter ${dirname(cluster)}: run as an ordinary user, open the folders above it (chmod o+x), ${ELSEWHERE}`,
  )
}

async function removeDrafts(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  const drafts = names.filter((name) => name.startsWith(`postgres${DRAFT}`))
  await Promise.all(drafts.map((name) => rm(join(dataDir, name), { recursive: true, force: true })))
}

/**
 * If initdb is killed half-way, it leaves a folder that looks complete. So it works on a draft,
 * which is renamed at the end.
 */
async function createCluster(
  cluster: string,
  dataDir: string,
  launcher: Launcher,
): Promise<string> {
  const draft = `${cluster}${DRAFT}${randomName()}`
  await mkdir(draft, { mode: 0o700 })
  await giveTo(launcher, draft)
  await initialize(draft, dataDir, launcher)
  // Single-user mode, before any other process can connect: no two processes create the database at
  // once.
  const alone = ['--single', '-D', draft, '-c', 'exit_on_error=true', '-c', 'log_checkpoints=off']
  await run(launcher, 'postgres', [...alone, 'postgres'], `CREATE DATABASE ${DATABASE}\n`)
  await rename(draft, cluster)
  await syncFolder(dirname(cluster))
  return cluster
}

/** The link is created last: if it exists, so do the data. */
async function createElsewhere(link: string, dataDir: string, launcher: Launcher): Promise<string> {
  await openCommonFolder()
  const home = join(COMMON_FOLDER, `data-${randomName()}`)
  await mkdir(home)
  await chmod(home, 0o755)
  const cluster = await createCluster(join(home, basename(link)), dataDir, launcher)
  await symlink(cluster, link)
  await syncFolder(dataDir)
  return cluster
}

async function initialize(draft: string, dataDir: string, launcher: Launcher): Promise<void> {
  const copy = `${draft}.password`
  await writeFile(copy, await passwordOf(dataDir), { mode: 0o600, flag: 'wx' })
  try {
    if (launcher.user !== undefined) await chown(copy, launcher.user, launcher.user)
    const access = ['-U', USER, '--auth=scram-sha-256', `--pwfile=${copy}`]
    await run(launcher, 'initdb', ['-D', draft, ...access, ...LOCALE, '--no-instructions'], '')
  } finally {
    await rm(copy, { force: true })
  }
}

async function run(
  launcher: Launcher,
  program: Program,
  args: readonly string[],
  input: string,
): Promise<void> {
  const child = launcher.launch(program, args, ['pipe', 'ignore', 'pipe'])
  const ended = once(child, 'exit')
  // A program that ends without reading its input breaks the pipe; its exit code says why.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [output, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', ended])
  if (code === 0) return
  const reason =
    output
      .trim()
      .split('\n')
      .find((line) => /FATAL|error/.test(line)) ?? output.trim()
  const folder = dirname(args[args.indexOf('-D') + 1] ?? '')
  throw new EmbeddedError(`${program} failed in ${folder}: ${reason}${remedyOf(reason)}`)
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password')
}
