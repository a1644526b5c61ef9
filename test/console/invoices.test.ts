// Invoices on the console: operators see, make, send, delete them, and record payments by hand.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedMeanwhile } from '../support/changed-meanwhile.ts'
import { payableInvoice, payInvoice, paymentUnderWay } from '../support/invoices.ts'
import {
  type SignedIn,
  see,
  seeAfter,
  seePage,
  sendForm,
  signIn,
  textOf,
} from '../support/operator.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { FULL } from '../support/people.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'

let api: PaymentsApi
let service: TestService
let operator: SignedIn
let merchant: Merchant
let other: Merchant
let ada: string

beforeAll(async () => {
  api = await openPaymentsApi({ queues: ['charge', 'sweep'] })
  service = api.service
  merchant = api.merchant
  operator = await signIn(service.world)
  other = await service.merchant()
  ada = await newCustomer(FULL)
})
afterAll(() => service.close())

type Fields = Readonly<Record<string, string>>

const send = (path: string, fields: Fields = {}) => sendForm(service.app, path, operator, fields)

async function newCustomer(body: object): Promise<string> {
  return (await call(service.app, 'POST', '/customer', merchant.headers, body)).body.id
}

async function newInvoice(body: object = {}): Promise<string> {
  const sent = { total: 7, customer_id: ada, ...body }
  return (await call(service.app, 'POST', '/invoice', merchant.headers, sent)).body.id
}

const page = (path: string) => seePage(service.app, path, operator)

const pathOf = (id: string, whose = merchant) => `/admin/invoices/${whose.accountId}/${id}`

const ofApi = async (id: string) =>
  (await call(service.app, 'GET', `/invoice/${id}`, merchant.headers)).body

const auditOf = (id: string) =>
  service.world.db.query('SELECT deed AS action, detail FROM deed WHERE subject = $1 ORDER BY id', [
    id,
  ])

const actionsOf = async (id: string) => (await auditOf(id)).map(({ action }) => action)

const messagesOf = async (id: string) =>
  (
    await service.world.db.query(
      'SELECT channel, recipient FROM delivery WHERE subject_id = $1 ORDER BY id',
      [id],
    )
  ).map(({ channel, recipient }) => `${channel} ${recipient}`)

const keyed = (fields: Fields = {}): Fields => ({ key: service.world.newId(), ...fields })

describe('the list', () => {
  it('has the invoices of all teams, by state, team and customer', async () => {
    const draft = await newInvoice({ due_at: '2026-04-01' })
    const paid = await payableInvoice(api)
    await payInvoice(api, paid)
    const deleted = await newInvoice()
    await call(service.app, 'DELETE', `/invoice/${deleted}`, merchant.headers)
    const listed = async (query: string) => {
      const { html } = await page(`/admin/invoices?${query}`)
      return [draft, paid, deleted].map((id) => html.includes(id))
    }
    expect(await listed('')).toEqual([true, true, false])
    expect(await listed('status=DRAFT')).toEqual([true, false, false])
    expect(await listed('status=PAID')).toEqual([false, true, false])
    expect(await listed('status=DELETED')).toEqual([false, false, true])
    expect(await listed(`customer=${ada}`)).toEqual([true, false, false])
    expect(await listed(`team=${merchant.teamId}`)).toEqual([true, true, false])
    expect(await listed(`team=${other.teamId}`)).toEqual([false, false, false])
    const { text, html } = await page('/admin/invoices')
    expect(text).toContain('Ada Lovelace $7.00 draft')
    expect(html).toContain(`href="/admin/customers/${merchant.accountId}/${ada}"`)
  })

  it('is narrowed to the days on which invoices were created, in its file too', async () => {
    const [old, late, today] = [await newInvoice(), await newInvoice(), await newInvoice()]
    // As in an account whose clock has been elsewhere.
    const moved = 'UPDATE invoice SET created_at = $2 WHERE id = $1'
    await service.world.db.query(moved, [old, new Date('2025-06-30T23:59:59Z')])
    await service.world.db.query(moved, [late, new Date('2025-07-01T00:00:00Z')])
    for (const [query, ...expected] of [
      ['from=2025-06-30&to=2025-06-30', true, false, false],
      ['from=2025-07-01', false, true, true],
      ['to=2025-07-01&order=asc', true, true, false],
      ['from=2025-06-30&to=2025-07-01&status=PAID', false, false, false],
    ] as const) {
      const { html } = await page(`/admin/invoices?${query}`)
      const { html: file } = await page(`/admin/invoices.csv?${query}`)
      for (const shown of [html, file]) {
        expect([query, ...[old, late, today].map((id) => shown.includes(id))]).toEqual([
          query,
          ...expected,
        ])
      }
    }
    const { text } = await page('/admin/invoices?from=soon')
    expect(text).toContain('is not a date')
  })

  it('names a filter that is off, beside its field', async () => {
    expect((await page('/admin/invoices?status=LATE')).text).toContain('is not one of the choices')
    expect((await page('/admin/invoices?team=nobody')).text).toContain('there is no team nobody')
    const { text } = await page('/admin/invoices?customer=Ada')
    expect(text).toContain('Enter the whole id of a customer.')
  })
})

describe('a new invoice', () => {
  const formPath = (customer = ada, whose = merchant) =>
    `/admin/invoices/new?account=${whose.accountId}&customer=${customer}`

  const LINES: Fields = {
    item_1: 'Beans',
    quantity_1: '2',
    price_1: '12.50',
    item_3: 'Delivery',
    price_3: '$1,000',
    due: '2026-04-01',
    memo: 'Thank you',
  }

  it('begins with the choice of its customer', async () => {
    const { html } = await page('/admin/invoices/new?q=lovelace')
    expect(html).toContain(`href="${formPath().replace('&', '&amp;')}"`)
    expect((await page('/admin/invoices/new?q=nobody')).text).toContain('Nothing matches.')
    expect((await page('/admin/invoices/new?team=nobody')).text).toContain('there is no team')
    expect((await page(formPath())).text).toContain('For Ada Lovelace')
  })

  it('has the sum of its lines, and is sent at once', async () => {
    const answer = await send(formPath(), keyed({ ...LINES, send: 'email' }))
    const id = String(answer.headers.location).split('/').at(-1) ?? ''
    expect(await ofApi(id)).toMatchObject({
      status: 'SENT',
      total: 1025,
      customer_id: ada,
      due_at: '2026-04-01T00:00:00.000Z',
      meta: {
        lineItems: [
          { item: 'Beans', quantity: 2, price: 12.5 },
          { item: 'Delivery', quantity: 1, price: 1000 },
        ],
        memo: 'Thank you',
      },
    })
    const { first } = await seeAfter(service.app, answer, operator)
    expect(first).toContain('The invoice is queued for ada@example.com and 2 more.')
    const text = textOf(first)
    expect(text).toContain('Beans 2 × $12.50 $25.00 Delivery $1,000.00 Total $1,025.00')
    expect(await actionsOf(id)).toEqual(['invoice made', 'invoice sent'])
  })

  it('is a draft unless it is sent, and is made once however often the form is sent', async () => {
    const fields = keyed({ total: '20', send: 'email' })
    const answers = await Promise.all([1, 2, 3].map(() => send(formPath(), fields)))
    const places = new Set(answers.map(({ headers }) => headers.location))
    expect(places.size).toBe(1)
    const id =
      String([...places][0])
        .split('/')
        .at(-1) ?? ''
    expect(await actionsOf(id)).toEqual(['invoice made', 'invoice sent'])
    expect(await messagesOf(id)).toHaveLength(3)
    const changed = await send(formPath(), { ...fields, total: '21' })
    expect([changed.statusCode, changed.body.includes('was made with this form before')]).toEqual([
      409,
      true,
    ])
    const draft = await send(formPath(), keyed({ total: '20' }))
    const { status } = await ofApi(String(draft.headers.location).split('/').at(-1) ?? '')
    expect(status).toBe('DRAFT')
  })

  it.each<readonly [Fields, string, string]>([
    [{ memo: 'Kept' }, 'Enter an amount such as 12.50', 'Kept'],
    [{ total: 'much' }, 'Enter an amount such as 12.50', 'much'],
    [{ total: '5', due: 'soon' }, 'Enter a date such as', 'soon'],
    [{ total: '5', memo: '4111 1111 1111 1111' }, 'number of a card', '4111 1111 1111 1111'],
    [{ ...LINES, price_1: 'x' }, 'Enter an amount such as 12.50', 'x'],
    [{ ...LINES, quantity_1: '1.5' }, 'Enter a whole number', '1.5'],
    [{ ...LINES, item_1: 'i'.repeat(256) }, 'Use 255 characters at most.', 'i'.repeat(256)],
    [{ ...LINES, item_1: '' }, 'Enter what is billed.', 'Delivery'],
    [{ ...LINES, total: '5' }, 'The lines come to $1,025.00.', 'Beans'],
    [{ ...LINES, price_3: '99999999.99' }, 'Enter an amount such as 12.50', '99999999.99'],
  ])('is not made of %j, and the typed values stay', async (fields, said, kept) => {
    const before = await service.world.db.prisma.invoice.count()
    const answer = await send(formPath(), keyed(fields))
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain(said)
    expect(answer.body).toContain(`value="${kept}"`)
    expect(await service.world.db.prisma.invoice.count()).toBe(before)
  })

  it('with a wrong line has no fault at its empty total', async () => {
    const wrong = { ...LINES, quantity_1: '1.5', total: '' }
    const { body } = await send(formPath(), keyed(wrong))
    const marked = [...body.matchAll(/<input name="(\w+)"[^>]*aria-invalid/g)]
    expect(marked.map(([, name]) => name)).toEqual(['quantity_1'])
  })

  it('is made although it cannot be sent, and its page says why', async () => {
    const silent = await newCustomer({ firstname: 'Silent' })
    const { html } = await page(formPath(silent))
    expect(html).not.toContain('Create and send by e-mail')
    const answer = await send(formPath(silent), keyed({ total: '5', send: 'email' }))
    const { first } = await seeAfter(service.app, answer, operator)
    expect(first).toContain('The draft is made, but it was not sent: the message has no recipient.')
  })

  it('for a customer of another account, or for none, is refused', async () => {
    const unknown = service.world.newId()
    for (const path of [formPath(ada, other), formPath(unknown), formPath('x')]) {
      expect((await see(service.app, path, operator)).statusCode).toBe(404)
      expect((await send(path, keyed({ total: '5' }))).statusCode).toBe(404)
    }
    expect((await send(formPath(), { total: '5' })).statusCode).toBe(400)
    const forged = { ...operator, formToken: 'x' }
    const answer = await sendForm(service.app, formPath(), forged, keyed({ total: '5' }))
    expect(answer.statusCode).toBe(403)
  })
})

describe('sending', () => {
  it('makes a draft sent, once for each form, and can be done again', async () => {
    const id = await newInvoice()
    const { url } = await ofApi(id)
    // The merchant opens the draft.
    await see(service.app, new URL(url).pathname, { cookie: '' })
    const fields = keyed({ channel: 'email' })
    for (let n = 0; n < 2; n += 1) {
      const answer = await send(`${pathOf(id)}/send`, fields)
      const { first } = await seeAfter(service.app, answer, operator)
      expect(first).toContain('The invoice is queued for ada@example.com and 2 more.')
    }
    expect(await ofApi(id)).toMatchObject({ status: 'SENT', viewed_at: null })
    expect((await ofApi(id)).sent_at).not.toBeNull()
    expect(await messagesOf(id)).toHaveLength(3)
    expect(await actionsOf(id)).toEqual(['invoice sent'])
    await see(service.app, new URL(url).pathname, { cookie: '' })
    expect((await ofApi(id)).status).toBe('VIEWED')
    const before = await ofApi(id)
    await send(`${pathOf(id)}/send`, keyed({ channel: 'email' }))
    expect(await messagesOf(id)).toHaveLength(6)
    expect(await ofApi(id)).toEqual(before)
    const { text } = await page(pathOf(id))
    expect(text).toMatch(/Created .* Sent .* Viewed/)
    expect(text).toContain('Message by e-mail queued to ada@example.com')
  })

  it('by SMS needs the team’s permission', async () => {
    const id = await newInvoice()
    const refused = await send(`${pathOf(id)}/send`, keyed({ channel: 'sms' }))
    expect([refused.statusCode, refused.body.includes('Send by SMS')]).toEqual([403, false])
    expect(refused.body).toContain('text messages are not enabled for the team')
    await setTeam(service.world, merchant.teamId, ['sms_enabled=true'])
    expect((await page(pathOf(id))).html).toContain('Send by SMS')
    await send(`${pathOf(id)}/send`, keyed({ channel: 'sms' }))
    expect(await messagesOf(id)).toEqual(['sms +12025550123', 'sms +12025550124'])
    await setTeam(service.world, merchant.teamId, ['sms_enabled=false'])
  })

  it('is refused if no amount is due any more', async () => {
    const paid = await payableInvoice(api)
    await payInvoice(api, paid)
    const underWay = await paymentUnderWay(api)
    const deleted = await newInvoice()
    await send(`${pathOf(deleted)}/delete`)
    for (const [id, said] of [
      [paid, 'the invoice is already paid'],
      [underWay, 'a payment of the invoice is under way'],
      [deleted, 'the invoice is deleted'],
    ] as const) {
      const answer = await send(`${pathOf(id)}/send`, keyed({ channel: 'email' }))
      expect([answer.statusCode, answer.body.includes(said)]).toEqual([409, true])
      expect(answer.body).not.toContain('Send by e-mail')
      expect(await messagesOf(id)).toEqual([])
    }
    expect((await send(`${pathOf(paid)}/send`, keyed({ channel: 'dove' }))).statusCode).toBe(400)
  })
})

describe('a change of an invoice', () => {
  it('changes its total and its due date, with its audit entry, and keeps all typed values', async () => {
    const id = await newInvoice({ total: 45 })
    expect((await page(pathOf(id))).html).toContain('value="45.00"')
    const fields = keyed({ total: '$1,050.5', due: '2030-02-01' })
    expect((await send(`${pathOf(id)}/change`, fields)).statusCode).toBe(303)
    expect(await ofApi(id)).toMatchObject({ total: 1050.5, due_at: '2030-02-01T00:00:00.000Z' })
    const detail = { total: '45.00 → 1050.50', due: 'none → 2030-02-01' }
    expect(await auditOf(id)).toMatchObject([{ action: 'invoice changed', detail }])
    const old = keyed({ total: '45', due: '', version: '1' })
    const stale = await send(`${pathOf(id)}/change`, old)
    expect([stale.statusCode, stale.body.includes('has changed meanwhile')]).toEqual([409, true])
    expect(await ofApi(id)).toMatchObject({ total: 1050.5 })
    const same = keyed({ total: '1050.50', due: '2030-02-01' })
    expect((await send(`${pathOf(id)}/change`, same)).statusCode).toBe(303)
    expect(await actionsOf(id)).toEqual(['invoice changed'])
    const wrong = await send(`${pathOf(id)}/change`, keyed({ total: 'ten', due: '31.1.2030' }))
    expect(wrong.statusCode).toBe(422)
    expect(wrong.body).toMatch(/value="ten"[^<]*<span class="wrong"[^>]*>Enter an amount such as/)
    expect(wrong.body).toMatch(/"31.1.2030"[^<]*<span class="wrong"[^>]*>Enter a date such as/)
    expect(wrong.body).not.toContain('class="fault"')
    expect((await ofApi(id)).due_at).not.toBeNull()
    await send(`${pathOf(id)}/record`, keyed({ method: 'cash' }))
    const late = await send(`${pathOf(id)}/change`, keyed({ total: '1' }))
    expect([late.statusCode, late.body.includes('already paid')]).toEqual([409, true])
    expect(late.body).not.toContain('Change invoice')
  })

  it('keeps what the API changes while the form is sent', async () => {
    const id = await newInvoice({ total: 45 })
    const sql = 'UPDATE invoice SET total = 6000, version = version + 1 WHERE id = $1'
    const answer = await changedMeanwhile(service, { sql, values: [id] }, () =>
      send(`${pathOf(id)}/change`, keyed({ total: '45.00', due: '2030-02-01', version: '1' })),
    )
    expect([answer.statusCode, answer.body.includes('has changed meanwhile')]).toEqual([409, true])
    expect(await ofApi(id)).toMatchObject({ total: 60, due_at: null })
    expect(await actionsOf(id)).toEqual([])
  })
})

describe('a payment by hand', () => {
  it('is not recorded if another amount is due by now', async () => {
    const id = await newInvoice({ total: 5 })
    const page = (await see(service.app, pathOf(id), operator)).body
    const [, total = ''] =
      /name="total" value="([\d.]+)"/.exec(page.slice(page.indexOf('record'))) ?? []
    expect(total).toBe('5.00')
    await send(`${pathOf(id)}/change`, keyed({ total: '50' }))
    const stale = await send(`${pathOf(id)}/record`, keyed({ method: 'cash', total }))
    expect(stale.statusCode).toBe(400)
    expect(await ofApi(id)).toMatchObject({ total_paid: 0, balance_due: 50 })
    const shown = keyed({ method: 'cash', total: '50.00' })
    expect((await send(`${pathOf(id)}/record`, shown)).statusCode).toBe(303)
  })

  it('pays the invoice once, and is a transaction of it', async () => {
    const id = await newInvoice({ total: 45 })
    const fields = keyed({ method: 'check', note: 'No. 4711' })
    const answers = await Promise.all([1, 2, 3].map(() => send(`${pathOf(id)}/record`, fields)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
    expect(await ofApi(id)).toMatchObject({ status: 'PAID', total_paid: 45, balance_due: 0 })
    const payments = await service.world.db.query(
      `SELECT id, status, method, is_manual, total, captured, message FROM transaction
       WHERE invoice_id = $1`,
      [id],
    )
    expect(payments).toMatchObject([
      { status: 'SUCCESS', method: 'check', is_manual: true, total: '4500', message: 'No. 4711' },
    ])
    expect(await actionsOf(id)).toEqual(['invoice paid by hand'])
    const { text, html } = await page(pathOf(id))
    expect(text).toContain('charge $45.00 SUCCESS check')
    for (const button of ['Send by e-mail', 'as paid', 'Delete invoice']) {
      expect(html).not.toContain(button)
    }
    const events = await service.world.db.query(
      'SELECT type FROM event WHERE resource_id IN ($1, $2) ORDER BY id',
      [id, payments[0]?.id],
    )
    expect(events.map(({ type }) => type)).toEqual([
      'create_invoice',
      'create_transaction',
      'update_invoice',
    ])
    const again = await send(`${pathOf(id)}/record`, keyed({ method: 'cash' }))
    expect([again.statusCode, again.body.includes('the invoice is already paid')]).toEqual([
      409,
      true,
    ])
  })

  it('keeps its amount and its customer, and the rest can be changed', async () => {
    const id = await newInvoice({ total: 45 })
    await send(`${pathOf(id)}/record`, keyed({ method: 'cash' }))
    const [payment] = await service.world.db.query(
      'SELECT id FROM transaction WHERE invoice_id = $1',
      [id],
    )
    const change = (body: object) =>
      call(service.app, 'PUT', `/transaction/${payment?.id}`, merchant.headers, body)
    expect((await change({ total: 1 })).body.error).toBe('transaction_immutable')
    expect((await change({ customer_id: await newCustomer(FULL) })).status).toBe(409)
    expect((await change({ total: 45, message: 'In the shop' })).status).toBe(200)
  })

  it('is refused without a method, beside another payment, and to a stopped team', async () => {
    const id = await newInvoice()
    const odd = await send(`${pathOf(id)}/record`, keyed({ method: 'gold', note: 'Kept' }))
    expect([odd.statusCode, odd.body.includes('Choose cash or check.')]).toEqual([400, true])
    expect(odd.body).toContain('value="Kept"')
    const long = await send(
      `${pathOf(id)}/record`,
      keyed({ method: 'cash', note: 'x'.repeat(201) }),
    )
    expect([long.statusCode, long.body.includes('Use 200 characters at most.')]).toEqual([
      400,
      true,
    ])
    const underWay = await paymentUnderWay(api)
    const beside = await send(`${pathOf(underWay)}/record`, keyed({ method: 'cash' }))
    expect([beside.statusCode, beside.body.includes('is under way')]).toEqual([409, true])
    await setTeam(service.world, merchant.teamId, ['enabled=false'])
    for (const action of ['record', 'send']) {
      const fields = keyed({ method: 'cash', channel: 'email' })
      const stopped = await send(`${pathOf(id)}/${action}`, fields)
      expect([stopped.statusCode, stopped.body.includes('the team is not enabled')]).toEqual([
        403,
        true,
      ])
    }
    await setTeam(service.world, merchant.teamId, ['enabled=true'])
    expect([await actionsOf(id), (await ofApi(id)).status]).toEqual([[], 'DRAFT'])
  })

  it('and a charge at the same moment pay it once', async () => {
    for (let n = 0; n < 5; n += 1) {
      const id = await payableInvoice(api)
      await Promise.all([
        send(`${pathOf(id)}/record`, keyed({ method: 'cash' })),
        payInvoice(api, id),
      ])
      const [row] = await service.world.db.query(
        `SELECT count(*)::int AS paid FROM transaction WHERE invoice_id = $1 AND status = 'SUCCESS'`,
        [id],
      )
      expect([row?.paid, (await ofApi(id)).status]).toEqual([1, 'PAID'])
    }
  })
})

describe('one invoice', () => {
  it('is deleted once', async () => {
    const id = await newInvoice()
    for (let n = 0; n < 2; n += 1) {
      const { first } = await seeAfter(service.app, await send(`${pathOf(id)}/delete`), operator)
      expect(first).toContain('The invoice is deleted.')
    }
    expect([await actionsOf(id), (await ofApi(id)).status]).toEqual([
      ['invoice deleted'],
      'DELETED',
    ])
  })

  it('shows the address of its bill, and what the merchant wrote as text', async () => {
    const memo = '<script>x</script>'
    const id = await newInvoice({ meta: { memo, lineItems: [{ item: memo, price: 7 }] } })
    const { html } = await page(pathOf(id))
    expect(html).toContain(`<code id="address">${(await ofApi(id)).url}</code>`)
    expect(html).toContain('&lt;script>x')
    expect(html).not.toContain('<script>x')
  })

  it('of another account, or unknown, is not found', async () => {
    const id = await newInvoice()
    const unknown = pathOf(service.world.newId())
    for (const path of [pathOf(id, other), unknown, pathOf('x'), `/admin/invoices/x/${id}`]) {
      expect((await see(service.app, path, operator)).statusCode).toBe(404)
      expect((await send(`${path}/delete`)).statusCode).toBe(404)
    }
    expect(await actionsOf(id)).toEqual([])
  })

  it('changes nothing without the token of the session', async () => {
    const id = await newInvoice()
    const forged = { ...operator, formToken: 'x' }
    for (const action of ['send', 'record', 'delete']) {
      const fields = keyed({ channel: 'email', method: 'cash' })
      const { statusCode } = await sendForm(service.app, `${pathOf(id)}/${action}`, forged, fields)
      expect(statusCode).toBe(403)
    }
    expect([await actionsOf(id), (await ofApi(id)).status]).toEqual([[], 'DRAFT'])
  })
})
