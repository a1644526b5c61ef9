// A PostgreSQL of a test's own, from the binaries of the npm package, and its standby: a copy that
// follows by streaming, made with the SQL functions for backups, since `pg_basebackup` is not among
// those binaries.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { systemCodeOf } from '../../src/db/embedded/files.ts'
import { chooseLauncher, findBinaries, giveTo } from '../../src/db/embedded/launcher.ts'
import { freePort } from './proxies.ts'

export interface PostgresServer {
  /** The folder of its data. */
  readonly folder: string
  readonly port: number
  ask(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /**
   * SIGINT ends the sessions and writes everything to the disk; SIGKILL leaves that to the next
   * start.
   */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
}

type Running = Pick<PostgresServer, 'folder' | 'port'>

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  // A standby reads later what is written while it is being made.
  'wal_keep_size=1GB',
] as const

/** The name of the standby, for which the primary waits. */
const STANDBY = 'standby'

/** The replay after a crash, on a busy machine. */
const READY_WITHIN_MS = 60_000
const LOOK_MS = 20

/** A copy has these folders empty: their files belong to the running server. */
const LEFT_EMPTY: ReadonlySet<string> = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])

const LEFT_OUT: ReadonlySet<string> = new Set(['postmaster.pid', 'postmaster.opts'])

/**
 * `superuserUrl` names the user, the password and the database; the port is the server's own, or
 * the one that it had before.
 */
export async function startPostgres(
  folder: string,
  superuserUrl: string,
  at?: number,
): Promise<PostgresServer> {
  const launcher = await chooseLauncher(await findBinaries())
  await giveTo(launcher, folder)
  const port = at ?? (await freePort())
  const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting])
  // The file of a killed server would name another process.
  await rm(join(folder, 'postmaster.pid'), { force: true })
  const launch = () => launcher.launch('postgres', ['-D', folder, ...settings], 'ignore')
  const url = new URL(superuserUrl)
  url.port = String(port)
  const ask = (sql: string, values: readonly unknown[] = []) => askOnce(url.href, sql, values)
  const child = await launchUntilReady(launch, () => ask('SELECT'))
  return {
    folder,
    port,
    ask,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Starts a standby that follows the primary, for which no commit waits. */
export async function startReplica(
  primary: Running,
  folder: string,
  superuserUrl: string,
): Promise<PostgresServer> {
  await copyOf(primary, folder, superuserUrl)
  await follow(folder, primary, superuserUrl)
  return startPostgres(folder, superuserUrl)
}

/** The same, and from then on each commit waits for it. */
export async function startStandby(
  primary: PostgresServer,
  folder: string,
  superuserUrl: string,
): Promise<PostgresServer> {
  const standby = await startReplica(primary, folder, superuserUrl)
  await primary.ask(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`)
  await primary.ask('SELECT pg_reload_conf()')
  const isInStep = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`
  await until(async () => (await primary.ask(isInStep)).length > 0)
  return standby
}

/** Resolves when it takes writes, and waits for no standby of its own. */
export async function promote(standby: PostgresServer): Promise<void> {
  await standby.ask('SELECT pg_promote()')
  await standby.ask(`ALTER SYSTEM SET synchronous_standby_names = ''`)
  await standby.ask('SELECT pg_reload_conf()')
}

/** A stopped server will be a standby of that one when it is started again. */
export async function follow(
  folder: string,
  primary: Running,
  superuserUrl: string,
): Promise<void> {
  const { username, password } = new URL(superuserUrl)
  const way = `host=127.0.0.1 port=${primary.port} user=${username} password=${password}`
  const settings = [
    `primary_conninfo = '${way} application_name=${STANDBY}'`,
    `synchronous_standby_names = ''`,
    '',
  ]
  await appendFile(join(folder, 'postgresql.auto.conf'), settings.join('\n'))
  await writeFile(join(folder, 'standby.signal'), '')
}

async function copyOf(primary: Running, to: string, superuserUrl: string): Promise<void> {
  const url = new URL(superuserUrl)
  url.port = String(primary.port)
  // One session must begin and stop the backup.
  const session = new pg.Client(url.href)
  await session.connect()
  try {
    await session.query(`SELECT pg_backup_start('a standby', true)`)
    await copyFolder(primary.folder, to)
    const { rows } = await session.query('SELECT labelfile FROM pg_backup_stop(false)')
    await writeFile(join(to, 'backup_label'), rows[0].labelfile)
  } finally {
    await session.end()
  }
}

async function copyFolder(from: string, to: string, isEmpty = false): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  if (isEmpty) return
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry
    if (LEFT_OUT.has(name)) continue
    if (entry.isDirectory()) {
      await copyFolder(join(from, name), join(to, name), LEFT_EMPTY.has(name))
    } else {
      await copyFile(join(from, name), join(to, name)).catch(unlessGone)
    }
  }
}

/** Tables and files come and go while they are copied; the log replays their changes. */
function unlessGone(error: unknown): void {
  if (systemCodeOf(error) !== 'ENOENT') throw error
}

/**
 * A killed server leaves its sessions for a moment, on a busy machine for a longer one. They hold
 * its shared memory, and until they end, a new server ends at once: so it is launched again.
 */
async function launchUntilReady(
  launch: () => ChildProcess,
  ask: () => Promise<unknown>,
): Promise<ChildProcess> {
  let child = launch()
  await until(async () => {
    if (child.exitCode !== null) child = launch()
    return ask().then(
      () => true,
      () => false,
    )
  })
  return child
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const startedMs = performance.now(); !(await isSo()); await delay(LOOK_MS)) {
    if (performance.now() - startedMs > READY_WITHIN_MS)
      throw new Error('PostgreSQL was not ready in time')
  }
}

async function askOnce(url: string, sql: string, values: readonly unknown[]) {
  const client = new pg.Client(url)
  client.on('error', () => {}) // The query reports it as well.
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows
  } finally {
    await client.end()
  }
}
