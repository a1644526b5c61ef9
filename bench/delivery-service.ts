// A service that only delivers, with charges of one day for its receipts and events.

import pg from 'pg'
import { createTeam } from '../src/accounts/create-team.ts'
import { readConfig } from '../src/config.ts'
import { openEmbedded } from '../src/db/embedded/index.ts'
import { migrate } from '../src/db/migrate.ts'
import type { ChannelAdapter } from '../src/deliveries/channel-adapter.ts'
import { deliverDue } from '../src/deliveries/deliver-due.ts'
import { openLog } from '../src/log.ts'
import { emailChannel } from '../src/messages/email-channel.ts'
import type { Mail } from '../src/outside/mail/port.ts'
import { migrateQueues } from '../src/queue/postgres-engine.ts'
import { ensureSecretsKey } from '../src/upkeep/secrets-keys.ts'
import { sealSecret } from '../src/webhooks/seal-secret.ts'
import { webhookChannel } from '../src/webhooks/webhook-channel.ts'
import { openWorld, type World } from '../src/world.ts'
import { fillDays } from '../test/support/batch-crowd.ts'
import { emailOf } from '../test/support/written-messages.ts'
import { startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'
import { temporaryFolder } from './database.ts'
import { SECRET } from './delivery-secret.ts'
import type { SinksAnswer, SinksQuestion } from './sinks-child.ts'

const DAY = '2026-03-03'

/** Far above any machine: this limit must not be what is measured. */
const NO_LIMIT = '10000'

export interface DeliveryService {
  readonly world: World
  readonly accountId: string
  readonly smtpUrl: string
  readonly endpointUrl: string
  /** The content of the events, and of a receipt as it is sent. */
  readonly body: string
  readonly mail: Mail
  ask(kind: SinksQuestion['kind']): Promise<SinksAnswer>
  /** Both return how long it took, in milliseconds. */
  sendReceipts(count: number): Promise<number>
  deliverEvents(count: number): Promise<number>
}

export async function openDeliveryService(
  cleanups: Cleanups,
  charges: number,
): Promise<DeliveryService> {
  const folder = await temporaryFolder(cleanups)
  const server = await openEmbedded(folder, { role: 'owner' })
  cleanups.add(() => server.stop())
  await migrate(server.url)
  await migrateQueues(server.url)
  const sinks = startBenchChild<SinksQuestion, SinksAnswer>('sinks-child.ts', [], cleanups)
  const { smtpPort, httpPort } = await sinks.ask({ kind: 'where' })
  const smtpUrl = `smtp://127.0.0.1:${smtpPort}`
  const endpointUrl = `http://127.0.0.1:${httpPort}/events`
  const world = openWorld({
    config: readConfig({
      PORT: '0',
      DATA_DIR: folder,
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'till@lamplighter.test',
      EMAIL_PER_SECOND: NO_LIMIT,
      SANDBOX_MESSAGES_PER_DAY: '1000000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }),
    databaseUrl: server.url,
    log: openLog('silent'),
  })
  cleanups.add(() => world.close())
  const client = new pg.Client({
    connectionString: server.superuserUrl,
    options: '-c TimeZone=UTC',
  })
  client.on('error', () => {}) // its server is stopped at the end
  await client.connect()
  cleanups.add(() => client.end())
  const accountId = await makeAccount(world)
  await fillDays(client, accountId, [DAY], charges)
  await makeEndpoint(world, accountId, endpointUrl)

  const ask = (kind: SinksQuestion['kind']) => sinks.ask({ kind })

  async function deliver(adapter: ChannelAdapter, count: number): Promise<number> {
    await client.query('ANALYZE delivery')
    await ask('forget')
    const startedMs = performance.now()
    for (let sent = 0; sent < count; ) sent += await deliverDue(world, adapter)
    const tookMs = performance.now() - startedMs
    const { count: arrived } = await ask('arrived')
    const left = await world.db.prisma.delivery.count({ where: { status: { not: 'sent' } } })
    if (arrived !== count || left > 0) throw new Error(`${arrived} arrived, ${left} are not sent`)
    return tookMs
  }

  return {
    world,
    accountId,
    smtpUrl,
    endpointUrl,
    body: BODY,
    mail: await aMail(world, client, accountId),
    ask,
    async sendReceipts(count) {
      await client.query(QUEUE_RECEIPTS, [accountId, count])
      return deliver(emailChannel(world), count)
    },
    async deliverEvents(count) {
      await client.query(WRITE_EVENTS, [accountId, count, BODY])
      return deliver(webhookChannel(world), count)
    },
  }
}

/** As long as the transaction of a shop with an address and a few lines of meta. */
const BODY = JSON.stringify({ id: 'x'.repeat(36), meta: { memo: 'm'.repeat(1_800) }, total: 12.5 })

const QUEUE_RECEIPTS = `
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at)
  SELECT $1::uuid, gen_random_uuid(), 'email', $1::uuid, 'transaction', t.id, c.email,
    gen_random_uuid()::text, at, at, 'bench', at, at
  FROM (SELECT * FROM transaction WHERE account_id = $1::uuid ORDER BY id LIMIT $2::integer) t
  JOIN customer c ON c.account_id = t.account_id AND c.id = t.customer_id,
    (SELECT now() - interval '1 minute' AS at) owed`

/** Their ids are of a day in the past, so that all are due. */
const WRITE_EVENTS = `
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
  SELECT $1::uuid, (left(t.id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid,
    'update_transaction', t.id::text,
    (SELECT coalesce(max(sequence), 1) + 1 FROM event WHERE account_id = $1::uuid), $3::json,
    'bench', timestamptz '2026-03-04'
  FROM (SELECT * FROM transaction WHERE account_id = $1::uuid ORDER BY id LIMIT $2::integer) t`

async function makeAccount(world: World): Promise<string> {
  const { accounts } = await createTeam(world, 'Moonlight Books')
  return accounts.sandbox
}

async function makeEndpoint(world: World, accountId: string, targetUrl: string): Promise<void> {
  const now = world.clock.now()
  await ensureSecretsKey(world)
  const key = { accountId, id: world.newId() }
  const row = { ...key, targetUrl, events: ['*'], secret: sealSecret(world, key, SECRET) }
  await world.db.prisma.webhook.create({ data: { ...row, createdAt: now, updatedAt: now } })
}

async function aMail(world: World, client: pg.Client, accountId: string): Promise<Mail> {
  await client.query(QUEUE_RECEIPTS, [accountId, 1])
  const delivery = await world.db.prisma.delivery.findFirstOrThrow({ where: { accountId } })
  await client.query('DELETE FROM delivery')
  const mail = await emailOf(world, delivery)
  if (mail === undefined) throw new Error('there is no receipt')
  return mail
}
