// Folders, servers and processes for the tests of the embedded PostgreSQL; everything that a test
// makes is removed after it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  openEmbedded,
} from '../../src/db/embedded/index.ts'
import { processOf } from '../support/built.ts'

export interface EmbeddedChild {
  readonly process: ChildProcess
  /** Lets it open its server, and answers its report. */
  open(): Promise<{ url?: string; owned?: boolean; error?: string }>
}

const CHILD = 'test/db/embedded-child.ts'
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** The limit for a process that must end without a signal; far above the usual time. */
const PATIENCE_MS = 10_000

let made = ''

/**
 * Makes a folder with a database that has the lamp `first`, for all tests of a file: one for each
 * takes too long.
 */
export async function makeOnce(): Promise<void> {
  made = await realpath(await mkdtemp(join(tmpdir(), 'lamplighter-')))
  const server = await openEmbedded(made, { role: 'owner' })
  await queryServer(server, 'CREATE TABLE lamp (name text)')
  await queryServer(server, "INSERT INTO lamp VALUES ('first')")
  await server.stop()
}

export async function removeMade(): Promise<void> {
  await rm(made, { recursive: true })
}

/** A fresh folder, with no server and no claim. */
export function madeFolder(): string {
  onTestFinished(async () => {
    await killServer(made)
    const claims = (await readdir(made)).filter((name) => name.startsWith('owner.'))
    for (const claim of claims) await rm(join(made, claim))
  })
  return made
}

export async function emptyFolder(name = 'lamplighter-'): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), name)))
  await chmod(folder, 0o755)
  onTestFinished(async () => {
    await killServer(folder)
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

export async function openFolder(
  folder: string,
  role: 'owner' | 'guest' = 'owner',
  means?: EmbeddedOptions['means'],
): Promise<EmbeddedServer> {
  const server = await openEmbedded(folder, means === undefined ? { role } : { role, means })
  onTestFinished(() => server.stop())
  return server
}

/** Becomes a process that sees no process and no shared memory of others. Only root may. */
export const IN_CONTAINER = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc'] as const

export async function startEmbeddedChild(
  folder: string,
  role: 'owner' | 'guest',
  {
    through = [],
    ...options
  }: { readonly uid?: number; readonly gid?: number; readonly through?: readonly string[] } = {},
): Promise<EmbeddedChild> {
  const [command = '', ...args] = [...through, process.execPath, ...processOf(CHILD), folder, role]
  const child = spawn(command, args, {
    cwd: PROJECT,
    // It has a process group of its own, so that a test can send it a terminal's signals.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...options,
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  const lines = createInterface({ input: child.stdout })
  await nextLine(lines)
  const open = async () => {
    child.stdin.write('open\n')
    return JSON.parse(await nextLine(lines))
  }
  return { process: child, open }
}

export async function queryServer(
  server: { readonly url?: string },
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(server.url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function light(server: { readonly url?: string }, name: string): Promise<void> {
  await queryServer(server, `INSERT INTO lamp VALUES ('${name}')`)
}

export async function lamps(server: { readonly url?: string }): Promise<readonly unknown[]> {
  return (await queryServer(server, 'SELECT name FROM lamp')).map(({ name }) => name)
}

export async function serverPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

/** kill -9, and waits until it is gone; only for a PostgreSQL of this very folder. */
export async function killServer(folder: string): Promise<void> {
  const pid = await serverPid(folder).catch(() => 0)
  if (!(await commandOf(pid)).includes(join(folder, 'postgres'))) return
  process.kill(pid, 'SIGKILL')
  const until = performance.now() + PATIENCE_MS
  while ((await commandOf(pid)) !== '' && performance.now() < until) await delay(5)
}

/** Empty if no process of that pid lives. */
export async function commandOf(pid: number): Promise<string> {
  return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}

async function nextLine(lines: Interface): Promise<string> {
  const [line] = await once(lines, 'line', { signal: AbortSignal.timeout(PATIENCE_MS) })
  return line
}
