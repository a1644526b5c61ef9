// A process of the service with a crowded account, and one resource of each kind that a path can
// name.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { nameKeyOf } from '../../src/operators/names.ts'
import { freshDatabase } from '../support/postgres.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { ask, BOUNDS, type Bounds, type HostileRequest, type HostileTarget } from './ask.ts'
import { openService, type Service } from './service.ts'
import { addCrowdedTeam, addTeam, type Team } from './teams.ts'

export interface HostileSetup extends AsyncDisposable {
  readonly service: Service
  readonly databaseUrl: string
  readonly crowded: Team
  /** Ids in the crowded account, by the part of a path before them. */
  readonly ids: Ids
  /** The time limits of a request on this machine. */
  readonly bounds: Bounds
  /** Another team without any rows. */
  team(): Promise<Team>
}

export interface Ids {
  readonly customer: string
  readonly card: string
  readonly transaction: string
  readonly link: string
  readonly schedule: string
  readonly invoice: string
  readonly item: string
  readonly batch: string
  readonly webhook: string
}

/** Transactions of the account; half as many customers and events come with them. */
const ROWS = Number(process.env.HOSTILE_ROWS ?? 100_000)

export const OPERATOR = 'Ada Lovelace'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

export async function openHostileSetup(): Promise<HostileSetup> {
  const database = await freshDatabase()
  const { url: databaseUrl } = database
  const crowded = await addCrowdedTeam(databaseUrl, ROWS)
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', ADMIN_PASSWORD: 'lanterns over the moor 7' }
  await addOperator(databaseUrl)
  const service = await openService({ databaseUrl, settings })
  return {
    service,
    databaseUrl,
    crowded,
    ids: await makeOneOfEach(service, crowded, databaseUrl),
    bounds: await boundsHere(databaseUrl),
    team: () => addTeam(databaseUrl),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database.drop()
    },
  }
}

/** With any operator, a password is compared with theirs. */
async function addOperator(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(
    `INSERT INTO operator (id, name, name_key, role, created_at)
    VALUES ($1, $2, $3, 'view', now())`,
    [randomUUID(), OPERATOR, nameKeyOf(OPERATOR)],
  )
  await client.end()
}

async function makeOneOfEach(
  service: HostileTarget,
  { key, accountId }: Team,
  url: string,
): Promise<Ids> {
  const made = (path: string, body: object) => makeResource(service, key, path, body)
  const customer = await made('/customer', { firstname: 'Ada', email: 'ada@example.com' })
  const card = await made('/payment-method', { ...CARD, customer_id: customer })
  const bill = { total: 10, customer_id: customer, payment_method_id: card }
  return {
    customer,
    card,
    transaction: await made('/charge', { total: 10, payment_method_id: card }),
    link: await made('/payment-link', { common_name: 'Link', amount: 10 }),
    schedule: await made('/invoice/schedule', { ...bill, rule: 'FREQ=MONTHLY' }),
    invoice: await made('/invoice', bill),
    item: await made('/item', { item: 'Coffee' }),
    webhook: await made('/webhook', { target_url: 'http://127.0.0.1:9/', event: 'create_batch' }),
    batch: await anyBatch(url, accountId),
  }
}

/** Makes a resource, expects success, and answers its id. */
export async function makeResource(
  service: HostileTarget,
  key: string,
  path: string,
  body: object,
) {
  const sent: HostileRequest = { method: 'POST', path, body }
  const { status, text } = await ask(service, key, sent)
  if (status !== 200) throw new Error(`POST ${path} was answered ${status}: ${text}`)
  return String(JSON.parse(text).id)
}

/**
 * Work for the database alone, as much as the most expensive search; usually an eighth of a second.
 */
const YARDSTICK = `
  SELECT count(*) FROM (SELECT md5(n::text) AS text FROM generate_series(1, 200000) AS n) AS read
  WHERE text ILIKE '%ada%'`

/** A slow machine's limit grows with the time that its database needs for plain work. */
const YARDSTICKS_A_REQUEST = 4

async function boundsHere(databaseUrl: string): Promise<Bounds> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const tookMs: number[] = []
  while (tookMs.length < 5) {
    const startedMs = performance.now()
    await client.query(YARDSTICK)
    tookMs.push(performance.now() - startedMs)
  }
  await client.end()
  const [, , medianMs = 0] = tookMs.sort((one, other) => one - other)
  return { ...BOUNDS, requestMs: Math.max(BOUNDS.requestMs, YARDSTICKS_A_REQUEST * medianMs) }
}

async function anyBatch(databaseUrl: string, accountId: string): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query('SELECT id FROM batch WHERE account_id = $1 LIMIT 1', [
    accountId,
  ])
  await client.end()
  return rows[0]?.id ?? UNKNOWN
}
