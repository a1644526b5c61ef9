// Lists and files from a standby: nothing that they say is older than what their caller wrote, and
// a standby that is late, away or promoted costs a moment, never an answer.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prepareDatabase } from '../../src/cli/open-database.ts'
import { readConfig } from '../../src/config.ts'
import { assertReplica } from '../../src/db/assert-replica.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkReplica } from '../../src/doctor/check-database.ts'
import { type PostgresServer, promote } from '../chaos/postgres-server.ts'
import { type SignedIn, see, signIn } from '../support/operator.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { openReplicated, type Replicated } from '../support/replicated.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** Those whose rows are logged, as a replica needs them. */
const LISTS = [
  ...['audit', 'batches', 'customers', 'deliveries', 'disputes', 'endpoints', 'events'],
  ...['invoices', 'links', 'operators', 'outbox', 'schedules', 'teams', 'transactions'],
]

/** Longer than a replica rests that could not answer. */
const AGAIN = { timeout: 45_000, interval: 500 }

let stores: Replicated
let service: TestService
let merchant: Merchant
let card: string

async function serve(primary: PostgresServer, standby: PostgresServer): Promise<TestService> {
  return openTestService({
    backend: 'postgres',
    database: { url: stores.urlOf(primary), drop: async () => {} },
    settings: {
      DATABASE_URL: stores.urlOf(primary),
      READ_DATABASE_URL: stores.urlOf(standby),
    },
  })
}

beforeAll(async () => {
  stores = await openReplicated()
  service = await serve(stores.primary, stores.standby)
  merchant = await service.merchant()
  card = await service.card(merchant)
})
afterAll(async () => {
  await service.close()
  await stores[Symbol.asyncDispose]()
})

/** How many reads each server answered. */
async function readsOf({ world }: TestService) {
  const { values } = await world.metrics.reads.get()
  const of = (from: string) => values.find(({ labels }) => labels.from === from)?.value ?? 0
  return { replica: of('replica'), primary: of('primary') }
}

async function during(act: () => Promise<unknown>) {
  const before = await readsOf(service)
  await act()
  const { replica, primary } = await readsOf(service)
  return { replica: replica - before.replica, primary: primary - before.primary }
}

/** A new charge, and the list of its merchant right after it. */
async function chargeAndList({ app, charge }: TestService = service) {
  const { body } = await charge(merchant, { total: 5, payment_method_id: card })
  expect(body).toMatchObject({ status: 'SUCCESS' })
  const listed = await call(app, 'GET', '/transaction?per_page=1', merchant.headers)
  expect(listed.body.data[0]).toMatchObject({ id: body.id, status: 'SUCCESS' })
}

async function untilReplicaAnswers(): Promise<void> {
  await soon(async () => {
    const { replica, primary } = await during(() => chargeAndList())
    expect({ hasRead: replica > 0, primary }).toEqual({ hasRead: true, primary: 0 })
  }, AGAIN)
}

const says = async () => findingsOf(checkReplica, service.world)

describe('a standby that follows', () => {
  beforeEach(untilReplicaAnswers)

  it('answers a list right after the charge that it contains', async () => {
    const { replica, primary } = await during(async () => {
      for (let i = 0; i < 20; i += 1) await chargeAndList()
    })
    expect(primary).toBe(0)
    expect(replica).toBeGreaterThan(40)
  })

  it('is waited for while it is a moment behind', async () => {
    const { standby } = stores
    await standby.ask(`ALTER SYSTEM SET recovery_min_apply_delay = '60ms'`)
    await standby.ask('SELECT pg_reload_conf()')
    await soon(async () => {
      const { replica } = await during(() => chargeAndList())
      expect(replica).toBeGreaterThan(0)
    }, AGAIN)
    await standby.ask('ALTER SYSTEM RESET recovery_min_apply_delay')
    await standby.ask('SELECT pg_reload_conf()')
  })

  it('answers every list of the console, and its files', async () => {
    const operator = await signIn(service.world)
    for (const place of LISTS) {
      const { primary } = await during(() => seeListOf(operator, place))
      expect({ place, primary }).toEqual({ place, primary: 0 })
    }
    // As a control, these rows are on the primary alone, and no replica is tried for them.
    expect(await during(() => seeListOf(operator, 'requests'))).toEqual({ replica: 0, primary: 0 })
  })

  it('answers the lists and files of the API', async () => {
    for (const path of ['/customer', '/batch', '/event', '/transaction?export=csv']) {
      const { replica, primary } = await during(async () => {
        expect((await call(service.app, 'GET', path, merchant.headers)).status).toBe(200)
      })
      expect({ path, primary, hasRead: replica > 0 }).toEqual({ path, primary: 0, hasRead: true })
    }
  })

  it('leaves a read to the primary that holds up its replay', async () => {
    const { primary, standby } = stores
    await standby.ask('ALTER SYSTEM SET max_standby_streaming_delay = 0')
    await standby.ask('SELECT pg_reload_conf()')
    const asked = during(async () => {
      const rows = await service.world.reads().query('SELECT count(*), pg_sleep(1) FROM item')
      expect(rows).toHaveLength(1)
    })
    const isRead = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%FROM item'`
    await soon(async () => expect(await standby.ask(isRead)).toHaveLength(1))
    await primary.ask('BEGIN; LOCK TABLE item; CREATE TABLE locked (); DROP TABLE locked; COMMIT')
    expect(await asked).toEqual({ replica: 0, primary: 1 })
    await standby.ask('ALTER SYSTEM RESET max_standby_streaming_delay')
    await standby.ask('SELECT pg_reload_conf()')
  })

  it('refuses what is wrong in a statement, as the primary does', async () => {
    await expect(service.world.reads().query('SELECT 1 / 0')).rejects.toThrow('division by zero')
  })

  it('is shown by the doctor, the metrics and the console', async () => {
    expect(await says()).toMatchObject([{ state: 'ok' }])
    const { text } = await call(service.app, 'GET', '/metrics', {})
    expect(text).toMatch(/^lamplighter_replica_behind_bytes \d/m)
    const { body } = await see(service.app, '/admin/workers', await signIn(service.world))
    expect(body).toMatch(/The replica answers lists and files. It is [\d,]+ bytes? of the log/)
  })
})

describe('a standby that is late', () => {
  it('leaves lists to the primary, which answers at once after the first', async () => {
    await untilReplicaAnswers()
    await stores.standby.ask('SELECT pg_wal_replay_pause()')
    await chargeAndList()
    const startedMs = performance.now()
    const reads = await during(() =>
      call(service.app, 'GET', '/transaction?per_page=1', merchant.headers),
    )
    expect(reads).toMatchObject({ replica: 0 })
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    await stores.primary.ask(`SELECT pg_logical_emit_message(true, 'much', repeat('x', 30000000))`)
    await soon(async () =>
      expect(await says()).toMatchObject([
        { state: 'warning', says: expect.stringContaining('of the log behind') },
      ]),
    )
    await stores.standby.ask('SELECT pg_wal_replay_resume()')
    await untilReplicaAnswers()
  })
})

describe('a standby that goes away', () => {
  it('leaves lists to the primary, and answers again when it is back', async () => {
    await untilReplicaAnswers()
    const ofFile = service.world.reads()
    const nextPart = () => ofFile.query('SELECT id FROM team')
    expect(await during(nextPart)).toEqual({ replica: 1, primary: 0 })
    await stores.standby.end('SIGKILL')
    expect(await during(nextPart)).toEqual({ replica: 0, primary: 1 })
    const { replica } = await during(() => chargeAndList())
    expect(replica).toBe(0)
    expect(await says()).toMatchObject([
      {
        state: 'warning',
        says: expect.stringMatching(
          /^it is away, so the primary answers lists and files \(.*ECONNREFUSED.*\)$/,
        ),
      },
    ])
    const { text } = await call(service.app, 'GET', '/metrics', {})
    expect(text).not.toMatch(/^lamplighter_replica_behind_bytes/m)
    await stores.restarted()
    await untilReplicaAnswers()
  })
})

describe('another server than a standby of the primary', () => {
  it('is not read once it was promoted', async () => {
    const promoted = await stores.another()
    await using other = await serve(stores.primary, promoted)
    await chargeAndList(other)
    expect(await readsOf(other)).toMatchObject({ primary: 0 })
    await promote(promoted)
    await chargeAndList(other)
    expect(await readsOf(other)).not.toMatchObject({ primary: 0 })
    expect(await findingsOf(checkReplica, other.world)).toMatchObject([
      { state: 'warning', says: expect.stringContaining('takes writes') },
    ])
  })

  it('is not read while it follows the former primary, however far it has come', async () => {
    const [promoted, left] = [await stores.another(), await stores.another()]
    await promote(promoted)
    // The former primary goes on, and the log of its standby gets longer than the other one.
    await stores.primary.ask(`SELECT pg_logical_emit_message(true, 'much', repeat('x', 90000000))`)
    await using other = await serve(promoted, left)
    await chargeAndList(other)
    expect(await readsOf(other)).toMatchObject({ replica: 0 })
    expect(await findingsOf(checkReplica, other.world)).toMatchObject([
      { state: 'warning', says: expect.stringContaining('follows another primary') },
    ])
  })

  it('is refused at the start if it holds another database, or does not let us in', async () => {
    const { primary, standby, urlOf } = stores
    await using elsewhere = await elsewhereOf(await freshDatabase())
    const url = urlOf(primary)
    const settings = { DATABASE_URL: url, READ_DATABASE_URL: elsewhere.url }
    const server = { url, gone: undefined, stop: async () => {} }
    await expect(prepareDatabase(readConfig(settings), server, 'migrate')).rejects.toThrow(
      'the server at READ_DATABASE_URL holds another database than DATABASE_URL',
    )
    // The doctor, which would say so, is not kept from it.
    expect(await prepareDatabase(readConfig(settings), server, 'any')).toEqual([])
    const unknown = new URL(urlOf(standby))
    unknown.password = 'wrong'
    await expect(assertReplica(urlOf(primary), unknown.href)).rejects.toThrow('does not let us in')
    await assertReplica(urlOf(primary), urlOf(standby))
  })

  it('is refused at the start if it is several', async () => {
    const { primary, standby, urlOf } = stores
    const ports = [standby.port, (await stores.another()).port]
    let count = 0
    const spread = createServer((own) => {
      const there = connect(ports[count++ % ports.length] ?? 0, '127.0.0.1')
      own.on('error', () => there.destroy())
      there.on('error', () => own.destroy())
      own.pipe(there).pipe(own)
    }).listen(0, '127.0.0.1')
    await once(spread, 'listening')
    const { port } = spread.address() as AddressInfo
    await expect(assertReplica(urlOf(primary), urlOf({ ...standby, port }))).rejects.toThrow(
      'the server at READ_DATABASE_URL is several',
    )
    spread.close()
  })

  it('is no reason not to start if it is away, or takes writes', async () => {
    const { primary, urlOf } = stores
    await assertReplica(urlOf(primary), urlOf(primary))
    await assertReplica(urlOf(primary), 'postgres://u:p@127.0.0.1:1/none')
  })
})

async function elsewhereOf({ url, drop }: FreshDatabase) {
  return { url, [Symbol.asyncDispose]: drop }
}

async function seeListOf(operator: SignedIn, place: string): Promise<void> {
  expect((await see(service.app, `/admin/${place}`, operator)).statusCode).toBe(200)
  expect((await see(service.app, `/admin/${place}.csv`, operator)).statusCode).toBe(200)
}
