import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import {
  MORNING,
  openSchedules,
  PATH,
  scheduleEvents,
  schedulesOfAnother,
  type TestSchedules,
} from '../support/schedules.ts'
import { call } from '../support/test-service.ts'

const NINE = 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0'

describe('a new scheduled invoice', () => {
  let schedules: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
  })
  afterAll(() => schedules.close())

  const post = (fields: object) =>
    schedules.ask('POST', PATH, {
      total: 12.5,
      rule: NINE,
      customer_id: schedules.customer,
      ...fields,
    })

  it('is answered with every field, and GET answers the same as POST', async () => {
    const made = await schedules.made({ total: '12.50', meta: { poNumber: '4711' } })
    const { customer, payment_method, ...plain } = made
    expect(plain).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'active',
      total: 12.5,
      currency: 'USD',
      rule: expect.stringMatching(/^RRULE:.*FREQ=DAILY/),
      start: '2026-01-17T07:01:00',
      timezone: 'America/New_York',
      rule_text: expect.stringContaining('09:00'),
      customer_id: schedules.customer,
      payment_method_id: schedules.card,
      email_notification: true,
      sms_notification: false,
      missed_runs: 'all',
      url: null,
      channel: null,
      meta: { poNumber: '4711' },
      count: 0,
      max_runs: null,
      end_at: null,
      last_run_at: null,
      last_invoice_status: null,
      next_run_at: '2026-01-17T14:00:00.000Z',
      future_occurrences: Array.from(
        { length: 12 },
        (_, day) => `2026-01-${17 + day}T14:00:00.000Z`,
      ),
      deleted_at: null,
      created_at: MORNING,
      updated_at: MORNING,
    })
    expect(customer).toMatchObject({ id: schedules.customer, firstname: 'Ada' })
    expect(payment_method).toMatchObject({ id: schedules.card, card_last_four: '1111' })
    expect(await schedules.get(made.id)).toEqual(made)
    expect(await schedules.get(made.id.toUpperCase())).toEqual(made)
  })

  it('has an event in its own commit, with the content of its answer', async () => {
    const made = await schedules.made()
    expect(await scheduleEvents(schedules, made.id)).toEqual([
      { type: 'create_scheduled_invoice', sequence: 1, snapshot: made, same_commit: true },
    ])
  })

  it('accepts every field', async () => {
    const fields = {
      start: '2026-01-31 09:00:00',
      rule: 'RRULE:FREQ=MONTHLY;COUNT=3',
      timezone: 'Europe/Berlin',
      payment_method_id: null,
      currency: 'USD',
      email_notification: '0',
      sms_notification: 1,
      missed_runs: 'skip',
      url: 'https://shop.example/bills',
      channel: 'web',
      meta: { nested: [1, null] },
    }
    const body = await schedules.made(fields)
    expect(body).toMatchObject({
      start: '2026-01-31T09:00:00',
      timezone: 'Europe/Berlin',
      payment_method_id: null,
      payment_method: null,
      email_notification: false,
      sms_notification: true,
      missed_runs: 'skip',
      url: 'https://shop.example/bills',
      channel: 'web',
      meta: { nested: [1, null] },
      max_runs: 3,
      end_at: '2026-03-31T07:00:00.000Z',
    })
    expect(body.future_occurrences).toEqual([
      '2026-01-31T08:00:00.000Z',
      '2026-02-28T08:00:00.000Z',
      '2026-03-31T07:00:00.000Z',
    ])
  })

  it.each([{ status: 'paused' }, { active: false }, { active: '0', status: 'paused' }])(
    'may be made paused, with %j: then it runs from its resumption on',
    async (fields) => {
      const made = await schedules.made(fields)
      expect(made).toMatchObject({ status: 'paused', next_run_at: null, future_occurrences: [] })
      expect(await schedules.get(made.id)).toEqual(made)
      const { body } = await schedules.put(made.id, { active: true })
      expect(body).toMatchObject({ status: 'active', next_run_at: '2026-01-17T14:00:00.000Z' })
    },
  )

  it('is another request if it is made paused', async () => {
    const idempotency_id = 'made-paused'
    const made = await schedules.made({ idempotency_id })
    expect(await schedules.made({ idempotency_id, status: 'active', active: 1 })).toEqual(made)
    const paused = await post({
      idempotency_id,
      status: 'paused',
      payment_method_id: schedules.card,
    })
    expectRefusal(paused, 409, 'idempotency_conflict', ['status'])
  })

  it('takes null for what its rule says', async () => {
    const fields = { status: null, active: null, max_runs: null, end_at: null, next_run_at: null }
    expect(await schedules.made(fields)).toMatchObject({ status: 'active', max_runs: null })
  })

  it('is refused with a limit beside its rule, which says what to send instead', async () => {
    const at = '2026-03-01T14:00:00.000Z'
    const answer = await post({ max_runs: 3, end_at: at, next_run_at: at })
    expectRefusal(answer, 400, 'invalid_request', ['end_at', 'max_runs', 'next_run_at'])
    expect(answer.body.errors).toEqual({
      max_runs: ['follows from the rule: send COUNT in it'],
      end_at: ['follows from the rule: send UNTIL or COUNT in it'],
      next_run_at: ['follows from the rule and the start: send the first run as start'],
    })
    const contradicted = await post({ active: true, status: 'paused' })
    expectRefusal(contradicted, 400, 'invalid_request', ['active'])
    expectRefusal(await post({ status: 'deleted' }), 400, 'invalid_request', ['status'])
  })

  it.each([
    ['DTSTART in a line', { rule: `DTSTART:20260201T090000\n${NINE}` }, '2026-02-01T14:00:00.000Z'],
    [
      'DTSTART with a zone',
      { rule: `DTSTART;TZID=America/New_York:20260201T090000\n${NINE}` },
      '2026-02-01T14:00:00.000Z',
    ],
    [
      'DTSTART with another zone, and no timezone',
      { rule: `DTSTART;VALUE=DATE-TIME;TZID="Europe/Berlin":20260201T090000\nFREQ=DAILY` },
      '2026-02-01T08:00:00.000Z',
    ],
    [
      'DTSTART with a zone over folded lines',
      { rule: 'DTSTART;TZID=Europe/\r\n Berlin:20260201T090000\nFREQ=DAILY' },
      '2026-02-01T08:00:00.000Z',
    ],
    [
      'DTSTART with a zone that is none',
      { rule: 'DTSTART;TZID=Custom:20260201T090000\nFREQ=DAILY' },
      undefined,
    ],
    [
      'DTSTART with another zone than the timezone',
      {
        rule: 'DTSTART;TZID=Europe/Berlin:20260201T090000\nFREQ=DAILY',
        timezone: 'America/New_York',
      },
      undefined,
    ],
    [
      'a start on the wall clock',
      { start: '2026-02-01T10:00:00', rule: 'FREQ=DAILY' },
      '2026-02-01T15:00:00.000Z',
    ],
    [
      'a start that is an instant',
      { start: '2026-02-01T10:00:00Z', rule: 'FREQ=DAILY' },
      '2026-02-01T10:00:00.000Z',
    ],
    ['a date', { start: '2026-02-01', rule: 'FREQ=DAILY' }, '2026-02-01T05:00:00.000Z'],
    ['this very instant', { start: MORNING, rule: 'FREQ=DAILY' }, MORNING],
    [
      'a start that the rule does not fit',
      { start: '2025-01-01', rule: 'FREQ=YEARLY;BYMONTH=2;COUNT=1;UNTIL=20251231' },
      undefined,
    ],
  ])('begins at %s', async (_, fields, first) => {
    const { status, body } = await post(fields)
    expect([status, body.next_run_at]).toEqual(
      first === undefined ? [400, undefined] : [200, first],
    )
  })

  it.each([
    ['total', { total: 0 }],
    ['total', { total: undefined }],
    ['rule', { rule: undefined }],
    ['rule', { rule: 'every day' }],
    ['rule', { rule: 'FREQ=SECONDLY' }],
    ['rule', { rule: 'FREQ=MINUTELY;INTERVAL=14' }],
    ['rule', { rule: 'FREQ=DAILY;UNTIL=20260101T000000Z' }],
    ['rule', { rule: 'FREQ=MONTHLY;BYMONTH=2;BYDAY=5MO;COUNT=1;UNTIL=20270101' }],
    ['rule', { rule: 'DTSTART:20260117T065959\nRRULE:FREQ=DAILY' }],
    ['start', { start: '2026-01-17T06:59:59', rule: 'FREQ=DAILY' }],
    ['start', { start: '2026-01-17', rule: 'FREQ=DAILY' }],
    ['start', { start: 'soon' }],
    ['timezone', { timezone: 'Europe/Atlantis' }],
    ['timezone', { timezone: '+02:00' }],
    ['missed_runs', { missed_runs: 'some' }],
    ['email_notification', { email_notification: 'yes' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['currency', { currency: 'EUR' }],
    ['meta', { meta: [] }],
    ['customer_id', { customer_id: undefined }],
  ])('is refused for its %s: %j', async (field, fields) => {
    const answer = await post(fields)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors)).toContain(field)
  })

  it('reports every fault of its rule, its start and its zone at once', async () => {
    const answer = await post({ rule: 'FREQ=SECONDLY', start: 'soon', timezone: 'Mars' })
    expectRefusal(answer, 400, 'invalid_request', ['rule', 'start', 'timezone'])
  })

  it('has a customer and a payment method of the account', async () => {
    const unknown = '01941f29-7c00-7000-8000-000000000001'
    expectRefusal(await post({ customer_id: unknown }), 404, 'not_found', ['customer_id'])
    const other = await post({ payment_method_id: unknown })
    expectRefusal(other, 404, 'not_found', ['payment_method_id'])
    const stranger = await schedules.service.merchant()
    const theirs = await schedules.service.card(stranger)
    expectRefusal(await post({ payment_method_id: theirs }), 404, 'not_found', [
      'payment_method_id',
    ])
    expectRefusal(await post({ customer_id: 'x' }), 400, 'invalid_id', ['customer_id'])
  })

  it("is paid with its customer's own card, and not with cash", async () => {
    const another = await schedules.service.card(schedules.merchant)
    const manual = { total: 1, type: 'charge', method: 'cash', customer_id: schedules.customer }
    const { body } = await schedules.ask('POST', '/transaction', manual)
    for (const payment_method_id of [another, body.payment_method_id]) {
      const answer = await post({ payment_method_id })
      expectRefusal(answer, 400, 'invalid_request', ['payment_method_id'])
    }
  })

  it('is not shown, changed or deleted by another account', async () => {
    const { id } = await schedules.made()
    const stranger = await schedules.service.merchant()
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? {} : undefined
      const answer = await call(
        schedules.service.app,
        method,
        `${PATH}/${id}`,
        stranger.headers,
        body,
      )
      expectRefusal(answer, 404, 'not_found')
    }
    expectRefusal(await schedules.ask('GET', `${PATH}/x`), 400, 'invalid_id', ['id'])
  })

  it("starts by the account's own clock if it has one", async () => {
    const own = await schedulesOfAnother(schedules)
    await schedules.service.world.db.query(
      "UPDATE account SET clock_at = '2031-05-05T12:00:00Z' WHERE id = $1",
      [own.merchant.accountId],
    )
    const body = await own.made()
    expect(body).toMatchObject({
      created_at: '2031-05-05T12:00:00.000Z',
      next_run_at: '2031-05-05T13:00:00.000Z',
    })
    const sql = 'SELECT next_run_at, due_at FROM schedule WHERE id = $1'
    const [row] = await schedules.service.world.db.query(sql, [body.id])
    expect(row).toEqual({ next_run_at: new Date(body.next_run_at), due_at: null })
    const refused = await own.ask('POST', PATH, {
      total: 1,
      rule: 'FREQ=DAILY',
      start: '2030-01-01',
      customer_id: own.customer,
    })
    expectRefusal(refused, 400, 'invalid_request', ['start'])
  })

  it('is answered again for its key when its first run is past, and it is deleted', async () => {
    const late = { start: MORNING, idempotency_id: 'late' }
    const first = await post(late)
    schedules.clock.at = new Date('2026-02-17T12:00:00.000Z')
    await schedules.ask('DELETE', `${PATH}/${first.body.id}`)
    expect((await post(late)).text).toBe(first.text)
    expectRefusal(await post({ start: MORNING }), 400, 'invalid_request', ['start'])
    schedules.clock.at = new Date(MORNING)
  })

  it('can be made by a team that is not active', async () => {
    const own = await schedulesOfAnother(schedules)
    await schedules.service.world.db.query("UPDATE team SET status = 'inactive' WHERE id = $1", [
      own.merchant.teamId,
    ])
    const { id } = await own.made()
    expect((await own.put(id, { total: 2 })).body.total).toBe(2)
    expect((await own.ask('DELETE', `${PATH}/${id}`)).body.status).toBe('deleted')
  })
})
