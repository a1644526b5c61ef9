// `postmaster.pid`, by which a PostgreSQL says on which folder and port it serves. It outlives a
// server that was killed, so it is believed only where its process lives and was started on this
// very folder.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readIfThere } from './files.ts'
import { identityOf, isServerOf } from './processes.ts'

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** `starting`, `ready`, `stopping`; empty in the first instants of a start. */
  readonly phase: string
}

/** The file's lines, counted from 0. */
const PID_LINE = 0
const PORT_LINE = 3
const PHASE_LINE = 7

/** PostgreSQL creates the file and fills it in one go, within far less than this. */
const FILL_MS = 200

/** What the file says, believed or not. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readIfThere(fileOf(cluster)))?.split('\n') ?? []
  const pid = Number.parseInt(lines[PID_LINE] ?? '', 10)
  const port = Number.parseInt(lines[PORT_LINE] ?? '', 10)
  if (!(pid > 0) || !(port > 0)) return undefined
  return { pid, port, phase: lines[PHASE_LINE]?.trim() ?? '' }
}

/** The server that runs on the folder, whoever started it. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(cluster)
  if (postmaster === undefined) return undefined
  return (await isServerOf(postmaster.pid, cluster)) ? postmaster : undefined
}

/**
 * Takes what would keep PostgreSQL from starting out of its way, where no server runs on the
 * folder. PostgreSQL itself overwrites the pid of a dead process; an empty file, or the pid of a
 * living stranger (in a container that began anew pids repeat), it takes for a server.
 */
export async function clearPostmasterFile(cluster: string): Promise<void> {
  const text = await readIfThere(fileOf(cluster))
  if (text === undefined) return
  if (text.trim() === '') return await removeIfStillEmpty(cluster)
  const [pid = '', ...rest] = text.split('\n')
  if ((await identityOf(Math.abs(Number.parseInt(pid, 10)))) === undefined) return
  // Only the pid is put right, as the other lines let PostgreSQL see whether children of a killed
  // server are still at work on the data. It knows that its parent, we, is no server.
  await writeFile(fileOf(cluster), [String(process.pid), ...rest].join('\n'))
}

async function removeIfStillEmpty(cluster: string): Promise<void> {
  await delay(FILL_MS)
  const text = await readIfThere(fileOf(cluster))
  if (text?.trim() === '') await rm(fileOf(cluster), { force: true })
}

function fileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
