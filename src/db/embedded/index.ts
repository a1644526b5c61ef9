// A PostgreSQL that needs no installation. It is started on a folder, shared by the processes that
// use the folder, and found again after any of them crashes.

import { readdir, realpath } from 'node:fs/promises'
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
import { makeFolder, unlessMissing } from './files.ts'
import { assertNotElsewhere } from './folder-lock.ts'
import { chooseLauncher, findBinaries, type HostAbilities, type Launcher } from './launcher.ts'
import {
  claimFolder,
  findHolder,
  type Holder,
  type OwnershipClaim,
  type ServerRole,
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
  /** For the service's own role. It contains the password: never log it. */
  readonly url: string
  /** For the superuser. Only tests and benchmarks use it, for work on the server itself. */
  readonly superuserUrl: string
  /** This process started or adopted the server, so it must stop it. */
  readonly owned: boolean
  /**
   * Stops the server with a fast shutdown and waits for its end. Does nothing if another process
   * owns it.
   */
  stop(): Promise<void>
  /** Resolves when the server's process has ended for any reason, or has lost its data. */
  readonly gone: Promise<ServerExit>
}

export interface EmbeddedOptions {
  /**
   * An owner needs the folder for itself. A guest joins the process that owns it, and becomes the
   * owner only if there is none.
   */
  readonly role: ServerRole
  /** The abilities of this machine; detected if absent. */
  readonly means?: HostAbilities
  /** Called when a program of PostgreSQL has been launched and this process only waits for it. */
  readonly onLaunch?: (() => void) | undefined
}

/**
 * A command that owns the folder briefly is given this time to finish. If it takes longer, it is a
 * worker that stays.
 */
const SHORT_LIFE_MS = 5 * SECOND

/** The end of a server is noticed within this time. */
const NOTICED_MS = SECOND

/**
 * How often a process checks whether another has released the folder, or whether the server is
 * ready.
 */
const LOOK_MS = 10

/** Throws if there is no database and none is being created. Writes nothing. */
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
    await makeFolder(folder)
    // Servers are recognised by the folder on their command line, so the path must be unambiguous.
    const home = await realpath(folder)
    await assertNotElsewhere(await clusterOf(home))
    return await (options.role === 'owner' ? openAsOwner : openAsGuest)(home, options)
  } catch (error) {
    throw explained(error, folder)
  }
}

async function openAsOwner(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const claim =
    (await poll(() => claimUnlessGuest(dataDir), { everyMs: LOOK_MS, withinMs: SHORT_LIFE_MS })) ??
    (await claimFolder(dataDir, 'owner'))
  if (!claim.won) throw inUse(dataDir, claim.holder)
  return await serve(dataDir, claim, options)
}

async function openAsGuest(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const server = await poll(
    async () => {
      const claim = await claimFolder(dataDir, 'guest')
      return claim.won ? await serve(dataDir, claim, options) : await joinServer(dataDir)
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
  options: EmbeddedOptions,
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
    server = await adoptOrStart(dataDir, options)
    const { port, gone } = server
    const died = gone.then((ending) => goneError(dataDir, ending))
    // A server without its data would still report commits that are lost.
    void gone.then(stopServer).catch(() => {}) // the caller that stops it also reports that
    const urls = await unlessGone(urlsOf(dataDir, port), died)
    return { ...urls, owned: true, stop, gone }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Returns the result of the step. Throws when the server is gone, however long the step would wait.
 * The step may fail a little earlier for that reason.
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

/** One line that says why a server ended that this process did not stop. */
export function goneError(dataDir: string, { detail, remedy }: Omit<ServerExit, 'expected'>) {
  return new EmbeddedError(`the PostgreSQL of ${dataDir} is gone: ${detail}: ${remedy}`)
}

/** A server without a living owner survived a kill. It is as good as a new one. */
async function adoptOrStart(
  dataDir: string,
  { means, onLaunch }: EmbeddedOptions,
): Promise<ServerProcess> {
  const binaries = await findBinaries()
  const place = await clusterOf(dataDir)
  const orphan = await findServer(place)
  if (orphan !== undefined) {
    await assertVersion(place, binaries.major)
    return watchServer(orphan, place, logOf(dataDir))
  }
  const launcher = announcing(await chooseLauncher(binaries, means), onLaunch)
  const cluster = await ensureCluster(dataDir, launcher)
  return await startServer(launcher, cluster, logOf(dataDir))
}

function announcing(launcher: Launcher, onLaunch: () => void = () => {}): Launcher {
  return {
    ...launcher,
    launch(...args) {
      const child = launcher.launch(...args)
      onLaunch()
      return child
    },
  }
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
