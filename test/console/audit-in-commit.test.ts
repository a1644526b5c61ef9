// An action whose audit entry cannot be written is not done either, as when the process or the
// database ends just then. Its form, sent again, does it, with its entry.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type SignedIn, see, sendForm, signIn } from '../support/operator.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { call } from '../support/test-service.ts'
import { NOWHERE, webhooksOf } from '../support/webhooks.ts'

let api: PaymentsApi
let operator: SignedIn

beforeAll(async () => {
  api = await openPaymentsApi({
    queues: ['charge', 'refund'],
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
  operator = await signIn(api.service.world)
  await query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'as planned'; END $$`)
})
afterAll(() => api.service.close())

beforeEach(() => query('DELETE FROM deed'))

const query = (text: string) => api.service.world.db.query(text)

async function made(path: string, body: object): Promise<string> {
  const answer = await call(api.service.app, 'POST', path, api.merchant.headers, body)
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  return answer.body.id
}

const customer = () => made('/customer', { firstname: 'Grace', email: 'grace@example.com' })
const link = () => made('/payment-link', { common_name: 'Coffee' })
const invoice = async () => made('/invoice', { customer_id: await customer(), total: 12.5 })
const endpoint = async () => (await webhooksOf(api.service, api.merchant).made()).id
async function paid(): Promise<string> {
  const card = { method: 'card', person_name: 'Ada', card_number: '4111111111111111' }
  const owner = { customer_id: await customer(), card_exp: '1239' }
  return api.paid({ payment_method_id: await made('/payment-method', { ...card, ...owner }) })
}

const pageOf = (place: string, id: string) => `/admin/${place}/${api.merchant.accountId}/${id}`

/** The form's fields as the page has them now. */
async function hiddenOf(path: string): Promise<Readonly<Record<string, string>>> {
  const { body } = await see(api.service.app, path, operator)
  const version = /name="version" value="(\d+)"/.exec(body)?.[1]
  return { key: api.service.world.newId(), ...(version === undefined ? {} : { version }) }
}

type Fields = Readonly<Record<string, string>>
type Made = () => Promise<string>

const OF_TEAM = () => ({ team: api.merchant.teamId, mode: 'sandbox' })

it.each<[string, Made, string, Fields]>([
  ['payment link made', async () => '/admin/links/new', '', { name: 'Tea', amount: '5.00' }],
  ['payment link changed', async () => pageOf('links', await link()), '/change', { name: 'Tea' }],
  [
    'invoice made',
    async () =>
      `/admin/invoices/new?account=${api.merchant.accountId}&customer=${await customer()}`,
    '',
    { total: '7.00' },
  ],
  [
    'invoice changed',
    async () => pageOf('invoices', await invoice()),
    '/change',
    { total: '7.00' },
  ],
  ['invoice sent', async () => pageOf('invoices', await invoice()), '/send', { channel: 'email' }],
  [
    'invoice paid by hand',
    async () => pageOf('invoices', await invoice()),
    '/record',
    { method: 'cash', total: '12.50' },
  ],
  ['endpoint added', async () => '/admin/endpoints/new', '', { target_url: NOWHERE }],
  [
    'endpoint changed',
    async () => pageOf('endpoints', await endpoint()),
    '/set',
    { target_url: `${NOWHERE}/2` },
  ],
  ['endpoint tested', async () => pageOf('endpoints', await endpoint()), '/test', {}],
  [
    'events replayed',
    async () => pageOf('endpoints', await endpoint()),
    '/replay',
    { since: new Date(Date.now() - 60_000).toISOString() },
  ],
  [
    'endpoint secret rolled',
    async () => pageOf('endpoints', await endpoint()),
    '/roll',
    { overlap: '0' },
  ],
  ['endpoint deleted', async () => pageOf('endpoints', await endpoint()), '/delete', {}],
  [
    'receipt sent',
    async () => pageOf('transactions', await paid()),
    '/receipt',
    { channel: 'email' },
  ],
  [
    'void asked for',
    async () => pageOf('transactions', await paid()),
    '/void',
    { reason: 'Twice' },
  ],
])('%s', async (action, find, form, fields) => {
  const page = await find()
  const sent = { ...OF_TEAM(), ...(await hiddenOf(page)), ...fields }
  const send = async () => (await sendForm(api.service.app, page + form, operator, sent)).statusCode
  await query('CREATE TRIGGER refuse BEFORE INSERT ON deed FOR EACH ROW EXECUTE FUNCTION refuse()')
  const refused = await send().finally(() => query('DROP TRIGGER refuse ON deed'))
  expect(refused).toBe(500)
  expect([200, 303]).toContain(await send())
  expect(await query('SELECT deed AS action FROM deed')).toEqual([{ action }])
})

it('signed out', async () => {
  const own = await signIn(api.service.world)
  const send = async () => (await sendForm(api.service.app, '/admin/sign-out', own)).statusCode
  await query('CREATE TRIGGER refuse BEFORE INSERT ON deed FOR EACH ROW EXECUTE FUNCTION refuse()')
  const refused = await send().finally(() => query('DROP TRIGGER refuse ON deed'))
  expect([refused, await send()]).toEqual([500, 303])
  expect(await query('SELECT deed AS action FROM deed')).toEqual([{ action: 'signed out' }])
})
