// A service for a test: a fresh database, queues on the backend under test, the API server without
// a port, and workers if needed. `close` or `await using` removes everything.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { inject } from 'vitest'
import { createTeam } from '../../src/accounts/create-team.ts'
import type { Mode } from '../../src/accounts/key.ts'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { readConfig } from '../../src/config.ts'
import { type App, buildApp } from '../../src/http/app.ts'
import { openLog } from '../../src/log.ts'
import { inOneCommit } from '../../src/operators/audit-entries.ts'
import { QUEUE_NAMES, type QueueName } from '../../src/queue/catalogue.ts'
import { keepSchedulers } from '../../src/upkeep/keep-schedulers.ts'
import { openWorld, type World, type WorldParts } from '../../src/world.ts'
import { WORKERS } from '../../workers/index.ts'
import { processorOf } from '../../workers/run.ts'
import { type FreshDatabase, freshDatabase } from './postgres.ts'
import { type PrivateRedis, privateRedis } from './redis.ts'
import { SECRETS_KEY } from './secrets-key.ts'

export interface ServiceOptions
  extends Pick<WorldParts, 'clock' | 'timings' | 'tracer' | 'withGateway' | 'twilioUrl'> {
  readonly backend?: 'postgres' | 'redis'
  /**
   * Queues to work on in this process. Their rounds run if the sweep is one of them. If absent, it
   * works on all in test/service; elsewhere on each from its first job on, and no rounds run, which
   * halves what a service costs.
   */
  readonly queues?: readonly QueueName[]
  /** Settings as in the environment. */
  readonly settings?: Readonly<Record<string, string>>
  readonly log?: DestinationStream
  /** A database of the caller's, which stays. */
  readonly database?: FreshDatabase
}

export interface Merchant {
  readonly teamId: string
  readonly accountId: string
  readonly key: string
  readonly headers: { readonly authorization: string }
}

export interface TestService extends AsyncDisposable {
  readonly backend: 'postgres' | 'redis'
  readonly world: World
  readonly app: App
  readonly databaseUrl: string
  readonly redis: PrivateRedis | undefined
  /** A team with a key and nothing else. */
  merchant(mode?: Mode): Promise<Merchant>
  /** The id of a new payment method of the merchant, made through the API. */
  card(merchant: Merchant, number?: string): Promise<string>
  /** POST /charge; returns the answer. */
  charge(
    merchant: Merchant,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a client without types does
  readonly body: any
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
}

/** The sandbox's approving card. */
export const GOOD_CARD = '4111111111111111'

/**
 * Short enough for tests to see every path within seconds, long enough for a busy machine not to
 * exceed them.
 */
const QUICK = {
  nudgeGraceMs: 400,
  gatewayTimeoutMs: 1_000,
  leaseMs: 1_500,
  paymentLeaseMs: 1_500,
  // A sweep takes 50 ms of CPU, in every service that a test has open.
  sweepEveryMs: 1_000,
  recheckEveryMs: 500,
  askAgain: { firstMs: 50, mostMs: 400 },
  messageTimeoutMs: 2_000,
  deliveryLeaseMs: 5_000,
  webhookTimeoutMs: 2_000,
  // All tests of a file have one address.
  failedSignInsAMinute: 1_000_000,
  signInsAMinute: 1_000_000,
  strangerSignInsAMinute: 1_000_000,
}

export async function openTestService(options: ServiceOptions = {}): Promise<TestService> {
  const backend = options.backend ?? inject('backend')
  const database = options.database ?? (await freshDatabase())
  const redis = backend === 'redis' ? await privateRedis() : undefined
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-service-'))
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Each new one reads the catalogue and plans every statement: with 34 the suite takes a sixth
    // more CPU.
    DATABASE_CONNECTIONS: '13',
    SECRETS_KEY,
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    ...options.settings,
  })
  const { clock, tracer, withGateway, twilioUrl } = options
  const world = openWorld({
    config,
    databaseUrl: database.url,
    log: openLog(options.log === undefined ? 'silent' : 'debug', options.log),
    timings: { ...QUICK, ...options.timings },
    ...(clock === undefined ? {} : { clock }),
    ...(tracer === undefined ? {} : { tracer }),
    ...(withGateway === undefined ? {} : { withGateway }),
    ...(twilioUrl === undefined ? {} : { twilioUrl }),
  })
  const app = await buildApp(world)
  await world.queues.engine.probe()
  const queues = options.queues ?? (inject('hasRounds') ? QUEUE_NAMES : undefined)
  if (queues === undefined) workOnDemand(world)
  else await workOn(world, queues)

  async function close(): Promise<void> {
    await app.close()
    await world.queues.drain(5_000)
    await world.close()
    await redis?.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }

  return {
    backend,
    world,
    app,
    databaseUrl: database.url,
    redis,
    merchant: (mode = 'sandbox') => makeMerchant(world, mode),
    card: (merchant, number = GOOD_CARD) => makeCard(app, merchant, number),
    charge: (merchant, body, headers = {}) =>
      call(app, 'POST', '/charge', { ...merchant.headers, ...headers }, body),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function workOn(world: World, queues: readonly QueueName[]): Promise<void> {
  for (const queue of queues) {
    world.queues.work(queue, processorOf(world, queue, WORKERS[queue]))
    await world.queues.workersReady()
  }
  if (queues.includes('sweep')) await keepSchedulers(world)
}

/** Each worker starts when the first job of its queue is added. */
function workOnDemand(world: World): void {
  const { queues } = world
  const worked = new Set<QueueName>()
  const open = queues.queue.bind(queues)
  queues.queue = (name) => {
    const queue = open(name)
    if (!worked.has(name) && !queues.isDraining) {
      worked.add(name)
      queues.work(name, processorOf(world, name, WORKERS[name]))
    }
    return queue
  }
}

/** A request to the API server, without a port. */
export async function call(
  app: App,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Answer> {
  const answer = await app.inject({
    method,
    url,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
    headers: answer.headers,
  }
}

async function makeMerchant(world: World, mode: Mode): Promise<Merchant> {
  return inOneCommit(world, 'merchant', async (own) => {
    const { id: teamId, accounts } = await createTeam(own, `Team ${world.newId()}`)
    const accountId = accounts[mode]
    const { key } = await createKey(own, { accountId, mode, name: 'test' })
    return { teamId, accountId, key, headers: { authorization: `Bearer ${key}` } }
  })
}

async function makeCard(app: App, merchant: Merchant, number: string): Promise<string> {
  const body = {
    method: 'card',
    person_name: 'Ada Lovelace',
    card_number: number,
    card_cvv: number.startsWith('3') ? '1234' : '123',
    card_exp: '1239',
  }
  const made = await call(app, 'POST', '/payment-method', merchant.headers, body)
  if (made.status !== 200) throw new Error(`no card: ${made.text}`)
  return made.body.id
}
