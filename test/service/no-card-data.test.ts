// Numbers of cards and bank accounts, and CVVs, go in and are stored and sent nowhere. Keys and
// secrets are found only where they are kept.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askReceipt,
  EMAIL,
  messagesOf,
  outboxOf,
  PATIENT_SENDERS,
  PHONE,
  sendByItself,
} from '../support/receipts.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { BANK, CARD, SANDBOX_CARDS } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const ACCOUNTS = [BANK.bank_account, '123456789012', '55667788']

const START_MS = 120_000

const CVVS = SANDBOX_CARDS.map(({ cvv }) => cvv)

describe('card data', () => {
  const logged: string[] = []
  let service: TestService
  let merchant: Merchant
  let endpoint: Receiver
  const secrets: string[] = []

  beforeAll(async () => {
    service = await openTestService({
      log: { write: (line: string) => logged.push(line) },
      settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
      timings: PATIENT_SENDERS,
    })
    service.world.log.level = 'trace'
    merchant = await service.merchant()
    await setTeam(service.world, merchant.teamId, ['sms_enabled=true'])
    await sendByItself(service, merchant, ['email', 'sms'])
    endpoint = await openReceiver()
    secrets.push(merchant.key, ...(await addEndpoint()))
    for (const { number, cvv } of SANDBOX_CARDS) {
      await use({ ...CARD, card_number: number, card_cvv: cvv })
      await use({ ...CARD, card_number: spaced(number), card_cvv: cvv })
      await refuse({ ...CARD, card_number: number, card_cvv: cvv, card_exp: '0120' })
      await refuse({ ...CARD, card_number: number, card_cvv: cvv, method: 'neither' })
    }
    for (const bank_account of ACCOUNTS) await use({ ...BANK, bank_account })
    await soon(async () => expect(await unsent()).toBe(0))
  }, START_MS)
  afterAll(async () => {
    await service.close()
    await endpoint.close()
  })

  /** Registers an endpoint for every event, and returns its first secret and the one after it. */
  async function addEndpoint(): Promise<readonly string[]> {
    const body = { target_url: endpoint.url, event: '*' }
    const post = (url: string, body: object) =>
      call(service.app, 'POST', url, merchant.headers, body)
    const made = await post('/webhook', body)
    const rolled = await post(`/webhook/${made.body.id}/roll-secret`, {})
    return [made, rolled].map(({ body }) => {
      expect(body.secret).toMatch(/^whsec_/)
      return body.secret.slice('whsec_'.length)
    })
  }

  const unsent = async () =>
    (await service.world.db.query(`SELECT FROM delivery WHERE status <> 'sent'`)).length

  /** Makes a payment method, twice with one key, and charges it. */
  async function use(body: object): Promise<void> {
    const headers = { ...merchant.headers, 'idempotency-key': service.world.newId() }
    const made = await call(service.app, 'POST', '/payment-method', headers, body)
    const again = await call(service.app, 'POST', '/payment-method', headers, body)
    expect([made.status, again.text]).toEqual([200, made.text])
    const customer = `/customer/${made.body.customer_id}`
    await call(service.app, 'PUT', customer, merchant.headers, { email: EMAIL, phone: PHONE })
    const charged = await service.charge(merchant, { total: 3, payment_method_id: made.body.id })
    expect([200, 400]).toContain(charged.status)
    answers.push(made.text, charged.text)
    for (const channel of ['email', 'sms'] as const) {
      const answer = await askReceipt({ service, merchant }, charged.body.id, channel)
      expect(answer.status).toBe(charged.status === 200 ? 200 : 409)
      answers.push(answer.text)
    }
  }

  async function refuse(body: object): Promise<void> {
    const answer = await call(service.app, 'POST', '/payment-method', merchant.headers, body)
    expect(answer.status).toBe(400)
    answers.push(answer.text)
  }

  const answers: string[] = []

  it('is in no table', async () => {
    expect(await foundIn(await tablesOf(service))).toEqual([])
  })

  it('is in no key of Redis', async () => {
    if (service.redis !== undefined)
      expect(await foundIn(await redisOf(service.redis.url))).toEqual([])
  })

  it('is in no line of the log', async () => {
    expect(logged.length).toBeGreaterThan(50)
    expect(await foundIn([['log', logged.join('\n')]])).toEqual([])
  })

  it('is in nothing that the service sent', async () => {
    const messages = await outboxOf({ service, merchant })
    const owed = await messagesOf({ service, merchant })
    // A pass would mean nothing if the service had sent nothing.
    expect(messages.length).toBeGreaterThan(10)
    expect(messages.length).toBe(owed.length)
    expect(await foundIn([['messages', JSON.stringify(messages)]])).toEqual([])
    expect(endpoint.received.length).toBeGreaterThan(20)
    expect(await foundIn([['endpoint', JSON.stringify(endpoint.received)]])).toEqual([])
    expect(await foundIn(await filesOf(service))).toEqual([])
  })

  it('has no key and no secret beside it, not even where sealed ones are kept', async () => {
    const kept = await tablesOf(service)
    const redis = service.redis === undefined ? [] : await redisOf(service.redis.url)
    const sent: Place = ['endpoint', JSON.stringify(endpoint.received)]
    const everywhere = [...kept, ...redis, ...(await filesOf(service)), sent]
    const log: Place = ['log', logged.join('\n')]
    expect(secretsIn([...everywhere, log])).toEqual([])
    const places: readonly Place[] = secrets.map((secret) => ['a place', `"${secret}"`])
    expect(secretsIn(places)).toHaveLength(secrets.length)
  })

  const secretsIn = (places: readonly Place[]) =>
    places.flatMap(([name, text]) =>
      secrets.flatMap((secret, i) => (text.includes(secret) ? [`secret ${i} in ${name}`] : [])),
    )

  it('is in no answer', async () => {
    expect(await foundIn([['answers', answers.join('\n')]])).toEqual([])
  })

  it('would be found in any table or key, as a control', async () => {
    const [card] = SANDBOX_CARDS
    const planted = { a: [{ b: `x${card?.number}` }] }
    await service.world.db.query('UPDATE customer SET meta = $1 WHERE account_id = $2', [
      JSON.stringify(planted),
      merchant.accountId,
    ])
    const encoded = Buffer.from(`${ACCOUNTS[0]}`).toString('base64')
    await service.world.db.query('UPDATE team SET name = $1', [`token ${encoded}`])
    expect(await foundIn(await tablesOf(service))).toEqual(
      expect.arrayContaining([
        expect.stringContaining('public.customer'),
        expect.stringContaining('public.team'),
      ]),
    )
    if (service.redis !== undefined) {
      const client = new Redis(service.redis.url)
      await client.hset('planted', 'field', spaced(card?.number ?? ''))
      client.disconnect()
      expect(await foundIn(await redisOf(service.redis.url))).not.toEqual([])
    }
    expect(await foundIn([['log', `"card_cvv":"${CVVS[0]}"`]])).not.toEqual([])
  })
})

type Place = readonly [name: string, text: string]

/**
 * Answers what was found, and where. A CVV is too short to be looked for except as a whole value.
 */
async function foundIn(places: readonly Place[]): Promise<readonly string[]> {
  const numbers = [...SANDBOX_CARDS.map(({ number }) => number), ...ACCOUNTS]
  const forms = numbers.flatMap((one) => [one, spaced(one), spaced(one).replaceAll(' ', '-')])
  const wanted = [...forms, ...numbers.flatMap(base64Of)]
  const values = CVVS.flatMap((cvv) => [
    `"${cvv}"`,
    `\\"${cvv}\\"`,
    `,${cvv},`,
    `(${cvv},`,
    `,${cvv})`,
    `'${cvv}'`,
  ])
  return places.flatMap(([name, text]) =>
    [...wanted, ...values].filter((one) => text.includes(one)).map((one) => `${one} in ${name}`),
  )
}

/** Encoded at each of the three offsets that a number may have in base64, without the ends. */
function base64Of(number: string): readonly string[] {
  return ['', '.', '..'].map((before) => {
    const encoded = Buffer.from(`${before}${number}`).toString('base64')
    return encoded.replaceAll('=', '').slice(before === '' ? 0 : 4, -2)
  })
}

function spaced(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** Every row of every table, in all schemas except the server's own. */
async function tablesOf(service: TestService): Promise<readonly Place[]> {
  const tables = await service.world.db.query(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(8)
  const places: Place[] = []
  for (const { schema, name } of tables) {
    const rows = await service.world.db.query(`SELECT t::text AS row FROM "${schema}"."${name}" t`)
    places.push([`${schema}.${name}`, rows.map(({ row }) => row).join('\n')])
  }
  return places
}

/** The mails and messages that arrived, opened as any mail program opens them. */
async function filesOf({ world }: TestService): Promise<readonly Place[]> {
  const folder = join(world.config.dataDir, 'outbox')
  const names = await readdir(folder)
  expect(names.length).toBeGreaterThan(10)
  return Promise.all(
    names.map(async (name): Promise<Place> => [name, await readFile(join(folder, name), 'utf8')]),
  )
}

async function redisOf(url: string): Promise<readonly Place[]> {
  const client = new Redis(url)
  const keys = await client.keys('*')
  expect(keys.length).toBeGreaterThan(0)
  const places: Place[] = []
  for (const key of keys) {
    // A dump may be packed; each type is read in its own way.
    places.push([key, JSON.stringify(await readKey(client, key))])
  }
  client.disconnect()
  return places
}

async function readKey(client: Redis, key: string): Promise<unknown> {
  switch (await client.type(key)) {
    case 'hash':
      return client.hgetall(key)
    case 'list':
      return client.lrange(key, 0, -1)
    case 'zset':
      return client.zrange(key, '0', '-1')
    case 'set':
      return client.smembers(key)
    case 'stream':
      return client.xrange(key, '-', '+')
    default:
      return client.get(key)
  }
}
