// The message names a database that cannot be reached, whatever the driver says; it does not
// contain the password.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../chaos/proxies.ts'
import { ownCertificate } from '../support/certificate.ts'
import { runCommand } from '../support/command.ts'
import { queryAt } from '../support/postgres.ts'
import { openTestService } from '../support/test-service.ts'

const LONG = { timeout: 60_000 }

/** Accepts connections and never answers, as behind a firewall that swallows packets. */
async function silentPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** PostgreSQL as far as the handshake: it agrees to TLS, with a certificate that nobody knows. */
async function selfSignedPort(): Promise<number> {
  const secureContext = createSecureContext(ownCertificate())
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

it('a certificate of an unknown authority is named with the setting for it', LONG, async () => {
  const url = `postgres://shop@127.0.0.1:${await selfSignedPort()}/books?sslmode=verify-full`
  const { status, err } = await runCommand(['doctor'], { DATABASE_URL: url })
  expect(err).toMatch(
    /^lamplighter: [^\n]* self-signed certificate: [^\n]* in NODE_EXTRA_CA_CERTS\n$/,
  )
  expect(status).toBe(1)
})

it('a certificate file that is not there is one line', LONG, async () => {
  const url = 'postgres://shop@127.0.0.1:1/books?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
  const { status, err } = await runCommand(['doctor'], { DATABASE_URL: url })
  expect(err).toMatch(
    /^lamplighter: DATABASE_URL names a file that cannot be read: [^\n]*\/nowhere\/ca\.pem'\n$/,
  )
  expect(status).toBe(1)
})

it('a database that does not let us in is one line, too', LONG, async () => {
  await using service = await openTestService({ queues: [], backend: 'postgres' })
  const url = new URL(service.databaseUrl)
  url.pathname = '/nowhere'
  const { status, out, err } = await runCommand(['doctor'], { DATABASE_URL: url.href })
  const why = 'does not let us in: database "nowhere" does not exist'
  expect(err).toBe(`lamplighter: the database nowhere at ${url.host} ${why}\n`)
  expect({ status, out }).toEqual({ status: 1, out: '' })
})

it(
  'a database without a connection left is no wrong address: the remedy is named',
  LONG,
  async () => {
    await using service = await openTestService({ queues: [], backend: 'postgres' })
    const role = `few_${service.world.newId().replaceAll('-', '')}`
    await service.world.db.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 0`)
    const url = new URL(service.databaseUrl)
    Object.assign(url, { username: role, password: 'few' })
    const { status, err } = await runCommand(['teams', 'list'], { DATABASE_URL: url.href })
    await service.world.db.query(`DROP ROLE ${role}`)
    expect([status, err]).toEqual([
      1,
      `lamplighter: the database ${url.pathname.slice(1)} at ${url.host} has no connection left: ` +
        'run fewer processes, lower DATABASE_CONNECTIONS, or raise max_connections ' +
        `(too many connections for role "${role}")\n`,
    ])
  },
)

/** What `migrate` says in an empty database after `sql`, without the database's address. */
async function migratedAfter(sql: (name: string, role: string) => string): Promise<string> {
  const word = randomBytes(6).toString('hex')
  const [name, role] = [`empty_${word}`, `guest_${word}`]
  const admin = inject('adminUrl')
  await queryAt(admin, `CREATE DATABASE ${name}`)
  await queryAt(admin, `CREATE ROLE ${role} LOGIN PASSWORD 'guest'`)
  onTestFinished(async () => {
    await queryAt(admin, `DROP DATABASE ${name} WITH (FORCE)`)
    await queryAt(admin, `DROP ROLE ${role}`)
  })
  await queryAt(admin, sql(name, role))
  const url = Object.assign(new URL(admin), { pathname: name, username: role, password: 'guest' })
  const { status, err } = await runCommand(['migrate'], { DATABASE_URL: url.href })
  expect(status).toBe(1)
  return err.replace(`the database ${name} at ${url.host}`, 'the database')
}

it('a role that may not make tables is told whose the database must be', LONG, async () => {
  const err = await migratedAfter((name, role) => `GRANT CONNECT ON DATABASE ${name} TO ${role}`)
  expect(err).toBe(
    'lamplighter: the database lets our role do too little: permission denied for schema public: ' +
      'the role that migrates must own the database, and others need to read and write every table\n',
  )
})

it('a database that was made read-only is not one that cannot be reached', LONG, async () => {
  const err = await migratedAfter(
    (name) => `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
  )
  expect(err).toBe(
    'lamplighter: the database accepts no writes: ' +
      'cannot execute CREATE TABLE in a read-only transaction\n',
  )
})

it.each([
  ['says nothing', silentPort, 'timeout expired'],
  ['is not there', freePort, 'connect ECONNREFUSED'],
])('a database that %s is named by host and port', LONG, async (_, portOf, cause) => {
  const port = await portOf()
  const settings = { DATABASE_URL: `postgres://shop:not-for-logs@127.0.0.1:${port}/books` }
  const { status, out, err } = await runCommand(['doctor'], settings)
  expect(err).toContain(`the database books at 127.0.0.1:${port} cannot be reached: ${cause}`)
  expect(err).not.toContain('not-for-logs')
  expect({ status, out }).toEqual({ status: 1, out: '' })
})
