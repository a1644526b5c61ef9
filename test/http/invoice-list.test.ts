import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf, insertSchedule } from '../support/invoices.ts'
import { expectRefusal } from '../support/requests.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const SCHEDULE = '01941f29-7c00-7000-8000-00000000000a'
const NOBODY = '01941f29-7c00-7000-8000-00000000000f'

/** Each is made as a draft, then gets these columns; named by its meta. */
const INVOICES = [
  { name: 'a', total: 30, due_at: '2026-03-01' },
  { name: 'b', total: 10, set: `status = 'SENT', sent_at = created_at` },
  { name: 'c', total: 20, due_at: '2026-01-01', set: paid('2026-05-02') },
  {
    name: 'd',
    total: 10,
    meta: { reference: 4711 },
    due_at: '2026-02-01',
    set: paid('2026-05-01'),
  },
  { name: 'e', total: 5, set: `status = 'ATTEMPTED', schedule_id = '${SCHEDULE}'` },
  {
    name: 'gone',
    total: 1,
    meta: { poNumber: 'PO 7' },
    set: `status = 'DELETED', deleted_at = created_at`,
  },
]

function paid(at: string): string {
  return `status = 'PAID', total_paid = total, paid_at = '${at}Z', payment_id = id`
}

describe('the list of invoices', () => {
  let service: TestService
  let merchant: Merchant
  let customer: string
  let other: string
  let card: string
  let paidInvoice: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    card = await service.card(merchant)
    customer = await customerOf({ service, merchant, card })
    other = await customerOf({ service, merchant, card: await service.card(merchant) })
    const charles = { firstname: 'Charles', lastname: 'Babbage' }
    await call(service.app, 'PUT', `/customer/${other}`, merchant.headers, charles)
    const { query } = service.world.db
    const schedule = await insertSchedule({ service, merchant, card })
    await query('UPDATE schedule SET id = $1 WHERE id = $2', [SCHEDULE, schedule])
    for (const { name, set, meta, ...rest } of INVOICES) {
      const customer_id = name === 'b' ? other : customer
      const byCard = /^(a|gone)$/.test(name) ? { payment_method_id: card } : {}
      const sent = { ...rest, ...byCard, customer_id, meta: { name, ...meta } }
      const { body } = await call(service.app, 'POST', '/invoice', merchant.headers, sent)
      if (name === 'd') paidInvoice = body.id
      if (set !== undefined) await query(`UPDATE invoice SET ${set} WHERE id = $1`, [body.id])
    }
    await query(`UPDATE invoice SET updated_at = created_at - total * interval '1 day'`)
  })
  afterAll(() => service.close())

  const list = (query: string, headers: Merchant['headers'] = merchant.headers) =>
    call(service.app, 'GET', `/invoice?${query}`, headers)

  const namesOf = ({ body }: Answer): string =>
    body.data.map((one: { meta: { name: string } }) => one.meta.name).join(' ')

  it('begins with the newest, without deleted ones', async () => {
    const answer = await list('')
    expect([answer.status, namesOf(answer)]).toEqual([200, 'e d c b a'])
    const [first] = answer.body.data
    const one = await call(service.app, 'GET', `/invoice/${first.id}`, merchant.headers)
    expect(one.body).toEqual(first)
  })

  const namedIn = (query: string) =>
    query
      .replace('CUSTOMER', customer)
      .replace('OTHER', other)
      .replace('CARD', card)
      .replace('INVOICE', paidInvoice)

  it('has nothing of another account', async () => {
    const stranger = await service.merchant()
    const foreign = await list(`customer_id=${customer}`, stranger.headers)
    expect(foreign.body).toMatchObject({ data: [], total: 0 })
  })

  it.each([
    ['status=PAID', 'd c'],
    ['status=DRAFT', 'a'],
    ['status=SENT', 'b'],
    ['status=PARTIALLY+APPLIED', ''],
    ['status=DELETED', 'gone'],
    ['customer_id=CUSTOMER', 'e d c a'],
    ['customer_id=OTHER', 'b'],
    [`customer_id=${NOBODY}`, ''],
    ['customer_id=CUSTOMER&status=PAID', 'd c'],
    ['customer_id=CUSTOMER&status=DELETED', 'gone'],
    ['customer_id=OTHER&status=DELETED', ''],
    [`schedule_id=${SCHEDULE}`, 'e'],
    [`schedule_id=${SCHEDULE.toUpperCase()}&status=ATTEMPTED`, 'e'],
    [`schedule_id=${SCHEDULE}&status=PAID`, ''],
    ['payment_method_id=CARD', 'a'],
    ['payment_method_id=CARD&status=DELETED', 'gone'],
    [`payment_method_id=${NOBODY}`, ''],
    ['keywords=Babbage', 'b'],
    ['keywords=babb&keywords=Charles', 'b'],
    ['keywords=babb&keywords=Ada', ''],
    ['keywords[]=Lovelace&status=PAID', 'd c'],
    ['keywords=Lovelace&status=DELETED', 'gone'],
    ['keywords=INVOICE', 'd'],
    ['keywords=4711', 'd'],
    ['keywords=4711&keywords=Ada', 'd'],
    ['keywords=4711&keywords=Lovelace', 'd'],
    ['keywords=4711&keywords=Babbage', ''],
    ['keywords=INVOICE&keywords=4711&keywords=Ada&keywords=Ada', 'd'],
    ['keywords=471', ''],
    ['keywords=po+7&status=DELETED', 'gone'],
    ['keywords=po+7', ''],
    [`keywords=${NOBODY}`, ''],
    ['keywords=%25', ''],
    ['status=all&user_id=1&meta=x', 'e d c b a'],
  ])('is narrowed by %s', async (query, names) => {
    const answer = await list(namedIn(query))
    expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
    expect(namesOf(answer)).toBe(names)
    expect(answer.body.total).toBe(names.split(' ').filter(Boolean).length)
  })

  it.each([
    ['order=asc', 'a b c d e'],
    ['sort=created_at&order=DESC', 'e d c b a'],
    ['sort=total&order=asc', 'e b d c a'],
    ['sort=total', 'a c d b e'],
    ['sort=updated_at&order=Asc', 'a c b d e'],
    ['sort=updated_at', 'e d b c a'],
    ['sort=due_at&order=asc', 'c d a b e'],
    ['sort=due_at', 'a d c e b'],
    ['sort=paid_at&order=asc', 'd c a b e'],
    ['sort=paid_at', 'c d e b a'],
    ['sort=status&order=asc', 'a b c d e'],
    ['sort=status', 'e d c b a'],
    ['sort=total&order=asc&status=PAID', 'd c'],
    ['sort=total&order=dsc&status=PAID', 'c d'],
  ])('is in the order of %s, with nulls last', async (query, names) => {
    expect(namesOf(await list(query))).toBe(names)
  })

  it.each([
    ['status=paid', ['status']],
    ['status=OPEN', ['status']],
    ['sort=customer_id', ['sort']],
    ['customer=1&state=2', ['customer', 'state']],
  ])('refuses %s', async (query, fields) => {
    expectRefusal(await list(query), 400, 'invalid_request', fields)
  })

  it('refuses an invalid id', async () => {
    expectRefusal(await list('customer_id=1'), 400, 'invalid_id', ['customer_id'])
    expectRefusal(await list('payment_method_id=1'), 400, 'invalid_id', ['payment_method_id'])
    expectRefusal(await list('schedule_id=x'), 400, 'invalid_id', ['schedule_id'])
  })
})
