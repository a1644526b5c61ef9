import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import type { Row } from '../../src/db/gathered.ts'
import { openFurther } from '../support/further.ts'
import { expectRefusal } from '../support/requests.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import {
  NOWHERE,
  openWebhookService,
  SECRET,
  type TestWebhooks,
  webhooksOf,
} from '../support/webhooks.ts'

const OTHER = 'http://127.0.0.1:9/other'

const LONG = { timeout: 60_000 }
const START_MS = 120_000

describe('changing a webhook', LONG, () => {
  let service: TestService
  let merchant: Merchant
  let webhooks: TestWebhooks
  let aheadMs = 0

  beforeAll(async () => {
    const clock = { now: () => new Date(Date.now() + aheadMs) }
    service = await openWebhookService({ clock })
    await made()
  }, START_MS)
  afterAll(() => service.close())

  /** A new webhook of a new merchant, without its secret. */
  async function made(body: object = { event: ['create_customer', 'create_invoice'] }) {
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
    aheadMs += 1_000
    const { secret: _, ...shown } = await webhooks.made(body)
    aheadMs += 1_000
    return shown
  }

  /** Disables one as the service does. */
  const disable = (id: string) =>
    service.world.db.query(
      `UPDATE webhook SET status = 'disabled', disabled_reason = 'gone', failing_since = created_at
       WHERE id = $1`,
      [id],
    )

  async function rowOf(id: string): Promise<Row | undefined> {
    const { db, vault } = service.world
    const [row] = await db.query('SELECT * FROM webhook WHERE id = $1', [id])
    if (row === undefined) return undefined
    const open = (text: string) => vault.open(text, `webhook ${row.account_id} ${id}`)
    const previous = row.previous_secret === null ? null : open(row.previous_secret)
    return { ...row, secret: open(row.secret), previous_secret: previous }
  }

  it.each([
    [{ target_url: OTHER }, { target_url: OTHER }],
    [{ event: '*' }, { event: '*' }],
    [{ event: ['create_batch', 'create_batch'] }, { event: 'create_batch' }],
    [{ status: 'disabled' }, { status: 'disabled' }],
    [
      { target_url: OTHER, event: 'create_batch', status: 'disabled', id: 'x', secret: 'y' },
      { target_url: OTHER, event: 'create_batch', status: 'disabled' },
    ],
  ])('to %j changes these fields and nothing else', async (sent, changed) => {
    const before = await made()
    const { secret } = (await rowOf(before.id)) ?? {}
    const { status, body } = await webhooks.ask('PUT', `/${before.id}`, sent)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...changed, updated_at: body.updated_at })
    expect(body.updated_at > before.updated_at).toBe(true)
    expect((await webhooks.ask('GET', `/${before.id}`)).body).toEqual(body)
    expect(await rowOf(before.id)).toMatchObject({ secret, version: 2 })
  })

  it.each([
    {},
    { unknown: 1 },
    { target_url: NOWHERE },
    { event: ['create_customer', 'create_invoice', 'create_customer'] },
    { status: 'active' },
    { target_url: '', status: '' },
    { target_url: null, event: null, status: null },
  ])('to %j changes nothing', async (sent) => {
    const before = await made()
    expect(await webhooks.ask('PUT', `/${before.id}`, sent)).toMatchObject({
      status: 200,
      body: before,
    })
  })

  it.each([
    [{ target_url: 'x', event: 'x' }, ['event', 'target_url']],
    [{ event: ['*', 'create_batch'] }, ['event']],
    [{ status: 'deleted' }, ['status']],
  ])('to %j is refused', async (sent, fields) => {
    const before = await made()
    expectRefusal(await webhooks.ask('PUT', `/${before.id}`, sent), 400, 'invalid_request', fields)
    expect((await webhooks.ask('GET', `/${before.id}`)).body).toEqual(before)
  })

  it('to active clears why it was disabled, and since when it had failed', async () => {
    const { id } = await made()
    await disable(id)
    expect((await webhooks.ask('GET', `/${id}`)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    })
    const { body } = await webhooks.ask('PUT', `/${id}`, { status: 'active' })
    expect(body).toMatchObject({ status: 'active', disabled_reason: null })
    expect(await rowOf(id)).toMatchObject({ failing_since: null })
  })

  it('to another address clears the failures at the old one, and to the same does not', async () => {
    const { id } = await made()
    await service.world.db.query('UPDATE webhook SET failing_since = created_at WHERE id = $1', [
      id,
    ])
    await webhooks.ask('PUT', `/${id}`, { target_url: NOWHERE, event: '*' })
    expect((await rowOf(id))?.failing_since).toBeInstanceOf(Date)
    await webhooks.ask('PUT', `/${id}`, { target_url: OTHER })
    expect((await rowOf(id))?.failing_since).toBeNull()
  })

  it('loses none of several simultaneous changes', async () => {
    const { id } = await made()
    const changes = [{ target_url: OTHER }, { event: '*' }, { status: 'disabled' }]
    await using further = await openFurther(service)
    const apps = [service.app, further.app, further.app]
    const answers = await Promise.all(
      apps.map((app, i) => call(app, 'PUT', `/webhook/${id}`, merchant.headers, changes[i])),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await webhooks.ask('GET', `/${id}`)).body).toMatchObject(Object.assign({}, ...changes))
    expect(await rowOf(id)).toMatchObject({ version: 4 })
  })

  it('is not possible after its deletion, and answers its last state', async () => {
    const before = await made()
    expect(await webhooks.ask('DELETE', `/${before.id}`)).toMatchObject({
      status: 200,
      body: before,
    })
    const asked = [
      webhooks.ask('DELETE', `/${before.id}`),
      webhooks.ask('GET', `/${before.id}`),
      webhooks.ask('PUT', `/${before.id}`, { event: '*' }),
      webhooks.ask('GET', `/${before.id}/delivery`),
      webhooks.ask('POST', `/${before.id}/roll-secret`),
      webhooks.ask('POST', `/${before.id}/test`),
      webhooks.ask('POST', `/${before.id}/replay`, { since: new Date() }),
    ]
    for (const answer of await Promise.all(asked)) expectRefusal(answer, 404, 'not_found')
    expect((await webhooks.ask('GET')).body.total).toBe(0)
  })

  it.each([
    [undefined, DAY],
    [{}, DAY],
    [{ expires_in: 0 }, 0],
    [{ expires_in: 90 }, 90_000],
    [{ expires_in: 604_800 }, 7 * DAY],
  ])('rolls its secret with %j, and answers the new one this once', async (sent, overlapMs) => {
    const before = await made()
    const old = await rowOf(before.id)
    const { status, body } = await webhooks.ask('POST', `/${before.id}/roll-secret`, sent)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      updated_at: body.updated_at,
      secret: expect.stringMatching(SECRET),
    })
    expect(body.secret).not.toBe(old?.secret)
    expect(await rowOf(before.id)).toMatchObject({
      secret: body.secret,
      previous_secret: old?.secret,
      previous_secret_until: new Date(Date.parse(body.updated_at) + overlapMs),
    })
    expect((await webhooks.ask('GET', `/${before.id}`)).body).not.toHaveProperty('secret')
  })

  it.each([-1, 604_801, 1.5, '60', true])('does not roll with %j', async (expires_in) => {
    const { id } = await made()
    const answer = await webhooks.ask('POST', `/${id}/roll-secret`, { expires_in })
    expectRefusal(answer, 400, 'invalid_request', ['expires_in'])
  })

  it('leaves one new secret and one old one, when two requests roll at the same moment', async () => {
    const { id } = await made()
    const roll = () => webhooks.ask('POST', `/${id}/roll-secret`)
    const rolled = (await Promise.all([roll(), roll()])).map(({ body }) => body.secret)
    const { secret, previous_secret } = (await rowOf(id)) ?? {}
    expect([previous_secret, secret].sort()).toEqual(rolled.sort())
  })
})
