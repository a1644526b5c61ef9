// The refusals of only some operations, each with a request that causes it.

import { paymentsApiOf } from './payments-api.ts'
import type { Provoke, Provoking } from './refused-anywhere.ts'
import { deleteLink, refusedFollowUps } from './refused-follow-ups.ts'
import { refusedInvoices } from './refused-invoices.ts'
import { refusedReceipts } from './refused-receipts.ts'
import { refusedWebhooks } from './refused-webhooks.ts'
import { JSON_TYPE } from './requests.ts'
import type { SampleMerchant } from './samples.ts'
import { call, type Merchant } from './test-service.ts'

export type Provocations = Readonly<Record<string, Provoke>>

/** By the route, and by the refusal. */
export async function refusedSomewhere(
  seller: SampleMerchant,
): Promise<Readonly<Record<string, Provocations>>> {
  const { service, merchant } = seller
  const live = await service.merchant('live')
  const plain = await service.merchant()
  const plainApi = paymentsApiOf(service, plain, await service.card(plain))
  const post = (url: string, body: object, whose: Merchant = merchant): Provoking => ({
    method: 'POST',
    url,
    headers: { ...whose.headers, ...JSON_TYPE },
    payload: JSON.stringify(body),
  })
  const charge = (more: object, whose?: Merchant) =>
    post('/charge', { total: 1, payment_method_id: seller.card, ...more }, whose)
  const invoices = refusedInvoices(seller, live, plainApi)
  const taken = { common_name: 'Tea', link_meta: {}, idempotency_id: 'taken' }

  return {
    ...invoices,
    'POST /charge': {
      ...invoices['POST /charge'],
      '403 split_funding_not_enabled': async () =>
        charge({ funding: [{ account_id: 'a', amount: 1 }] }, plain),
      '409 payment_link_inactive': async () => {
        const link = await seller.make.link()
        const headers = merchant.headers
        await call(service.app, 'PUT', `/query/payment-links/${link}`, headers, { active: false })
        return charge({ payment_link_id: link })
      },
      '409 payment_link_deleted': async () => {
        const link = await seller.make.link()
        await deleteLink(seller, link)
        return charge({ payment_link_id: link })
      },
      '503 no_live_gateway': async () => charge({}, live),
    },
    'POST /payment-method': {
      '503 no_live_gateway': async () => post('/payment-method', tokenOnly, live),
    },
    'PUT /payment-method/{id}': {
      '409 in_use': () => ofBuiltIn(seller, 'PUT'),
    },
    'DELETE /payment-method/{id}': { '409 in_use': () => ofBuiltIn(seller, 'DELETE') },
    'DELETE /customer/{id}': { '409 in_use': () => ofBilled(seller) },
    'POST /invoice/schedule': {
      ...invoices['POST /invoice/schedule'],
      '400 rule_too_complex': async () =>
        post('/invoice/schedule', { ...COSTLY, total: 1, customer_id: NOBODY }),
    },
    'PUT /invoice/schedule/{id}': {
      '400 rule_too_complex': async () => ({
        ...post(`/invoice/schedule/${await seller.make.schedule()}`, COSTLY),
        method: 'PUT',
      }),
      '409 wrong_state': () => ofDeletedSchedule(seller),
    },
    'POST /query/payment-links': {
      '400 unknown_field': async () => post('/query/payment-links', { actve: true }),
      '409 idempotency_conflict': async () => post('/query/payment-links', taken),
    },
    'PUT /transaction/{id}': {
      '409 transaction_immutable': async () => ({
        ...post(`/transaction/${await seller.make.charge()}`, { message: 'changed' }),
        method: 'PUT',
      }),
    },
    'POST /sandbox/transaction/{id}/dispute': {
      '403 sandbox_only': async () => post(trialOf(UNKNOWN, 'dispute'), {}, live),
      '409 wrong_state': async () => post(trialOf(await seller.make.refund(), 'dispute'), {}),
    },
    'POST /sandbox/transaction/{id}/reversal': {
      '403 sandbox_only': async () => post(trialOf(UNKNOWN, 'reversal'), {}, live),
      '409 wrong_state': async () => post(trialOf(await seller.make.charge(), 'reversal'), {}),
    },
    'GET /sandbox/clock': {
      '403 sandbox_only': async () => ({ url: CLOCK, headers: live.headers }),
    },
    'POST /sandbox/clock': {
      '403 sandbox_only': async () => post(CLOCK, { now: LONG_AGO }, live),
      '409 clock_backwards': async () => {
        await seller.make.charge()
        return post(CLOCK, { now: LONG_AGO })
      },
      '400 clock_advance_too_large': async () => ({
        ...post(CLOCK, { now: '2010-01-01' }, await withManyRuns(seller)),
      }),
    },
    'DELETE /sandbox/clock': {
      '403 sandbox_only': async () => ({ method: 'DELETE', url: CLOCK, headers: live.headers }),
      '409 clock_ahead': () => ofClockAhead(seller),
      '400 clock_advance_too_large': async () => ({
        method: 'DELETE',
        url: CLOCK,
        headers: (await withManyRuns(seller)).headers,
      }),
    },
    'GET /transaction/{id}/funding': {
      '403 split_funding_not_enabled': async () => ({
        url: `/transaction/${await seller.make.charge()}/funding`,
        headers: plain.headers,
      }),
    },
    ...refusedWebhooks(seller),
    ...refusedFollowUps(seller, plainApi),
    ...refusedReceipts(seller, plainApi),
  }
}

const tokenOnly = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_1' }

const COSTLY = { rule: 'FREQ=DAILY;COUNT=10001' }
const NOBODY = '01941f29-7c00-7000-8000-000000000001'

const CLOCK = '/sandbox/clock'
const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
const trialOf = (id: string, what: string) => `/sandbox/transaction/${id}/${what}`
const LONG_AGO = '2001-01-01'

/** Its clock is of long ago, with four runs an hour since. */
async function withManyRuns({ service }: SampleMerchant): Promise<Merchant> {
  const early = await service.merchant()
  await call(service.app, 'POST', CLOCK, early.headers, { now: LONG_AGO })
  const made = await call(service.app, 'POST', '/customer', early.headers, { firstname: 'Ada' })
  const rule = 'FREQ=MINUTELY;INTERVAL=15'
  const body = { total: 1, rule, customer_id: made.body.id }
  await call(service.app, 'POST', '/invoice/schedule', early.headers, body)
  return early
}

/** The charge waits for its batch, and that for its deposit. */
async function ofClockAhead({ service }: SampleMerchant): Promise<Provoking> {
  const early = await service.merchant()
  const { paid } = paymentsApiOf(service, early, await service.card(early))
  await call(service.app, 'POST', CLOCK, early.headers, { now: '2090-01-01' })
  await paid()
  return { method: 'DELETE', url: CLOCK, headers: early.headers }
}

/** A customer with an active schedule is not deleted. */
async function ofBilled({ service, merchant, make }: SampleMerchant): Promise<Provoking> {
  const url = `/invoice/schedule/${await make.schedule()}`
  const { body } = await call(service.app, 'GET', url, merchant.headers)
  return { method: 'DELETE', url: `/customer/${body.customer_id}`, headers: merchant.headers }
}

async function ofDeletedSchedule({ service, merchant, make }: SampleMerchant): Promise<Provoking> {
  const url = `/invoice/schedule/${await make.schedule()}`
  await call(service.app, 'DELETE', url, merchant.headers)
  return { method: 'PUT', url, headers: { ...merchant.headers, ...JSON_TYPE }, payload: '{}' }
}

/** The payment method of cash payments cannot be changed. */
async function ofBuiltIn(
  { service, merchant, make }: SampleMerchant,
  method: string,
): Promise<Provoking> {
  const url = `/transaction/${await make.manual()}`
  const { body } = await call(service.app, 'GET', url, merchant.headers)
  const headers = { ...merchant.headers, ...JSON_TYPE }
  return { method, url: `/payment-method/${body.payment_method_id}`, headers, payload: '{}' }
}
