import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ruleAgainstInvoice } from '../support/invoice-rules.ts'
import { invoiceEvents, payableInvoice, payInvoice, paymentUnderWay } from '../support/invoices.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { call } from '../support/test-service.ts'

const RETRY_AT = '2027-01-01T00:00:00.000Z'

describe('a deleted invoice', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi({ settings: { CHARGE_WAIT_MS: '10s' } })
  })
  afterAll(() => api.service.close())

  const invoiceWith = (method: 'GET' | 'DELETE', id: string) =>
    call(api.service.app, method, `/invoice/${id}`, api.merchant.headers)

  it('is answered, the second time too, and has one event', async () => {
    const id = await payableInvoice(api)
    const { body: before } = await invoiceWith('GET', id)
    const first = await invoiceWith('DELETE', id)
    expect(first.status).toBe(200)
    const { updated_at } = first.body
    expect(first.body).toEqual({ ...before, status: 'DELETED', balance_due: 0, updated_at })
    expect((await invoiceWith('DELETE', id)).body).toEqual(first.body)
    expect((await invoiceWith('GET', id)).body).toEqual(first.body)
    expect(await invoiceEvents(api.service, id)).toMatchObject([
      { type: 'create_invoice', sequence: 1 },
      { type: 'update_invoice', sequence: 2, snapshot: first.body, same_commit: true },
    ])
  })

  it('can be paid no more', async () => {
    const id = await payableInvoice(api)
    await invoiceWith('DELETE', id)
    const answer = await payInvoice(api, id)
    expectRefusal(answer, 409, 'wrong_state')
    expect(answer.body.message).toBe('the invoice is deleted')
    expectRefusal(await api.charge({ invoice_id: id }), 409, 'wrong_state')
  })

  it('was neither paid nor being paid', async () => {
    const paid = await payableInvoice(api)
    expect((await payInvoice(api, paid)).body.status).toBe('SUCCESS')
    expectRefusal(await invoiceWith('DELETE', paid), 409, 'invoice_already_paid')
    const begun = await paymentUnderWay(api)
    expectRefusal(await invoiceWith('DELETE', begun), 409, 'payment_under_way')
    for (const id of [paid, begun]) {
      expect((await invoiceWith('GET', id)).body.status).not.toBe('DELETED')
    }
  })

  it('is not retried', async () => {
    const id = await payableInvoice(api)
    const { query } = api.service.world.db
    await query(
      `UPDATE invoice SET status = 'ATTEMPTED', tries = 1, retry_at = $2, due_at = $2 WHERE id = $1`,
      [id, RETRY_AT],
    )
    expect((await invoiceWith('GET', id)).body.next_retry_at).toBe(RETRY_AT)
    const { body } = await invoiceWith('DELETE', id)
    expect(body).toMatchObject({ status: 'DELETED', next_retry_at: null })
    expect(await query('SELECT retry_at, due_at FROM invoice WHERE id = $1', [id])).toEqual([
      { retry_at: null, due_at: null },
    ])
  })

  it('can be deleted by a team that must not charge', async () => {
    const id = await payableInvoice(api)
    await setTeam(api.service.world, api.merchant.teamId, ['enabled=false'])
    expectRefusal(await payInvoice(api, id), 403, 'team_disabled')
    expect((await invoiceWith('DELETE', id)).body.status).toBe('DELETED')
    await setTeam(api.service.world, api.merchant.teamId, ['enabled=true'])
  })

  it('stays deleted, whatever the code does', async () => {
    const id = await payableInvoice(api)
    await invoiceWith('DELETE', id)
    const undo = `status = 'DRAFT', deleted_at = NULL`
    expect(await ruleAgainstInvoice(api.service, id, undo)).toBe('invoice_stays_deleted')
  })
})
