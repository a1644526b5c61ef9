// PostgreSQL with nothing to install: started on a folder, shared by the processes that work on it,
// and found again after a crash of any of them.

import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SECOND } from '../../core/time-units.ts'
import { findBinaries } from './binaries.ts'
import { assertVersion, clusterOf, DATABASE, ensureCluster, passwordOf, USER } from './cluster.ts'
import { ELSEWHERE, EmbeddedError, explained } from './embedded-error.ts'
import { chooseLauncher, type Means } from './launcher.ts'
import { type Claim, claimFolder, type Holder, type Role } from './ownership.ts'
import { poll } from './poll.ts'
import { findPostmaster } from './postmaster-file.ts'
import {
  type Ending,
  findServer,
  type ServerProcess,
  START_MS,
  startServer,
  watchServer,
} from './server.ts'

export { EmbeddedError } from './embedded-error.ts'

export interface EmbeddedServer {
  /** Carries the password: not to be logged. */
  readonly url: string
  /** We started or adopted it, so it is ours to stop. */
  readonly owned: boolean
  /** Fast shutdown, and waits until the process is gone; nothing where the server is not ours. */
  stop(): Promise<void>
  /** When the server's process has ended, whoever ended it. */
  readonly gone: Promise<Ending>
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

/** How often a process waits for another to let go, or to get ready. */
const LOOK_MS = 10

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

async function claimUnlessGuest(dataDir: string): Promise<Claim | undefined> {
  const claim = await claimFolder(dataDir, 'owner')
  return claim.won || claim.holder.role === 'owner' ? claim : undefined
}

async function joinServer(dataDir: string): Promise<EmbeddedServer | undefined> {
  const cluster = await clusterOf(dataDir)
  const postmaster = await findPostmaster(cluster)
  if (postmaster?.phase !== 'ready') return undefined
  const { gone } = watchServer(postmaster, cluster)
  return { url: await urlOf(dataDir, postmaster.port), owned: false, stop: async () => {}, gone }
}

async function serve(
  dataDir: string,
  claim: Extract<Claim, { won: true }>,
  means: Means | undefined,
): Promise<EmbeddedServer> {
  try {
    const server = await adoptOrStart(dataDir, means)
    const stop = async () => {
      await server.stop()
      await claim.release()
    }
    return { url: await urlOf(dataDir, server.port), owned: true, stop, gone: server.gone }
  } catch (error) {
    await claim.release()
    throw error
  }
}

/** A server that runs though its owner is dead outlived a kill: it is as good as a new one. */
async function adoptOrStart(dataDir: string, means: Means | undefined): Promise<ServerProcess> {
  const binaries = await findBinaries()
  const place = await clusterOf(dataDir)
  const orphan = await findServer(place)
  if (orphan !== undefined) {
    await assertVersion(place, binaries.major)
    return watchServer(orphan, place)
  }
  const launcher = await chooseLauncher(binaries, means)
  const cluster = await ensureCluster(dataDir, launcher)
  return await startServer(launcher, cluster, join(dataDir, 'postgres.log'))
}

async function urlOf(dataDir: string, port: number): Promise<string> {
  const password = encodeURIComponent(await passwordOf(dataDir))
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`
}

function inUse(dataDir: string, { pid }: Holder): EmbeddedError {
  return new EmbeddedError(`${dataDir} is in use by process ${pid}: stop it, ${ELSEWHERE}`)
}
