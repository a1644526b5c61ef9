// PostgreSQL with nothing to install: started on a folder, shared by the processes that work on it,
// and found again after a crash of any of them.

import { mkdir, readdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../../core/time-units.ts'
import {
  assertVersion,
  clusterOf,
  DATABASE,
  ensureCluster,
  isMade,
  passwordOf,
  USER,
} from './cluster.ts'
import { ELSEWHERE, EmbeddedError, explained } from './embedded-error.ts'
import { unlessMissing } from './files.ts'
import { chooseLauncher, findBinaries, type Means } from './launcher.ts'
import {
  claimFolder,
  findHolder,
  type Holder,
  type OwnershipClaim,
  type Role,
} from './ownership.ts'
import { findPostmaster, poll } from './postmaster.ts'
import {
  findServer,
  type ServerExit,
  type ServerProcess,
  START_MS,
  startServer,
  watchServer,
} from './server.ts'
import { openServiceRole } from './service-role.ts'

export { EmbeddedError } from './embedded-error.ts'
export { STOP_MS } from './postmaster.ts'

export interface EmbeddedServer {
  /** Of the service's own role. Carries its password: not to be logged. */
  readonly url: string
  /** Of the superuser, for what is done to the server itself: tests and benchmarks alone. */
  readonly superuserUrl: string
  /** We started or adopted it, so it is ours to stop. */
  readonly owned: boolean
  /** Fast shutdown, and waits until the process is gone; nothing where the server is not ours. */
  stop(): Promise<void>
  /** When the server's process has ended, whoever ended it, or has lost its data. */
  readonly gone: Promise<ServerExit>
}

export interface EmbeddedOptions {
  /**
   * The owner must have the folder to itself; a guest joins who is there, and is the owner only
   * where nobody is.
   */
  readonly role: Role
  /** What the machine offers; found out where not given. */
  readonly means?: Means
}

/**
 * A command that owns the folder for its short life is let finish; longer, and it is a worker that
 * stays.
 */
const SHORT_LIFE_MS = 5 * SECOND

/** A server that ended is known to have within this time. */
const NOTICED_MS = SECOND

/** How often a process waits for another to let go, or to get ready. */
const LOOK_MS = 10

/** Throws where no database is and none is being made; writes nothing. */
export async function assertInstalled(dataDir: string): Promise<void> {
  const folder = resolve(dataDir)
  try {
    if ((await unlessMissing(readdir(folder))) !== undefined) {
      if (await isMade(await clusterOf(folder))) return
      if ((await findHolder(folder)) !== undefined) return
    }
  } catch (error) {
    throw explained(error, folder)
  }
  throw new EmbeddedError(
    `no installation at ${folder}: lamplighter start makes one; for another, ${ELSEWHERE}`,
  )
}

export async function openEmbedded(
  dataDir: string,
  options: EmbeddedOptions,
): Promise<EmbeddedServer> {
  const folder = resolve(dataDir)
  try {
    await mkdir(folder, { recursive: true })
    // Servers are recognised by the folder on their command line, so it must have one name.
    const home = await realpath(folder)
    return await (options.role === 'owner' ? openAsOwner : openAsGuest)(home, options.means)
  } catch (error) {
    throw explained(error, folder)
  }
}

async function openAsOwner(dataDir: string, means: Means | undefined): Promise<EmbeddedServer> {
  const claim =
    (await poll(() => claimUnlessGuest(dataDir), { everyMs: LOOK_MS, withinMs: SHORT_LIFE_MS })) ??
    (await claimFolder(dataDir, 'owner'))
  if (!claim.won) throw inUse(dataDir, claim.holder)
  return await serve(dataDir, claim, means)
}

async function openAsGuest(dataDir: string, means: Means | undefined): Promise<EmbeddedServer> {
  const server = await poll(
    async () => {
      const claim = await claimFolder(dataDir, 'guest')
      return claim.won ? await serve(dataDir, claim, means) : await joinServer(dataDir)
    },
    { everyMs: LOOK_MS, withinMs: START_MS },
  )
  if (server !== undefined) return server
  throw new EmbeddedError(
    `${dataDir} is in use, but its PostgreSQL does not get ready: see its log`,
  )
}

async function claimUnlessGuest(dataDir: string): Promise<OwnershipClaim | undefined> {
  const claim = await claimFolder(dataDir, 'owner')
  return claim.won || claim.holder.role === 'owner' ? claim : undefined
}

async function joinServer(dataDir: string): Promise<EmbeddedServer | undefined> {
  const cluster = await clusterOf(dataDir)
  const postmaster = await findPostmaster(cluster)
  if (postmaster?.phase !== 'ready') return undefined
  const { gone } = watchServer(postmaster, cluster, logOf(dataDir))
  const urls = await urlsOf(dataDir, postmaster.port)
  return { ...urls, owned: false, stop: async () => {}, gone }
}

async function serve(
  dataDir: string,
  claim: Extract<OwnershipClaim, { won: true }>,
  means: Means | undefined,
): Promise<EmbeddedServer> {
  let server: ServerProcess | undefined
  const stopServer = async () => server?.stop()
  const stop = async () => {
    try {
      await stopServer()
    } finally {
      await claim.release()
    }
  }
  try {
    server = await adoptOrStart(dataDir, means)
    const { port, gone } = server
    const died = gone.then((ending) => goneError(dataDir, ending))
    // One that has lost its data would go on to say that it has written what nobody will find.
    void gone.then(stopServer).catch(() => {}) // told by whoever stops it as well
    const urls = await unlessGone(urlsOf(dataDir, port), died)
    return { ...urls, owned: true, stop, gone }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * The step's answer; throws when the server is gone, however long the step would have waited.
 * A step that fails because of that may know of it a little earlier.
 */
export async function unlessGone<T>(
  step: Promise<T>,
  gone: Promise<Error> | undefined,
): Promise<T> {
  if (gone === undefined) return step
  try {
    return await Promise.race([step, gone.then((error) => Promise.reject(error))])
  } catch (error) {
    throw await Promise.race([gone, delay(NOTICED_MS, error)])
  }
}

/** One line that says what became of a server that nobody stopped. */
export function goneError(dataDir: string, { detail, remedy }: Omit<ServerExit, 'expected'>) {
  return new EmbeddedError(`the PostgreSQL of ${dataDir} is gone: ${detail}: ${remedy}`)
}

/** A server that runs though its owner is dead outlived a kill: it is as good as a new one. */
async function adoptOrStart(dataDir: string, means: Means | undefined): Promise<ServerProcess> {
  const binaries = await findBinaries()
  const place = await clusterOf(dataDir)
  const orphan = await findServer(place)
  if (orphan !== undefined) {
    await assertVersion(place, binaries.major)
    return watchServer(orphan, place, logOf(dataDir))
  }
  const launcher = await chooseLauncher(binaries, means)
  const cluster = await ensureCluster(dataDir, launcher)
  return await startServer(launcher, cluster, logOf(dataDir))
}

function logOf(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

async function urlsOf(
  dataDir: string,
  port: number,
): Promise<Pick<EmbeddedServer, 'url' | 'superuserUrl'>> {
  const password = encodeURIComponent(await passwordOf(dataDir))
  const superuserUrl = `postgresql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`
  return { url: await openServiceRole(superuserUrl), superuserUrl }
}

function inUse(dataDir: string, { pid }: Holder): EmbeddedError {
  return new EmbeddedError(`${dataDir} is in use by process ${pid}: stop it, ${ELSEWHERE}`)
}
