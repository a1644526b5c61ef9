// The refusals of an invoice's payment and deletion, each with a request that causes it.

import { payableInvoice, paymentUnderWay } from './invoices.ts'
import type { PaymentsApi } from './payments-api.ts'
import type { Provocations } from './refused-somewhere.ts'
import { JSON_TYPE } from './requests.ts'
import type { SampleMerchant } from './samples.ts'
import { call, type Merchant } from './test-service.ts'

type Sent = (id: string) => {
  readonly method: string
  readonly url: string
  readonly body: object
}

/** By the route, and by the refusal. */
export function refusedInvoices(
  seller: SampleMerchant,
  live: Merchant,
  plain: PaymentsApi,
): Readonly<Record<string, Provocations>> {
  const { card } = seller
  const pay: Sent = (id) => ({ method: 'POST', url: `/invoice/${id}/pay`, body: {} })
  const remove: Sent = (id) => ({ method: 'DELETE', url: `/invoice/${id}`, body: {} })
  const change: Sent = (id) => ({ method: 'PUT', url: `/invoice/${id}`, body: { total: 2 } })
  const at =
    (path: string, method = 'POST'): Sent =>
    (id) => ({ method, url: `/invoice/${id}/${path}`, body: {} })
  const charge: Sent = (invoice_id) => ({
    method: 'POST',
    url: '/charge',
    body: { total: 1, payment_method_id: card, invoice_id },
  })
  const closed = (sent: Sent): Provocations => ({
    '409 invoice_already_paid': async () => asked(seller.merchant, sent(await paidInvoice(seller))),
    '409 payment_under_way': async () =>
      asked(seller.merchant, sent(await paymentUnderWay(seller))),
  })
  const deleted = (sent: Sent): Provocations => ({
    '409 wrong_state': async () => asked(seller.merchant, sent(await deletedInvoice(seller))),
  })
  const refused = async (body: object) =>
    asked(seller.merchant, { ...pay(await payableInvoice(seller)), body })
  const byHand = (method: string): Provocations => {
    const path = `pay/${method}`
    return {
      ...closed(at(path)),
      ...deleted(at(path)),
      '400 unknown_field': async () =>
        asked(seller.merchant, { ...at(path)(await payableInvoice(seller)), body: { totl: 1 } }),
      '400 partial_payment_not_supported': async () =>
        asked(seller.merchant, { ...at(path)(await payableInvoice(seller)), body: { total: 1.5 } }),
    }
  }
  const sending = (method: 'PUT' | 'POST', channel: string): Provocations => {
    const send = at(`send/${channel}`, method)
    const sms: Provocations = {
      '403 sms_not_enabled': async () => asked(plain.merchant, send(await payableInvoice(plain))),
    }
    return {
      ...closed(send),
      ...deleted(send),
      ...(channel === 'sms' ? sms : {}),
      '400 no_recipient': async () => asked(seller.merchant, send(await ofStranger(seller))),
      '409 sent_too_often': async () => {
        const id = await payableInvoice(seller)
        const { url } = send(id)
        for (let i = 0; i < MOST_SENT; i += 1) {
          await call(seller.service.app, method, url, seller.merchant.headers)
        }
        return asked(seller.merchant, send(id))
      },
    }
  }
  return {
    'POST /invoice/{id}/pay/cash': byHand('cash'),
    'POST /invoice/{id}/pay/check': byHand('check'),
    'PUT /invoice/{id}/send/email': sending('PUT', 'email'),
    'POST /invoice/{id}/send/email': sending('POST', 'email'),
    'PUT /invoice/{id}/send/sms': sending('PUT', 'sms'),
    'POST /invoice/{id}/send/sms': sending('POST', 'sms'),
    'POST /invoice/{id}/pay': {
      ...closed(pay),
      ...deleted(pay),
      '400 unknown_field': () => refused({ aply_balance: 1 }),
      '400 partial_payment_not_supported': () => refused({ apply_balance: 1.5 }),
      '503 no_live_gateway': async () => {
        const invoice = await liveInvoice(seller, live)
        return asked(live, { ...pay(invoice), body: { payment_method_id: card } })
      },
    },
    'PUT /invoice/{id}': { ...closed(change), ...deleted(change) },
    'DELETE /invoice/{id}': closed(remove),
    'POST /charge': { ...closed(charge), ...deleted(charge) },
  }
}

/** So often each invoice and receipt is sent within a day by each channel. */
export const MOST_SENT = 5

/** An invoice for a customer without an address. */
async function ofStranger(seller: SampleMerchant): Promise<string> {
  const body = { total: 1, customer_id: await seller.make.customer() }
  return (await call(seller.service.app, 'POST', '/invoice', seller.merchant.headers, body)).body.id
}

function asked(whose: Merchant, { method, url, body }: ReturnType<Sent>) {
  const headers = { ...whose.headers, ...JSON_TYPE }
  return { method, url, headers, ...(method === 'DELETE' ? {} : { payload: JSON.stringify(body) }) }
}

async function paidInvoice(seller: SampleMerchant): Promise<string> {
  const id = await payableInvoice(seller)
  await call(seller.service.app, 'POST', `/invoice/${id}/pay`, seller.merchant.headers)
  return id
}

async function deletedInvoice(seller: SampleMerchant): Promise<string> {
  const id = await payableInvoice(seller)
  await call(seller.service.app, 'DELETE', `/invoice/${id}`, seller.merchant.headers)
  return id
}

async function liveInvoice({ service }: SampleMerchant, live: Merchant): Promise<string> {
  const customer = await call(service.app, 'POST', '/customer', live.headers, { firstname: 'Ada' })
  const body = { total: 1, customer_id: customer.body.id }
  return (await call(service.app, 'POST', '/invoice', live.headers, body)).body.id
}
