// Resources that are made with an idempotency key: each is made once, and every repeat gets the
// first answer.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL_LINK } from '../support/links.ts'
import { FULL } from '../support/people.ts'
import { expectRefusal } from '../support/requests.ts'
import { BANK, CARD } from '../support/sandbox-cards.ts'
import { PATH as SCHEDULES } from '../support/schedules.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import { NOWHERE } from '../support/webhooks.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
const LINKS = '/query/payment-links'
const EVENTS = ['create_customer', 'create_invoice']

interface Creation {
  readonly what: string
  readonly url: string
  readonly list?: string
  /** Needs a customer of the merchant. */
  readonly isOfCustomer?: boolean
  readonly sent: object
  /** Other spellings of the same request: fields to add, or to write otherwise. */
  readonly same: object
  /** Another request, and the fields that differ. */
  readonly other: object
  readonly fields: readonly string[]
  /** The faults of two requests that are refused. */
  readonly refused: readonly object[]
}

const UNKNOWN_CUSTOMER = { customer_id: UNKNOWN }

const CREATIONS: readonly Creation[] = [
  {
    what: 'a customer',
    url: '/customer',
    sent: FULL,
    same: { phone: '202-555-0123', unknown: 1 },
    other: { address_1: 'Elsewhere', cc_emails: [], meta: { tier: 'tin' } },
    fields: ['address_1', 'cc_emails', 'meta'],
    refused: [{ email: 'x' }],
  },
  {
    what: 'a customer of few fields',
    url: '/customer',
    sent: { firstname: 'Ada', meta: { n: 0 } },
    same: { company: null, cc_sms: [], meta: { n: 0 } },
    other: { lastname: 'Lovelace' },
    fields: ['lastname'],
    refused: [{ firstname: '' }],
  },
  {
    what: 'a card',
    url: '/payment-method',
    sent: CARD,
    same: { card_number: '4111 1111 1111 1111', nickname: null },
    other: { card_number: '5555555555554444', card_exp: '1140', address_zip: '1' },
    fields: ['address_zip', 'card_exp', 'card_number'],
    refused: [{ card_exp: '0120' }, UNKNOWN_CUSTOMER],
  },
  {
    what: 'a bank account',
    url: '/payment-method',
    sent: BANK,
    same: { bank_name: null },
    other: { bank_account: '1234543210' },
    fields: ['bank_account'],
    refused: [UNKNOWN_CUSTOMER],
  },
  {
    what: 'an invoice',
    url: '/invoice',
    isOfCustomer: true,
    sent: { total: 12.5, due_at: '2026-04-01' },
    same: { total: '12.50', currency: 'USD', due_at: '2026-04-01T00:00:00Z', meta: {} },
    other: { ...UNKNOWN_CUSTOMER, total: 1, payment_method_id: UNKNOWN, due_at: '2026-01-01' },
    fields: ['customer_id', 'due_at', 'payment_method_id', 'total'],
    refused: [UNKNOWN_CUSTOMER],
  },
  {
    what: 'a schedule',
    url: SCHEDULES,
    isOfCustomer: true,
    sent: { total: 12.5, rule: 'FREQ=DAILY', start: '2040-01-01T12:00:00Z' },
    same: { total: '12.50', email_notification: 1, missed_runs: 'all', payment_method_id: null },
    other: { total: 13, rule: 'FREQ=WEEKLY' },
    fields: ['rule', 'total'],
    refused: [{ rule: 'FREQ=NEVER' }, UNKNOWN_CUSTOMER],
  },
  {
    what: 'a transaction by hand',
    url: '/transaction',
    isOfCustomer: true,
    sent: { total: 12.5, type: 'charge', method: 'cash', meta: { a: 1, b: 2 } },
    same: { total: '12.50', meta: { b: 2, a: 1 } },
    other: { total: 13, type: 'credit' },
    fields: ['total', 'type'],
    refused: [{ total: 0 }, UNKNOWN_CUSTOMER],
  },
  {
    what: 'a webhook',
    url: '/webhook',
    sent: { target_url: NOWHERE, event: EVENTS },
    same: { event: [...EVENTS, 'create_invoice'] },
    other: { target_url: `${NOWHERE}/other`, event: 'create_customer' },
    fields: ['event', 'target_url'],
    refused: [{ event: [] }],
  },
  ...['/payment-link', LINKS].map((url) => ({
    what: `a link by ${url}`,
    url,
    list: LINKS,
    sent: FULL_LINK,
    same: { amount: '12.50', active: 0, unknown: 1 },
    other: { amount: 1, link_meta: { memo: 'x' }, active: true },
    fields: ['active', 'amount', 'link_meta'],
    refused: [{ common_name: '' }],
  })),
  ...['/payment-link', LINKS].map((url) => ({
    what: `a link of few fields by ${url}`,
    url,
    list: LINKS,
    sent: { common_name: 'A', link_meta: {} },
    same: { amount: 0, active: '1', meta: {} },
    other: { common_name: 'B' },
    fields: ['common_name'],
    refused: [{ amount: -1 }],
  })),
]

describe.each(CREATIONS)('$what with an idempotency key', (creation) => {
  const { fields, list, other, refused, same, url } = creation
  let service: TestService
  let merchant: Merchant
  let sent: object
  let customer: string

  beforeAll(async () => {
    service = await theService()
    merchant = await service.merchant()
    const ada = { firstname: 'Ada' }
    customer = (await call(service.app, 'POST', '/customer', merchant.headers, ada)).body.id
    sent = { ...creation.sent, ...(creation.isOfCustomer && { customer_id: customer }) }
  })

  const create = (key: string, more: object = {}, path = url) => {
    const headers = { ...merchant.headers, 'idempotency-key': key }
    return call(service.app, 'POST', path, headers, { ...sent, ...more })
  }

  const count = async () =>
    (await call(service.app, 'GET', list ?? url, merchant.headers)).body.total as number

  it('is made once, however the request is written, and its answer is repeated', async () => {
    const before = await count()
    const first = await create('once')
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined])
    const body = { ...sent, idempotency_id: 'once' }
    const own = creation.isOfCustomer && { customer_id: customer.toUpperCase() }
    for (const again of [
      await create('once'),
      await create('once', { ...same, ...own }),
      await call(service.app, 'POST', url, merchant.headers, body),
    ]) {
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['idempotent-replayed']).toBe('true')
    }
    expect(await count()).toBe(before + 1)
    const { id } = first.body.body ?? first.body
    const events = 'SELECT FROM event WHERE resource_id = $1'
    const written = await service.world.db.query(events, [id])
    expect(written).toHaveLength(url === '/webhook' ? 0 : 1)
  })

  it('is made once, however many requests come at the same moment', async () => {
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('at once')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(7)
    expect(await count()).toBe(before + 1)
  })

  it('conflicts with another request, and names the fields that differ', async () => {
    await create('conflict')
    expectRefusal(await create('conflict', other), 409, 'idempotency_conflict', fields)
    const elsewhere = url === '/customer' ? '/payment-link' : '/customer'
    const names = { firstname: 'Ada', common_name: 'A' }
    expectRefusal(await create('conflict', names, elsewhere), 409, 'idempotency_conflict')
  })

  it('leaves the key free after a refusal', async () => {
    for (const fault of refused) {
      expect([400, 404]).toContain((await create('refused', fault)).status)
    }
    const made = await create('refused')
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([200, undefined])
  })
})

let opened: Promise<TestService> | undefined

/** One for the whole file, and a merchant for each resource. */
function theService(): Promise<TestService> {
  opened ??= openTestService({ queues: [], settings: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
  return opened
}

afterAll(async () => (await opened)?.close())
