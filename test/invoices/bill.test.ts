// Other actions of merchants' systems on an invoice: they send its bill, and record a payment by
// hand.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  customerOf,
  invoiceEvents,
  payableInvoice,
  payInvoice,
  paymentUnderWay,
} from '../support/invoices.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { changeCustomer, EMAIL, PHONE } from '../support/receipts.ts'
import { expectRefusal } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { call } from '../support/test-service.ts'

let api: PaymentsApi

beforeAll(async () => {
  api = await openPaymentsApi({ queues: ['charge'], settings: { CHARGE_WAIT_MS: '20s' } })
  await changeCustomer(api, { email: EMAIL, phone: PHONE })
  await setTeam(api.service.world, api.merchant.teamId, ['sms_enabled=true'])
})
afterAll(() => api.service.close())

const post = (id: string, path: string, body: object = {}, key?: string) =>
  call(
    api.service.app,
    'POST',
    `/invoice/${id}/${path}`,
    { ...api.merchant.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body,
  )

const messagesOf = (id: string) =>
  api.service.world.db.query(
    'SELECT channel, recipient FROM delivery WHERE subject_id = $1 ORDER BY id',
    [id],
  )

describe('the bill of an invoice', () => {
  it.each([
    ['email', 'PUT', EMAIL],
    ['email', 'POST', EMAIL],
    ['sms', 'PUT', PHONE],
    ['sms', 'POST', PHONE],
  ] as const)('is sent by %s and %s, and the draft is SENT', async (channel, method, recipient) => {
    const id = await payableInvoice(api)
    const { headers } = api.merchant
    const url = `/invoice/${id}/send/${channel}`
    const { status, body } = await call(api.service.app, method, url, headers)
    const shown = await call(api.service.app, 'GET', `/invoice/${id}`, headers)
    expect([status, body]).toEqual([200, shown.body])
    expect(body).toMatchObject({ status: 'SENT', sent_at: expect.any(String) })
    expect(await messagesOf(id)).toEqual([{ channel, recipient }])
    expect(await invoiceEvents(api.service, id)).toHaveLength(2)
  })

  it('is sent once for a key, again without one, and at most five times a day', async () => {
    const id = await payableInvoice(api)
    const answers = await Promise.all([1, 2, 3].map(() => post(id, 'send/email', {}, id)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'])).toHaveLength(2)
    expect(await messagesOf(id)).toHaveLength(1)
    const crowd = await Promise.all(Array.from({ length: 8 }, () => post(id, 'send/email')))
    expect(crowd.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(await messagesOf(id)).toHaveLength(5)
    const { query } = api.service.world.db
    expectRefusal(await post(id, 'send/email'), 409, 'sent_too_often')
    expect((await post(id, 'send/sms')).status).toBe(200)
    expect((await post(id, 'send/email', {}, id)).text).toBe(answers[0]?.text)
    const aDayAgo = `created_at = created_at - interval '25 hours'`
    await query(`UPDATE delivery SET ${aDayAgo} WHERE subject_id = $1`, [id])
    expect((await post(id, 'send/email')).status).toBe(200)
    // It had been sent before, and its status stays.
    expect(await invoiceEvents(api.service, id)).toHaveLength(2)
  })

  it('is not sent without an address, nor if no amount is due', async () => {
    const { headers } = api.merchant
    const stranger = await call(api.service.app, 'POST', '/customer', headers, { lastname: 'A' })
    const sent = { total: 1, customer_id: stranger.body.id }
    const draft = await call(api.service.app, 'POST', '/invoice', headers, sent)
    expectRefusal(await post(draft.body.id, 'send/email'), 400, 'no_recipient')
    expect((await call(api.service.app, 'GET', `/invoice/${draft.body.id}`, headers)).body).toEqual(
      draft.body,
    )
    const paid = await payableInvoice(api)
    await payInvoice(api, paid)
    expectRefusal(await post(paid, 'send/email'), 409, 'invoice_already_paid')
    const texted = await payableInvoice(api)
    const first = await post(texted, 'send/sms', {}, texted)
    await setTeam(api.service.world, api.merchant.teamId, ['sms_enabled=false'])
    expectRefusal(await post(await payableInvoice(api), 'send/sms'), 403, 'sms_not_enabled')
    expect((await post(texted, 'send/sms', {}, texted)).text).toBe(first.text)
  })
})

describe('an invoice that is paid by hand', () => {
  it.each(['cash', 'check'])('in %s is PAID by a manual transaction, once', async (method) => {
    const id = await payableInvoice(api, { meta: { memo: 'Coffee' } })
    const body = { total: '10.00', message: 'No. 4711' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => post(id, `pay/${method}`, body, id + method)),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({
      type: 'charge',
      status: 'SUCCESS',
      method,
      total: 10,
      message: 'No. 4711',
      is_manual: true,
      invoice_id: id,
      customer_id: await customerOf(api),
      batch_id: null,
      meta: { memo: 'Coffee' },
    })
    const url = `/invoice/${id}`
    const paid = await call(api.service.app, 'GET', url, api.merchant.headers)
    expect(paid.body).toMatchObject({ status: 'PAID', balance_due: 0 })
    const other = await post(id, `pay/${method}`, { message: 'Other' }, id + method)
    expectRefusal(other, 409, 'idempotency_conflict', ['message', 'total'])
    expectRefusal(await post(id, `pay/${method}`), 409, 'invoice_already_paid')
  })

  it('is paid in full, with no other payment, by an active team', async () => {
    const id = await payableInvoice(api)
    const partial = await post(id, 'pay/cash', { total: 5 })
    expectRefusal(partial, 400, 'partial_payment_not_supported', ['total'])
    expectRefusal(await post(id, 'pay/cash', { totl: 10 }), 400, 'unknown_field', ['totl'])
    const begun = await paymentUnderWay(api)
    expectRefusal(await post(begun, 'pay/check'), 409, 'payment_under_way')
    await setTeam(api.service.world, api.merchant.teamId, ['enabled=false'])
    expectRefusal(await post(id, 'pay/cash'), 403, 'team_disabled')
    await setTeam(api.service.world, api.merchant.teamId, ['enabled=true'])
  })
})
