// The secret of a webhook is stored in one place only; a repeated creation is answered with it.

import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdLock } from '../support/hold-lock.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import {
  NOWHERE,
  openWebhookService,
  type TestWebhooks,
  UNKNOWN_WEBHOOK,
  webhooksOf,
} from '../support/webhooks.ts'

const SENT = { target_url: NOWHERE, event: ['create_customer', 'create_invoice'] }

const LONG = { timeout: 60_000 }
const START_MS = 120_000

describe('a webhook made with an idempotency key', LONG, () => {
  let service: TestService
  let merchant: Merchant
  let webhooks: TestWebhooks
  let logged = ''

  beforeAll(async () => {
    const log = new PassThrough()
    log.on('data', (line) => {
      logged += line
    })
    service = await openWebhookService({ log })
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
  }, START_MS)
  afterAll(() => service.close())

  const create = (key: string, body: object = SENT) =>
    webhooks.ask('POST', '', body, { 'idempotency-key': key })

  const voidWith = (key: string) =>
    call(service.app, 'POST', `/transaction/${UNKNOWN_WEBHOOK}/void`, {
      ...merchant.headers,
      'idempotency-key': key,
    })

  it.each([
    ['rolled', (id: string) => webhooks.ask('POST', `/${id}/roll-secret`, { expires_in: 0 })],
    ['deleted', (id: string) => webhooks.ask('DELETE', `/${id}`)],
  ])('is answered again without the secret once it is %s', async (what, end) => {
    const { body } = await create(what)
    expect((await end(body.id)).status).toBe(200)
    expect((await create(what)).body).toEqual({ ...body, secret: null })
  })

  it('is refused its key by a void, or refuses it, when both come at the same moment', async () => {
    // As a void, which holds the account's clock before it claims its key.
    const held = 'SELECT FROM account WHERE id = $1 FOR SHARE'
    const account = await holdLock(service.databaseUrl, held, [merchant.accountId])
    const webhook = await holdLock(service.databaseUrl, 'LOCK TABLE webhook IN SHARE MODE')
    const creating = create('shared')
    await webhook.untilWaiting(1)
    const voiding = voidWith('shared')
    await webhook.untilWaiting(2)
    await webhook.release()
    await account.release()
    expect((await creating).status).toBe(200)
    expectRefusal(await voiding, 409, 'idempotency_conflict')
  })

  it('has its secret in no column of the database, no list and no line of the log', async () => {
    const { body } = await create('secret')
    const rolled = await webhooks.ask('POST', `/${body.id}/roll-secret`)
    await webhooks.ask('PUT', `/${body.id}`, { event: '*' })
    await webhooks.ask('POST', `/${body.id}/test`)
    const shown = await Promise.all(
      ['', `/${body.id}`, `/${body.id}/delivery`].map((path) => webhooks.ask('GET', path)),
    )
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200])
    const texts = shown.map(({ text }) => text).join()
    expect(`${texts}${logged}`).not.toMatch(/whsec_/)
    expect(logged).toContain(merchant.accountId)
    for (const { secret } of [body, rolled.body]) {
      for (const text of [secret, secret.slice('whsec_'.length), hexOf(secret)]) {
        expect(await tablesWith(service, text)).toEqual([])
      }
    }
    expect(await tablesWith(service, 'whsec_')).toEqual([])
    expect(await tablesWith(service, body.id)).toContain('webhook')
  })
})

function hexOf(secret: string): string {
  return Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex')
}

async function tablesWith({ world }: TestService, text: string): Promise<readonly string[]> {
  const { query } = world.db
  const tables = await query(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await query(`SELECT FROM ${name} r WHERE strpos(r::text, $1) > 0`, [text])
      return rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}
