import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import type { Answer, Merchant, TestService } from '../support/test-service.ts'
import { NOWHERE, openWebhookService, type TestWebhooks, webhooksOf } from '../support/webhooks.ts'

/** Named by the ends of their addresses, the oldest first. */
const WEBHOOKS = [
  { name: 'a', event: '*' },
  { name: 'b', event: 'create_customer' },
  { name: 'c', event: ['create_customer', 'create_invoice'] },
  { name: 'd', event: 'create_batch', status: 'disabled' },
  { name: 'gone', event: '*' },
]

const LONG = { timeout: 60_000 }
const START_MS = 120_000

describe('the list of webhooks', LONG, () => {
  let service: TestService
  let merchant: Merchant
  let webhooks: TestWebhooks

  beforeAll(async () => {
    service = await openWebhookService()
    merchant = await service.merchant()
    webhooks = webhooksOf(service, merchant)
    for (const { name, event, status } of WEBHOOKS) {
      const { id } = await webhooks.made({ target_url: `${NOWHERE}/${name}`, event })
      if (status !== undefined) await webhooks.ask('PUT', `/${id}`, { status })
      if (name === 'gone') await webhooks.ask('DELETE', `/${id}`)
    }
    await service.world.db.query(
      `UPDATE webhook SET created_at = timestamptz '2026-01-01' + interval '1 day' * ascii(right(target_url, 1)),
         updated_at = timestamptz '2026-01-01' - interval '1 day' * ascii(right(target_url, 1))`,
    )
  }, START_MS)
  afterAll(() => service.close())

  const namesOf = ({ body }: Answer): string =>
    body.data.map((one: { target_url: string }) => one.target_url.split('/').at(-1)).join(' ')

  it('begins with the newest, without deleted ones', async () => {
    const answer = await webhooks.ask('GET')
    expect([answer.status, namesOf(answer)]).toEqual([200, 'd c b a'])
    const [first] = answer.body.data
    expect((await webhooks.ask('GET', `/${first.id}`)).body).toEqual(first)
  })

  it.each([
    ['status=active', 'c b a'],
    ['status=disabled', 'd'],
    ['event=create_customer', 'c b a'],
    ['event=create_invoice', 'c a'],
    ['event=create_batch', 'd a'],
    ['event=create_batch&status=active', 'a'],
    ['event=*', 'a'],
    ['order=asc', 'a b c d'],
    ['sort=updated_at', 'a b c d'],
    ['sort=updated_at&order=asc', 'd c b a'],
    ['limit=2&page=2', 'b a'],
  ])('is filtered by %s', async (query, names) => {
    expect(namesOf(await webhooks.ask('GET', `?${query}`))).toBe(names)
  })

  it.each([
    ['status=deleted', ['status']],
    ['event=x', ['event']],
    ['event=webhook_test', ['event']],
    ['sort=target_url', ['sort']],
    ['target_url=x', ['target_url']],
  ])('is not filtered by %s', async (query, fields) => {
    expectRefusal(await webhooks.ask('GET', `?${query}`), 400, 'invalid_request', fields)
  })
})
