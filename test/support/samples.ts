// An acceptable request for each operation of the document: its own examples, with ids of existing
// resources.

import { MINUTE } from '../../src/core/time-units.ts'
import { takeIntoBatch } from './batch.ts'
import { insertBatch } from './batch-rows.ts'
import { insertDispute, insertReversal } from './disputes.ts'
import type { Named } from './document.ts'
import { payableInvoice } from './invoices.ts'
import { type PaymentsApi, paymentsApiOf } from './payments-api.ts'
import { changeCustomer, EMAIL, PHONE } from './receipts.ts'
import { setTeam } from './set-team.ts'
import { call, type Merchant, openTestService, type TestService } from './test-service.ts'
import { NOWHERE } from './webhooks.ts'

export interface Sample {
  /** The merchant whose request is accepted. */
  readonly whose: Merchant
  readonly url: string
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** A merchant with every feature, and the resources that requests need. */
export interface SampleMerchant extends PaymentsApi {
  /** Makes a new resource each time, by the kind that an id may name. */
  readonly make: Readonly<Record<Thing, () => Promise<string>>>
  sampleOf(named: Named): Promise<Sample>
}

type Thing =
  | 'customer'
  | 'card'
  | 'link'
  | 'charge'
  | 'batch'
  | 'batched'
  | 'deposit'
  | 'dispute'
  | 'reversal'
  | 'refund'
  | 'authorised'
  | 'manual'
  | 'invoice'
  | 'item'
  | 'schedule'
  | 'webhook'

const ALL_FLAGS = [
  'sms_enabled=true',
  'split_funding_enabled=true',
  'settlement_tokenization_enabled=true',
]

/** The kind of the id in a path, by the beginning of the route; the first match counts. */
const IN_PATHS: readonly (readonly [start: string, thing: Thing])[] = [
  ['PUT /transaction/{id}', 'manual'],
  ['POST /transaction/{id}/refund', 'batched'],
  ['POST /transaction/{id}/capture', 'authorised'],
  ['POST /transaction/{id}/void-or-refund', 'batched'],
  [' /transaction/{id}', 'charge'],
  [' /invoice/schedule/{id}', 'schedule'],
  [' /invoice/{id}', 'invoice'],
  [' /item/{id}', 'item'],
  [' /webhook/{id}', 'webhook'],
  [' /batch/{id}', 'batch'],
  [' /sandbox/transaction/{id}/dispute', 'charge'],
  [' /sandbox/transaction/{id}/reversal', 'refund'],
  [' /dispute/{id}', 'dispute'],
  [' /reversal/{id}', 'reversal'],
  [' /customer/{id}', 'customer'],
  [' /payment-method/{id}', 'card'],
  [' /query/payment-links/{id}', 'link'],
  [' /pay/{id}', 'link'],
]

/** These run as a new merchant: they move all data of an account to another time. */
const ALONE = ['POST /sandbox/clock', 'DELETE /sandbox/clock']

/** Its query names the resource. */
const DETAIL = '/query/depositDetail'

/** An account may have eight more, which simultaneous samples add. */
const MANY_WEBHOOKS = 12

const IN_FIELDS: Readonly<Record<string, Thing>> = {
  customer_id: 'customer',
  payment_method_id: 'card',
  payment_link_id: 'link',
}

/** Values that an example cannot have: recent instants, and an address where nothing listens. */
const instead = (): Readonly<Record<string, string>> => ({
  since: new Date(Date.now() - MINUTE).toISOString(),
  target_url: NOWHERE,
})

export async function openSampleMerchant(): Promise<SampleMerchant> {
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  // Nothing here waits for a sweep, and each takes 50 ms of CPU.
  const timings = { sweepEveryMs: MINUTE }
  const service = await openTestService({ backend: 'postgres', settings, timings })
  await service.app.ready()
  return sampleMerchantOf(service, await service.merchant())
}

export async function sampleMerchantOf(
  service: TestService,
  merchant: Merchant,
): Promise<SampleMerchant> {
  await setTeam(service.world, merchant.teamId, ALL_FLAGS)
  const api = paymentsApiOf(service, merchant, await service.card(merchant))
  await changeCustomer(api, { email: EMAIL, phone: PHONE })
  const make = makers(api)
  const idFor = (thing: Thing | undefined) => (thing === undefined ? undefined : make[thing]())

  async function withIds(example: Readonly<Record<string, unknown>>, about: Thing | undefined) {
    const own: Record<string, string | undefined> = {}
    for (const name of Object.keys(example)) {
      const one = instead()[name] ?? (await idFor(IN_FIELDS[name]))
      if (one !== undefined) own[name] = one
    }
    // An invoice is paid with a card of its own customer.
    const card = about === 'invoice' && 'payment_method_id' in own ? api.card : undefined
    return { ...example, ...own, ...(card === undefined ? {} : { payment_method_id: card }) }
  }

  return {
    ...api,
    make,
    async sampleOf({ route, path, operation }) {
      const [, thing] = IN_PATHS.find(([start]) => route.includes(start)) ?? []
      const named = path.replace('{id}', (await idFor(thing)) ?? '{id}')
      const url = path === DETAIL ? `${DETAIL}?batch_id=${await make.deposit()}` : named
      const example = operation.requestBody?.content['application/json']?.example
      const whose = ALONE.includes(route) ? await service.merchant() : merchant
      const body = example === undefined ? undefined : await withIds(example, thing)
      return { whose, url, body }
    },
  }
}

function makers(api: PaymentsApi): SampleMerchant['make'] {
  const { service, merchant, paid } = api
  const post = async (url: string, body: object): Promise<string> => {
    const made = await call(service.app, 'POST', url, merchant.headers, body)
    if (made.status !== 200) throw new Error(`${url}: ${made.text}`)
    return made.body.id
  }
  const customer = () => post('/customer', { firstname: 'Ada' })
  let deposit: Promise<string> | undefined
  return {
    customer,
    card: () => service.card(merchant),
    link: () => post('/payment-link', { common_name: 'Coffee' }),
    charge: () => paid(),
    async batched() {
      const id = await paid()
      await takeIntoBatch(service, [id])
      return id
    },
    deposit() {
      // An account has one batch a day.
      deposit ??= insertBatch(service, merchant)
      return deposit
    },
    async batch() {
      await paid()
      const { body } = await call(service.app, 'GET', '/batch?status=open', merchant.headers)
      return body.data[0].id
    },
    async refund() {
      const id = await paid()
      await takeIntoBatch(service, [id])
      await post(`/transaction/${id}/refund`, { total: 0.5 })
      const { body } = await call(service.app, 'GET', `/transaction/${id}`, merchant.headers)
      return body.child_transactions[0].id
    },
    dispute: async () => insertDispute(service.world, await paid()),
    reversal: async () => insertReversal(service.world, await paid()),
    authorised: () => api.authorised(),
    invoice: () => payableInvoice(api),
    item: () => post('/item', { item: 'Coffee' }),
    schedule: async () =>
      post('/invoice/schedule', {
        total: 1,
        rule: 'FREQ=MONTHLY',
        customer_id: await customer(),
      }),
    async webhook() {
      const { body } = await call(service.app, 'GET', '/webhook?order=asc', merchant.headers)
      const surplus = Math.max(0, body.total - MANY_WEBHOOKS + 1)
      for (const { id } of body.data.slice(0, surplus)) {
        await call(service.app, 'DELETE', `/webhook/${id}`, merchant.headers)
      }
      return post('/webhook', { target_url: NOWHERE, event: 'create_deposit' })
    },
    manual: async () =>
      post('/transaction', {
        total: 1,
        type: 'charge',
        method: 'cash',
        customer_id: await customer(),
      }),
  }
}
