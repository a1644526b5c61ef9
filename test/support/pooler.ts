// Poolers between the service and its PostgreSQL: PgBouncer, if it is installed, and otherwise a
// proxy that behaves like such a pooler for our statements.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../chaos/proxies.ts'

export interface Pooler extends AsyncDisposable {
  /** The address of the database through it. */
  readonly url: string
}

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534

export const pgbouncer = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((file) => existsSync(file))

export async function startPgbouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<Pooler> {
  const port = await freePort()
  const { hostname, port: behind, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-pooler-'))
  const place = `host=${hostname} port=${behind} user=${username}`
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `* = ${place} password=${decodeURIComponent(password)}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  )
  await chmod(folder, 0o755)
  const isRoot = process.geteuid?.() === 0
  const child = spawn(pgbouncer ?? '', ['-q', file], {
    stdio: 'ignore',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  const ended = once(child, 'exit')
  await expect.poll(() => answers(port)).toBe(true)
  return {
    url: `postgresql://${username}:any@127.0.0.1:${port}${pathname}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.end()).on('error', () => resolve(false))
  })
}

/** Notifications are dropped, as if LISTEN belonged to a session that others have now. */
export async function startDeafProxy(databaseUrl: string): Promise<Pooler> {
  const { port, hostname } = new URL(databaseUrl)
  const server = createServer((client) => {
    const behind = connect(Number(port), hostname)
    for (const socket of [client, behind]) socket.on('error', () => {})
    client.pipe(behind)
    let rest: Buffer = Buffer.alloc(0)
    behind.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (; rest.length >= 5 && rest.length > rest.readUInt32BE(1); ) {
        const length = 1 + rest.readUInt32BE(1)
        if (rest[0] !== NOTIFICATION) client.write(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    })
    behind.on('close', () => client.end())
    client.on('close', () => behind.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(own) }).href,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

/** The first byte of NotificationResponse. */
const NOTIFICATION = 'A'.charCodeAt(0)
