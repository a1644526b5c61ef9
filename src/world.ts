// The composition root: it turns the settings into a world, which every action gets. No other code
// builds its parts.

import assert from 'node:assert'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { adminAddressOf, type Config, publicAddressOf } from './config.ts'
import { Admission } from './core/admission.ts'
import { ExportPlaces } from './core/export-places.ts'
import { noShutdownYet, type Shutdown } from './core/shutdown.ts'
import {
  type ConnectionShares,
  connectionShares,
  type Database,
  openDatabase,
} from './db/database.ts'
import { installationId } from './db/installation-id.ts'
import type { PoolSize } from './db/pool.ts'
import { openReads, type ReadFrom } from './db/reads.ts'
import { openReplica, type Replica } from './db/replica.ts'
import { memoryCounter } from './limits/counter.ts'
import { insuredCounter } from './limits/insured-counter.ts'
import { postgresCounter } from './limits/postgres-counter.ts'
import { redisCounter } from './limits/redis-counter.ts'
import { type RequestLimits, requestLimits } from './limits/request-limits.ts'
import { type Outages, openOutages } from './log/outages.ts'
import { type Clock, type SharedClock, sharedClock } from './outside/clock.ts'
import { endpointClient } from './outside/endpoint/client.ts'
import type { EndpointClient } from './outside/endpoint/port.ts'
import { checkoutClient } from './outside/gateway/checkout/client.ts'
import { checkoutGateway } from './outside/gateway/checkout/gateway.ts'
import { Gateways } from './outside/gateway/gateways.ts'
import type { Gateway } from './outside/gateway/port.ts'
import { sandboxGateway } from './outside/gateway/sandbox/gateway.ts'
import { stripeClient } from './outside/gateway/stripe/client.ts'
import { stripeGateway } from './outside/gateway/stripe/gateway.ts'
import { knownAccount } from './outside/gateway/stripe/known-account.ts'
import { merchantAccounts } from './outside/gateway/stripe/merchant-accounts.ts'
import { ownAccount } from './outside/gateway/stripe/own-account.ts'
import { newId } from './outside/identity.ts'
import { outboxMailer } from './outside/mail/outbox.ts'
import type { Mailer } from './outside/mail/port.ts'
import { smtpMailer } from './outside/mail/smtp.ts'
import type { Outbox } from './outside/outbox.ts'
import { outboxTexter } from './outside/sms/outbox.ts'
import type { Texter } from './outside/sms/port.ts'
import { twilioTexter } from './outside/sms/twilio.ts'
import { openVault, type Vault } from './outside/vault.ts'
import { runningVersion } from './package.ts'
import { errorFuse } from './queue/error-fuse.ts'
import { postgresEngine } from './queue/postgres-engine.ts'
import { Queues } from './queue/queues.ts'
import { redisEngine } from './queue/redis-engine.ts'
import { type Metrics, openMetrics } from './telemetry/metrics.ts'
import { noTracer, type Tracer } from './telemetry/tracer.ts'
import { defaultTimings, type Timings } from './timings.ts'

export interface World {
  readonly config: Config
  readonly log: Logger
  readonly outages: Outages
  readonly clock: SharedClock
  readonly timings: Timings
  readonly metrics: Metrics
  readonly tracer: Tracer
  readonly db: Database
  /**
   * The database for one list, file or report, which the replica answers if it can. Never for what
   * a decision rests on.
   */
  reads(): Database
  /** A standby. Undefined if there is none, and the primary answers all reads. */
  readonly replica: Replica | undefined
  readonly queues: Queues
  readonly limits: RequestLimits
  /** Decides which requests with a key this process accepts, and when. */
  readonly admission: Admission
  readonly shutdown: Shutdown
  readonly exports: ExportPlaces
  readonly gateways: Gateways
  readonly mailer: Mailer
  readonly texter: Texter
  readonly endpoints: EndpointClient
  /** Seals secrets, so that a reader of the database cannot use them. */
  readonly vault: Vault
  /** The account's current time, by its own clock or in real time. */
  readonly accountNow: (account: { readonly clockAt: Date | null }) => Date
  readonly newId: () => string
  /** In [0, 1). */
  readonly random: () => number
  /** The sizes of the connection pools to PostgreSQL. */
  poolSizes(): readonly PoolSize[]
  /** The address at which payers reach the pages, without a slash at the end. */
  publicAddress(): string
  /** The address at which operators reach the console, without a slash at the end. */
  adminAddress(): string
  /** Called when the server listens, because the settings may leave the port to the system. */
  listensOn(port: number, adminPort?: number): void
  close(): Promise<void>
}

/** The same world for a list, a file or a report, which a replica may answer. */
export function forReading<W extends Pick<World, 'db' | 'reads'>>(world: W): W {
  return { ...world, db: world.reads() }
}

/** The world of actions that only read rows by SQL. A command that needs no more answers sooner. */
export interface QueryWorld extends Pick<World, 'config'> {
  readonly clock: Clock
  readonly db: Pick<Database, 'query'>
}

/** The same for actions that also write rows. */
export interface WritingWorld extends QueryWorld, Pick<World, 'adminAddress' | 'newId'> {}

/** The same for actions of several statements in one commit. */
export interface CommittingWorld extends WritingWorld {
  readonly db: Pick<Database, 'query' | 'commit'>
}

export interface WorldParts {
  readonly config: Config
  readonly databaseUrl: string
  readonly log: Logger
  /** Loaded only if the settings ask for it, and so before the world. The world closes it. */
  readonly tracer?: Tracer
  /** Replacements in tests. */
  readonly clock?: Clock
  readonly timings?: Partial<Timings>
  readonly withGateway?: (gateway: Gateway) => Gateway
  /** The address of Twilio's API, if a test replaces it. */
  readonly twilioUrl?: string
}

export function openWorld(parts: WorldParts): World {
  const { config, databaseUrl, log, tracer = noTracer } = parts
  const timings = { ...defaultTimings, ...parts.timings }
  assert(timings.gatewayTimeoutMs < timings.leaseMs, 'else a worker takes what an operator decides')
  const outages = openOutages(log)
  const onError = errorFuse(log, outages, () => process.exit(1))
  const connections = connectionShares(config.databaseConnections)
  const db = openDatabase(databaseUrl, { name: 'lamplighter', connections, onError })
  const metrics = openMetrics(runningVersion())
  const replica = replicaOf(config, { connections, primary: db, outages })
  const count = (from: ReadFrom) => metrics.reads.inc({ from })
  const shared = sharedClock({ query: (text) => db.queryHot('clock', text) })
  const clock = { ...shared, now: () => (parts.clock ?? shared).now() }
  const newIdNow = () => newId(clock.databaseNow().getTime())
  const engine =
    config.redis === undefined
      ? postgresEngine(databaseUrl, connections.queues, onError)
      : redisEngine(config.redis, onError, installationId(db.query))
  const counter =
    config.redis === undefined ? postgresCounter(db, clock) : redisCounter(config.redis, onError)
  const insured = insuredCounter(counter, memoryCounter(), onError)
  const queues = new Queues({ engine, onError, clock, timings, carried: tracer.carried })
  let { port, adminPort } = config
  const sandbox = sandboxGateway({ db, clock, newId: newIdNow })
  const replaced = parts.withGateway ?? ((gateway: Gateway) => gateway)
  const outbox = { db, clock, newId: newIdNow, folder: join(config.dataDir, 'outbox') }
  const mailer = mailerOf(config, outbox)
  const texter = texterOf(config, outbox, parts.twilioUrl)
  const endpoints = endpointClient({ allowPrivate: config.webhookAllowPrivate, clock })
  return {
    config,
    log,
    outages,
    clock,
    timings,
    metrics,
    tracer,
    db,
    reads: () => (replica === undefined ? db : openReads(db, replica, count)),
    replica,
    queues,
    limits: requestLimits(insured, clock),
    admission: new Admission({
      waitMs: config.chargeWaitMs,
      nowMs: () => performance.now(),
      random: Math.random,
    }),
    shutdown: noShutdownYet(),
    exports: new ExportPlaces(),
    gateways: new Gateways(
      [sandbox, ...liveGateways(config, { db, clock, outages })].map(replaced),
    ),
    mailer,
    texter,
    endpoints,
    vault: openVault({ keys: config.secretsKeys, file: join(config.dataDir, 'secrets.key') }),
    accountNow: ({ clockAt }) => clockAt ?? clock.now(),
    newId: newIdNow,
    random: Math.random,
    poolSizes: () => [...db.poolSizes(), ...engine.poolSizes(), ...sizesOf(replica)],
    publicAddress: () => publicAddressOf({ ...config, port }),
    adminAddress: () => adminAddressOf({ ...config, port, adminPort }),
    listensOn(actual, actualAdmin) {
      port = actual
      adminPort = actualAdmin
    },
    async close() {
      await queues.close()
      await Promise.all([mailer.close(), texter.close(), endpoints.close()])
      await counter.close()
      await Promise.all([replica?.db.close(), db.close()])
      await tracer.close()
    },
  }
}

interface ReplicaNeeds {
  readonly connections: ConnectionShares
  readonly primary: Database
  readonly outages: Outages
}

/** Its connections break without harm, so they do not count towards giving up. */
function replicaOf(
  { readDatabaseUrl }: Config,
  { connections, primary, outages }: ReplicaNeeds,
): Replica | undefined {
  if (readDatabaseUrl === undefined) return undefined
  const onError = (err: unknown) => outages.report('the primary reads for the replica', { err })
  const db = openDatabase(readDatabaseUrl, { name: 'lamplighter', connections, onError })
  return openReplica(primary, db, onError)
}

function sizesOf(replica: Replica | undefined): readonly PoolSize[] {
  const sizes = replica?.db.poolSizes() ?? []
  return sizes.map((size) => ({ ...size, pool: `replica_${size.pool}` }))
}

type GatewayNeeds = Pick<World, 'clock' | 'db' | 'outages'>

function liveGateways({ checkout, stripe }: Config, needs: GatewayNeeds): readonly Gateway[] {
  return [
    ...(stripe === undefined ? [] : [stripeOf(stripe, needs)]),
    ...(checkout === undefined ? [] : [checkoutOf(checkout, needs)]),
  ]
}

function stripeOf(
  stripe: NonNullable<Config['stripe']>,
  { db, clock, outages: { report: alarm } }: GatewayNeeds,
): Gateway {
  const { apiUrl, isTest, publishableKey, webhookSecrets } = stripe
  const askStripe = stripeClient(stripe)
  const known = knownAccount(db.query, clock.now())
  return stripeGateway({
    askStripe,
    checkAccount: ownAccount({ askStripe, isTest, known, alarm }),
    ...merchantAccounts(db.query),
    now: clock.now,
    alarm,
    publishableKey,
    apiUrl,
    webhookSecrets,
  })
}

function checkoutOf(
  checkout: NonNullable<Config['checkout']>,
  { clock, outages: { report: alarm } }: GatewayNeeds,
): Gateway {
  const { processingChannel, webhookSecrets } = checkout
  const askCheckout = checkoutClient(checkout)
  return checkoutGateway({ askCheckout, processingChannel, webhookSecrets, now: clock.now, alarm })
}

function mailerOf({ smtpUrl, smtpCaFile, mailFrom }: Config, outbox: Outbox): Mailer {
  return smtpUrl === undefined
    ? outboxMailer(outbox, mailFrom)
    : smtpMailer({ url: smtpUrl, from: mailFrom, caFile: smtpCaFile })
}

function texterOf({ twilio }: Config, outbox: Outbox, apiUrl: string | undefined): Texter {
  return twilio === undefined ? outboxTexter(outbox) : twilioTexter({ ...twilio, apiUrl })
}
