// Payments of invoices with an idempotency key: by /pay, and by a charge that names the invoice.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payableInvoice, payInvoice } from '../support/invoices.ts'
import { expectRefusal } from '../support/requests.ts'
import { call } from '../support/test-service.ts'
import { openTill, type Till } from '../support/till.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

describe('a payment of an invoice', () => {
  let till: Till

  beforeAll(async () => {
    till = await openTill()
  })
  afterAll(() => till.service.close())

  const listed = async (url: string) =>
    (await call(till.service.app, 'GET', url, till.merchant.headers)).body

  const invoice = (id: string) => listed(`/invoice/${id}`)
  const transactionsOf = async (id: string) => (await listed(`/transaction?invoice_id=${id}`)).data

  /** Through either route. */
  const WAYS = [
    ['/pay', (id: string, body: object = {}, headers = {}) => payInvoice(till, id, body, headers)],
    [
      '/charge',
      (invoice_id: string, body: object = {}, headers = {}) =>
        till.charge({ invoice_id, ...body }, headers),
    ],
  ] as const

  describe.each(WAYS)('by %s', (_, pay) => {
    it('with its key is made once, and the answer is repeated', async () => {
      const id = await payableInvoice(till)
      const key = { 'idempotency-key': `once ${id}` }
      const first = await pay(id, {}, key)
      expect(first.headers).not.toHaveProperty('idempotent-replayed')
      const again = await pay(id, {}, key)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect(first.body.idempotency_id).toBe(`once ${id}`)
      const inBody = await pay(id, { idempotency_id: `once ${id}` })
      expect(inBody.text).toBe(first.text)
      expect(await transactionsOf(id)).toHaveLength(1)
    })

    it('with the key of another conflicts', async () => {
      const id = await payableInvoice(till)
      const key = { 'idempotency-key': `conflict ${id}` }
      await pay(await payableInvoice(till), {}, key)
      expectRefusal(await pay(id, {}, key), 409, 'idempotency_conflict', ['invoice_id'])
      expect((await invoice(id)).status).toBe('DRAFT')
    })

    it('that was refused leaves its key free', async () => {
      const id = await payableInvoice(till)
      const key = { 'idempotency-key': `refused ${id}` }
      const refused = await pay(id, { payment_method_id: UNKNOWN }, key)
      expectRefusal(refused, 404, 'not_found', ['payment_method_id'])
      expect((await pay(id, {}, key)).body.status).toBe('SUCCESS')
    })
  })
})
