// tenantcloud/php-stax-client. Taken from it: its resources' paths and methods, its curl client (a
// query for GET and DELETE, and for POST and PUT json_encode, which prints an empty array as `[]`),
// and the typed properties of its paginator.

import { expect, it } from 'vitest'
import { type DialectMerchant, expectTypes } from './dialect-merchant.ts'

const PAGINATOR = {
  data: 'list',
  total: 'integer',
  per_page: 'integer',
  current_page: 'integer',
  last_page: 'integer',
  next_page_url: 'text',
  prev_page_url: 'text',
  from: 'integer',
  to: 'integer',
} as const

export function phpClient(merchant: () => DialectMerchant): void {
  it('pages through transactions by filters', async () => {
    const { json, customer, charged } = merchant()
    const { id } = await charged()
    const { body } = await json('GET', `/transaction?customer_id=${customer}&type=charge&limit=1`)
    expectTypes(body, PAGINATOR)
    expect(body.data[0]).toMatchObject({ id, type: 'charge', customer_id: customer })
    const next = await json('GET', new URL(body.next_page_url).pathname + searchOf(body))
    expect(next.body).toMatchObject({ current_page: 2, total: body.total })
  })

  it('writes a type with a blank, lists of keywords, and the order in its own way', async () => {
    const { json, customer, charged } = merchant()
    const held = await charged({ pre_auth: true })
    const filters = `customer_id=${customer}&type=pre+auth&order=DSC&keywords[0]=Ada`
    const { status, body } = await json('GET', `/transaction?${filters}`)
    expect([status, body.data[0].id]).toEqual([200, held.id])
    const all = await json('GET', '/transaction?allTransactionsTopLevel=true&per_page=200')
    expect(all.body.data.some(({ type }: { type: string }) => type === 'void')).toBe(true)
  })

  it('charges, captures a part, and asks for a receipt with copies', async () => {
    const { json, charged } = merchant()
    const held = await charged({ pre_auth: true })
    const captured = await json('POST', `/transaction/${held.id}/capture`, { total: 4 })
    expect(captured.body.child_captures).toMatchObject([{ type: 'capture', total: 4 }])
    const sent = { ccEmails: ['copy@example.com'] }
    const { status, body } = await json('POST', `/transaction/${held.id}/receipt/email`, sent)
    expect(status).toBe(200)
    expectTypes(body, { receipt_email_at: 'time' })
    expect(body.receipt_email_at).not.toBeNull()
  })

  it('voids, or voids or refunds, whole amounts', async () => {
    const { json, charged } = merchant()
    for (const [operation, sent] of [
      ['void', { total: 10 }],
      ['void', []],
      ['void-or-refund', []],
    ] as const) {
      const { id } = await charged()
      const { status, body } = await json('POST', `/transaction/${id}/${operation}`, sent)
      expect([status, body.is_voided, body.child_transactions.length]).toEqual([200, true, 1])
    }
  })

  it('changes and deletes a payment method', async () => {
    const { json, customer } = merchant()
    const card = { method: 'card', person_name: 'Ada Lovelace', card_number: '5555555555554444' }
    const sent = { ...card, card_exp: '0539', customer_id: customer }
    const { body: made } = await json('POST', '/payment-method', sent)
    expect(made.card_exp).toBe('052039')
    const changed = await json('PUT', `/payment-method/${made.id}`, { nickname: 'Work' })
    expect([changed.status, changed.body.nickname]).toEqual([200, 'Work'])
    expect((await json('DELETE', `/payment-method/${made.id}`)).status).toBe(200)
    expect((await json('GET', `/payment-method/${made.id}`)).status).toBe(404)
  })
}

function searchOf(body: { readonly next_page_url: string }): string {
  return new URL(body.next_page_url).search
}
