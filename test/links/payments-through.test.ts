// Charges through a payment link, and the sales that the link is credited with.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { UNKNOWN_LINK } from '../support/links.ts'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call } from '../support/test-service.ts'

describe('a charge through a payment link', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
  })
  afterAll(() => api.service.close())

  const newLink = async (body: object = {}, whose = api) => {
    const sent = { common_name: 'Coffee', amount: 10, ...body }
    const made = await call(
      whose.service.app,
      'POST',
      '/payment-link',
      whose.merchant.headers,
      sent,
    )
    expect(`${made.status} ${made.text}`).toMatch(/^200 /)
    return made.body.id as string
  }

  const linkWith = async (method: 'GET' | 'PUT' | 'DELETE', id: string, body?: object) =>
    call(api.service.app, method, `/query/payment-links/${id}`, api.merchant.headers, body)

  const credited = async (id: string) => {
    const { body } = await linkWith('GET', id)
    return [body.total_sales, body.total_transactions]
  }

  it('is tied to it, and credited to it', async () => {
    const link = await newLink()
    expect(await credited(link)).toEqual([0, 0])
    const { status, body } = await api.charge({ payment_link_id: link })
    expect([status, body.status, body.payment_link_id]).toEqual([200, 'SUCCESS', link])
    expect((await api.get(body.id)).body).toEqual(body)
    expect(await credited(link)).toEqual([10, 1])
    const again = await api.charge({ payment_link_id: link.toUpperCase() })
    expect(again.body.payment_link_id).toBe(link)
    expect(await credited(link)).toEqual([20, 2])
  })

  it.each([
    ['the amount of the link', { amount: 10 }, 10, true],
    ['the same as text', { amount: 10 }, '10.00', true],
    ['less', { amount: 10 }, 9.99, false],
    ['more', { amount: 10 }, 10.01, false],
    ['anything, where it is open', { amount: null }, 3.21, true],
    ['anything, where it is 0', { amount: 0 }, 3.21, true],
    ['anything, where it may be edited', { link_meta: { isTotalEditable: true } }, 3.21, true],
    ['anything, where it may be, as 1', { link_meta: { isTotalEditable: 1 } }, 3.21, true],
    ['less, where it may not be', { link_meta: { isTotalEditable: false } }, 3.21, false],
  ])('can be %s', async (_, link, total, isTaken) => {
    const payment_link_id = await newLink(link)
    const answer = await api.charge({ total, payment_link_id })
    if (isTaken) expect([answer.status, answer.body.total]).toEqual([200, Number(total)])
    else expectRefusal(answer, 400, 'invalid_request', ['total'])
    expect(await credited(payment_link_id)).toEqual(isTaken ? [Number(total), 1] : [0, 0])
  })

  it('uses the link as it is now', async () => {
    const payment_link_id = await newLink()
    await linkWith('PUT', payment_link_id, { amount: 12.5 })
    expectRefusal(await api.charge({ payment_link_id }), 400, 'invalid_request', ['total'])
    expect((await api.charge({ payment_link_id, total: 12.5 })).status).toBe(200)
  })

  it('requires an active link, and an inactive one affects no other charge', async () => {
    const payment_link_id = await newLink()
    const id = await api.paid({ payment_link_id })
    await linkWith('PUT', payment_link_id, { active: false })
    expectRefusal(await api.charge({ payment_link_id }), 409, 'payment_link_inactive')
    expect((await api.get(id)).body.is_voidable).toBe(true)
    expect((await api.ask(id, 'void')).status).toBe(200)
    await linkWith('PUT', payment_link_id, { active: true })
    expect((await api.charge({ payment_link_id })).status).toBe(200)
  })

  it("requires a link of the account: another's is as unknown as one that does not exist", async () => {
    const other = await newPaymentsApi(api.service)
    const foreign = await api.charge({ payment_link_id: await newLink({}, other) })
    expectRefusal(foreign, 404, 'not_found', ['payment_link_id'])
    const unknown = await api.charge({ payment_link_id: UNKNOWN_LINK })
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
  })

  it('that was declined is tied to it, and adds nothing to its sales', async () => {
    const payment_link_id = await newLink()
    const payment_method_id = await api.service.card(api.merchant, DECLINED_CARD)
    const { status, body } = await api.charge({ payment_link_id, payment_method_id })
    expect([status, body.status, body.payment_link_id]).toEqual([400, 'FAILED', payment_link_id])
    expect(await credited(payment_link_id)).toEqual([0, 0])
  })

  it('adds nothing while it is only authorised, and the captured amount later', async () => {
    const payment_link_id = await newLink()
    const id = await api.authorised({ payment_link_id })
    expect(await credited(payment_link_id)).toEqual([0, 0])
    const { body } = await api.ask(id, 'capture', { total: 4 })
    expect(body.child_captures).toMatchObject([{ total: 4, payment_link_id }])
    expect(await credited(payment_link_id)).toEqual([4, 1])
  })

  it('of 763.64 is credited when it is decided', async () => {
    const payment_link_id = await newLink({ amount: 763.64 })
    const { body } = await api.charge({ payment_link_id, total: 763.64 })
    expect(body.status).toBe('SUCCESS')
    expect(await credited(payment_link_id)).toEqual([763.64, 1])
  })

  it('is credited thirty times for thirty simultaneous charges', async () => {
    const payment_link_id = await newLink({ amount: null })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => api.charge({ payment_link_id, total: `${i + 1}.01` })),
    )
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['SUCCESS']))
    expect(await credited(payment_link_id)).toEqual([465.3, 30])
  })

  it('is credited once, however often it is repeated with its key', async () => {
    const payment_link_id = await newLink()
    const key = { 'idempotency-key': 'coffee' }
    const asked = Array.from({ length: 10 }, () => api.charge({ payment_link_id }, key))
    expect(new Set((await Promise.all(asked)).map(({ text }) => text)).size).toBe(1)
    expect(await credited(payment_link_id)).toEqual([10, 1])
    const elsewhere = await api.charge({ payment_link_id: await newLink() }, key)
    expectRefusal(elsewhere, 409, 'idempotency_conflict', ['payment_link_id'])
  })

  it('leaves a ledger that agrees with itself and with the gateway’s', async () => {
    expect(await audit(api.service.databaseUrl, [])).toEqual([])
  })
})
