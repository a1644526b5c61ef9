import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_NAMES } from '../../src/events/event-names.ts'
import { answerCheck, documentOf } from '../support/document.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import {
  NOWHERE,
  openWebhookService,
  SECRET,
  type TestWebhooks,
  UNKNOWN_WEBHOOK,
  webhooksOf,
} from '../support/webhooks.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const MOST = 20

const LONG = { timeout: 60_000 }
const START_MS = 120_000

describe('a webhook', LONG, () => {
  let service: TestService
  let merchant: Merchant
  let webhooks: TestWebhooks

  beforeAll(async () => {
    service = await openWebhookService()
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
  }, START_MS)
  afterAll(() => service.close())

  const create = (body: object, headers = {}) => webhooks.ask('POST', '', body, headers)

  /** For tests that make many webhooks: those of a new merchant. */
  const newTestWebhooks = async () => webhooksOf(service, await service.merchant())

  it('is answered with all fields that were sent, and with its secret this once', async () => {
    const { status, body } = await create({ target_url: NOWHERE, event: 'create_customer' })
    expect(status).toBe(200)
    const { secret, ...shown } = body
    expect(secret).toMatch(SECRET)
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      target_url: NOWHERE,
      event: 'create_customer',
      status: 'active',
      disabled_reason: null,
      paused_at: null,
      replaying: false,
      created_at: expect.stringMatching(TIME),
      updated_at: body.created_at,
    })
    expect((await webhooks.ask('GET', `/${body.id}`)).body).toEqual(shown)
    expect((await webhooks.ask('GET', `/${body.id.toUpperCase()}`)).body).toEqual(shown)
  })

  it('has a secret of its own', async () => {
    const { made } = await newTestWebhooks()
    const secrets = await Promise.all(Array.from({ length: 5 }, async () => (await made()).secret))
    expect(new Set(secrets).size).toBe(5)
  })

  it.each([
    ['*', '*'],
    [['*'], '*'],
    [['*', '*'], '*'],
    ['create_customer', 'create_customer'],
    [['create_customer'], 'create_customer'],
    [
      ['update_customer', 'create_customer', 'update_customer'],
      ['update_customer', 'create_customer'],
    ],
    [[...EVENT_NAMES], [...EVENT_NAMES]],
  ])('for %j is answered with %j', async (event, shown) => {
    const { made, ask } = await newTestWebhooks()
    const { id, event: answered } = await made({ event })
    expect(answered).toEqual(shown)
    expect((await ask('GET', `/${id}`)).body.event).toEqual(shown)
  })

  it.each([
    'http://127.0.0.1:8080/a?b=c&d=%20',
    'HTTPS://Example.COM',
    'https://[::1]/hook',
    'https://127.0.0.1/é?ß=🕯',
    `https://127.0.0.1/${'x'.repeat(2_048 - 18)}`,
  ])('can have the address %s', async (target_url) => {
    const { ask } = await newTestWebhooks()
    const answer = await ask('POST', '', { target_url, event: '*' })
    expect([answer.status, answer.body.target_url]).toEqual([200, target_url])
    answerCheck(documentOf(service.app))('POST', '/webhook', answer)
  })

  const TARGET = { target_url: NOWHERE }
  it.each([
    [{}, ['event', 'target_url']],
    [{ ...TARGET, event: [] }, ['event']],
    [{ ...TARGET, event: null }, ['event']],
    [{ ...TARGET, event: 5 }, ['event']],
    [{ ...TARGET, event: '' }, ['event']],
    [{ ...TARGET, event: 'create_nothing' }, ['event']],
    [{ ...TARGET, event: 'CREATE_CUSTOMER' }, ['event']],
    [{ ...TARGET, event: 'webhook_test' }, ['event']],
    [{ ...TARGET, event: ['create_customer', 'x', 'y'] }, ['event.1', 'event.2']],
    [{ ...TARGET, event: ['create_customer', 7] }, ['event.1']],
    [{ ...TARGET, event: ['*', 'create_customer'] }, ['event']],
    [{ ...TARGET, event: Array(101).fill('create_customer') }, ['event']],
    [{ event: '*', target_url: '' }, ['target_url']],
    [{ event: '*', target_url: null }, ['target_url']],
    [{ event: '*', target_url: 'example.com/hook' }, ['target_url']],
    [{ event: '*', target_url: '/hook' }, ['target_url']],
    [{ event: '*', target_url: 'ftp://example.com' }, ['target_url']],
    [{ event: '*', target_url: 'javascript:alert(1)' }, ['target_url']],
    [{ event: '*', target_url: 'https://' }, ['target_url']],
    [{ event: '*', target_url: 'https://a b' }, ['target_url']],
    [{ event: '*', target_url: 'https://127.0.0.1/\u0000' }, ['target_url']],
    [{ event: '*', target_url: 'https://127.0.0.1/\r\nHost: x' }, ['target_url']],
    [{ event: '*', target_url: 'https://ada:pass@127.0.0.1/' }, ['target_url']],
    [{ event: '*', target_url: 'https://ada@127.0.0.1/' }, ['target_url']],
    [{ event: '*', target_url: 'https://127.0.0.1/#part' }, ['target_url']],
    [{ event: '*', target_url: 'https://127.0.0.1:99999/' }, ['target_url']],
    [{ event: '*', target_url: `https://127.0.0.1/${'x'.repeat(2_048)}` }, ['target_url']],
    [{ event: 'x', target_url: 'y' }, ['event', 'target_url']],
  ])('is refused as %j, and every faulty field is named', async (body, fields) => {
    expectRefusal(await create(body), 400, 'invalid_request', fields)
  })

  it('has public addresses only, if the operator allows no others', async () => {
    await using strict = await openTestService({ queues: [] })
    const { ask, made } = webhooksOf(strict, await strict.merchant())
    const inside = [
      'http://example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://10.0.0.1/',
    ]
    for (const target_url of inside) {
      const answer = await ask('POST', '', { target_url, event: '*' })
      expectRefusal(answer, 400, 'invalid_request', ['target_url'])
    }
    const { id } = await made({ target_url: 'https://1.1.1.1/' })
    const moved = await ask('PUT', `/${id}`, { target_url: 'https://127.0.0.1/' })
    expectRefusal(moved, 400, 'invalid_request', ['target_url'])
    expect((await ask('GET', `/${id}`)).body.target_url).toBe('https://1.1.1.1/')
  })

  it('is one of twenty at most, however many requests come at the same moment', async () => {
    const { ask, made } = await newTestWebhooks()
    const sent = { target_url: NOWHERE, event: '*' }
    const answers = await Promise.all(Array.from({ length: MOST + 5 }, () => ask('POST', '', sent)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    for (const answer of refused) expectRefusal(answer, 409, 'too_many_webhooks')
    const { body } = await ask('GET')
    expect(body.total).toBe(MOST)
    await ask('DELETE', `/${body.data[0].id}`)
    expect(await made()).toMatchObject({ status: 'active' })
  })

  it("answers another account's id exactly like an unknown one", async () => {
    const { id, secret: _, ...shown } = await webhooks.made()
    const stranger = await service.merchant()
    const headers = { ...stranger.headers, 'x-request-id': 'same' }
    for (const [method, path, sent] of [
      ['GET', ''],
      ['PUT', '', { event: 'create_batch' }],
      ['DELETE', ''],
      ['GET', '/delivery'],
      ['POST', '/roll-secret', {}],
      ['POST', '/test'],
      ['POST', '/replay', { since: new Date() }],
    ] as const) {
      const ask = (one: string) =>
        call(service.app, method, `/webhook/${one}${path}`, headers, sent)
      const foreign = await ask(id)
      expectRefusal(foreign, 404, 'not_found')
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(await ask(UNKNOWN_WEBHOOK)))
    }
    expect((await webhooks.ask('GET', `/${id}`)).body).toEqual({ id, ...shown })
  })

  it.each(['x', '1', 'g1941f29-7c00-7000-8000-000000000001'])(
    'has no id such as %s',
    async (id) => {
      expectRefusal(await webhooks.ask('GET', `/${id}`), 400, 'invalid_id', ['id'])
    },
  )
})
