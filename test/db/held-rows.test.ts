// Another transaction locks a row of one merchant for long: a forgotten session, or a process that
// froze within a commit. Only requests that need that very row wait for it.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

/** The row is locked until another merchant has been charged this often. */
const CHARGES = 5

let service: TestService
let holder: pg.Client

beforeAll(async () => {
  service = await openTestService({ settings: { CHARGE_WAIT_MS: '60s' } })
  holder = new pg.Client(service.databaseUrl)
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await service.close()
})

const newApi = () => newPaymentsApi(service)

/** The lock of each case, and the body of a charge that needs the row. */
const ROWS: Readonly<
  Record<string, (api: PaymentsApi) => Promise<{ lock: string; body?: object }>>
> = {
  account: async ({ merchant }) => ({
    lock: `account WHERE id = '${merchant.accountId}'`,
  }),
  'payment method': async ({ card }) => ({ lock: `payment_method WHERE id = '${card}'` }),
  'payment link': async (api) => {
    const body = { common_name: 'Coffee' }
    const made = await call(service.app, 'POST', '/payment-link', api.merchant.headers, body)
    const id: string = made.body.id
    return { lock: `payment_link WHERE id = '${id}'`, body: { payment_link_id: id } }
  },
  batch: async (api) => {
    await api.paid()
    return { lock: `batch WHERE account_id = '${api.merchant.accountId}'` }
  },
}

describe.each(Object.keys(ROWS))('while the %s of one merchant is locked', (row) => {
  it('every other merchant is charged, and that one afterwards', async () => {
    const [theirs, ours] = await Promise.all([newApi(), newApi()])
    await ours.paid()
    const { lock, body = {} } = (await ROWS[row]?.(theirs)) ?? { lock: '' }
    await holder.query('BEGIN')
    await holder.query(`SELECT FROM ${lock} FOR UPDATE`)
    let answered = 0
    const waiting = [1, 2, 3].map((total) => theirs.charge({ ...body, total }))
    for (const one of waiting) void one.then(() => (answered += 1))
    for (let charges = 0; charges < CHARGES; charges += 1) {
      expect((await ours.charge()).body.status).toBe('SUCCESS')
    }
    // As a control, the row really was needed.
    expect(answered).toBe(0)
    await holder.query('COMMIT')
    for (const answer of await Promise.all(waiting)) {
      expect([answer.status, answer.body.status]).toEqual([200, 'SUCCESS'])
    }
  })
})

it('leaves a ledger that agrees', async () => {
  expect(await audit(service.databaseUrl, [])).toEqual([])
})
