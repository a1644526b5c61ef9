// A form that two operators, or two clicks of one, send at the same moment: it does its work once,
// and the audit log has it once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignedIn, sendForm, signIn } from '../support/operator.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import { NOWHERE, openWebhookService, webhooksOf } from '../support/webhooks.ts'

const AT_ONCE = 4

let service: TestService
let ada: SignedIn
let merchant: Merchant

beforeAll(async () => {
  service = await openWebhookService({ queues: [] })
  ada = await signIn(service.world)
  merchant = await service.merchant()
})
afterAll(() => service.close())

async function made(path: string, body: object): Promise<string> {
  const answer = await call(service.app, 'POST', path, merchant.headers, body)
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  return answer.body.id
}

const ofCustomer = async (body: object) => ({
  customer_id: await made('/customer', { firstname: 'Grace' }),
  total: 12.5,
  ...body,
})

const MAKERS = {
  links: () => made('/payment-link', { common_name: 'Coffee' }),
  endpoints: async () => (await webhooksOf(service, merchant).made({ target_url: NOWHERE })).id,
  schedules: async () => made('/invoice/schedule', await ofCustomer({ rule: 'FREQ=MONTHLY' })),
  invoices: async () => made('/invoice', await ofCustomer({})),
}

async function auditOf(id: string): Promise<readonly unknown[]> {
  const text = 'SELECT deed AS action FROM deed WHERE subject = $1 ORDER BY id'
  return (await service.world.db.query(text, [id])).map(({ action }) => action)
}

describe('forms that are sent at once', () => {
  it.each([
    ['links', 'payment link', { deactivate: 'deactivated', activate: 'activated' }],
    ['links', 'payment link', { delete: 'deleted' }],
    ['endpoints', 'endpoint', { pause: 'paused', resume: 'resumed' }],
    ['endpoints', 'endpoint', { disable: 'disabled', enable: 'enabled' }],
    ['schedules', 'schedule', { pause: 'paused', resume: 'resumed', delete: 'deleted' }],
    ['invoices', 'invoice', { delete: 'deleted' }],
  ] as const)('act on %s once, with one audit entry: %s %o', async (place, what, actions) => {
    const id = await MAKERS[place]()
    const path = `/admin/${place}/${merchant.accountId}/${id}`
    for (const action of Object.keys(actions)) {
      const send = () => sendForm(service.app, `${path}/${action}`, ada)
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, send))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(AT_ONCE).fill(303))
    }
    expect(await auditOf(id)).toEqual(Object.values(actions).map((done) => `${what} ${done}`))
  })
})
