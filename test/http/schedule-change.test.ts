import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { expectRefusal } from '../support/requests.ts'
import { rowOf } from '../support/resources.ts'
import {
  MORNING,
  openSchedules,
  PATH,
  runsOf,
  scheduleEvents,
  type TestSchedules,
} from '../support/schedules.ts'

/** Ten days later, at noon in New York. */
const LATER = '2026-01-27T17:00:00.000Z'

describe('changing a scheduled invoice', () => {
  let schedules: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
  })
  afterAll(() => schedules.close())
  beforeEach(() => {
    schedules.clock.at = new Date(MORNING)
  })

  const later = () => {
    schedules.clock.at = new Date(LATER)
  }

  /** Leaves the schedule as if it had run on time. */
  async function upToDate(id: string): Promise<void> {
    const next = '2026-01-28T14:00:00.000Z'
    await schedules.service.world.db.query(
      'UPDATE schedule SET next_run_at = $2, due_at = $2 WHERE id = $1',
      [id, next],
    )
  }

  async function expectRefused(id: string, body: object, fields: readonly string[]) {
    const row = await rowOf(schedules.service, 'schedule', id)
    expectRefusal(await schedules.put(id, body), 400, 'invalid_request', fields)
    expect(await rowOf(schedules.service, 'schedule', id)).toBe(row)
  }

  it('answers it in its new state, and writes its event', async () => {
    const before = await schedules.made()
    schedules.clock.at = new Date('2026-01-17T12:30:00.000Z')
    const change = {
      total: '20.00',
      email_notification: false,
      sms_notification: '1',
      missed_runs: 'one',
      url: 'https://shop.example',
      channel: 'phone',
      meta: { a: 1 },
    }
    const { status, body } = await schedules.put(before.id, {
      ...change,
      remove: ['payment_method_id'],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...change,
      total: 20,
      sms_notification: true,
      payment_method_id: null,
      payment_method: null,
      updated_at: '2026-01-17T12:30:00.000Z',
    })
    expect(await schedules.get(before.id)).toEqual(body)
    expect((await scheduleEvents(schedules, before.id)).at(-1)).toEqual({
      type: 'update_scheduled_invoice',
      sequence: 2,
      snapshot: body,
      same_commit: true,
    })
    const back = await schedules.put(before.id, { payment_method_id: schedules.card })
    expect(back.body.payment_method.id).toBe(schedules.card)
    const emptied = await schedules.put(before.id, { remove: ['url', 'channel'] })
    expect(emptied.body).toMatchObject({ url: null, channel: null, missed_runs: 'one' })
  })

  it.each([
    ['nothing', () => ({})],
    ['itself', (made: object) => made],
    ['its own values', () => ({ total: '12.50', active: 1, status: 'active', missed_runs: 'all' })],
    ['its rule alone', ({ rule }: Record<string, unknown>) => ({ rule })],
    ['its rule in other words', () => ({ rule: 'rrule:byminute=0;byhour=9;freq=daily' })],
    ['its rule as one of hours', () => ({ rule: 'FREQ=HOURLY;BYHOUR=9;BYMINUTE=0' })],
    ['its start alone', ({ start }: Record<string, unknown>) => ({ start })],
    [
      'its start inside its rule',
      () => ({ rule: 'DTSTART:20260117T070100\nRRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0' }),
    ],
    ['its zone alone', ({ timezone }: Record<string, unknown>) => ({ timezone })],
  ])('to %s writes nothing, though its start is past', async (_, change) => {
    const made = await schedules.made()
    await upToDate(made.id)
    later()
    const row = await rowOf(schedules.service, 'schedule', made.id)
    const { status, body } = await schedules.put(made.id, change(made))
    expect(status).toBe(200)
    expect(body).toEqual(await schedules.get(made.id))
    expect(await rowOf(schedules.service, 'schedule', made.id)).toBe(row)
    expect(await scheduleEvents(schedules, made.id)).toHaveLength(1)
  })

  it('to another rule counts from its start, and runs from now on', async () => {
    const { id } = await schedules.made({ start: '2026-01-19T09:00:00', rule: 'FREQ=DAILY' })
    await upToDate(id)
    later()
    const { body } = await schedules.put(id, { rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=3' })
    expect(body).toMatchObject({ start: '2026-01-19T09:00:00', max_runs: 3 })
    expect(body.future_occurrences).toEqual([
      '2026-02-02T14:00:00.000Z',
      '2026-02-16T14:00:00.000Z',
    ])
    expect(body.end_at).toBe('2026-02-16T14:00:00.000Z')
    expect(body.next_run_at).toBe('2026-02-02T14:00:00.000Z')
  })

  it('to another start or another zone moves its runs', async () => {
    const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: '2026-01-18T09:00:00' })
    const moved = await schedules.put(id, { start: '2026-02-01T10:00:00' })
    expect(moved.body.next_run_at).toBe('2026-02-01T15:00:00.000Z')
    const abroad = await schedules.put(id, { timezone: 'Asia/Tokyo' })
    expect(abroad.body).toMatchObject({
      start: '2026-02-01T10:00:00',
      next_run_at: '2026-02-01T01:00:00.000Z',
    })
  })

  it('keeps the run that is due', async () => {
    const { id } = await schedules.made()
    schedules.clock.at = new Date('2026-01-17T14:00:30.000Z')
    const { body } = await schedules.put(id, {
      rule: 'FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=8;BYMINUTE=0',
    })
    expect(body.future_occurrences.slice(0, 2)).toEqual([
      '2026-01-17T14:00:00.000Z',
      '2026-02-01T13:00:00.000Z',
    ])
  })

  /** Runs everything that is due by now. */
  async function runDue(now: string): Promise<void> {
    schedules.clock.at = new Date(now)
    await runDueSchedules(schedules.service.world)
  }

  const AT_NINE = 'FREQ=MONTHLY;BYHOUR=9;BYMINUTE=0'

  it.each([
    ['another zone', { timezone: 'America/Los_Angeles' }, '2026-02-17T17:00:00.000Z'],
    ['another hour', { rule: 'FREQ=MONTHLY;BYHOUR=12;BYMINUTE=0' }, '2026-02-17T17:00:00.000Z'],
    [
      'its start in another zone',
      { start: '2026-01-17T09:00:00', timezone: 'America/Los_Angeles' },
      '2026-02-17T17:00:00.000Z',
    ],
    ['a rule of each day', { rule: 'FREQ=DAILY;BYHOUR=12' }, '2026-01-18T17:00:00.000Z'],
    ['several times a day', { rule: 'FREQ=DAILY;BYHOUR=9,12' }, '2026-01-17T17:00:00.000Z'],
    [
      'a new start',
      { start: '2026-01-17T12:00:00', rule: 'FREQ=MONTHLY' },
      '2026-02-17T17:00:00.000Z',
    ],
    ['a new start alone', { start: '2026-01-17T12:00:00' }, '2026-02-17T14:00:00.000Z'],
    [
      'a new start of several times a day',
      { start: '2026-01-17T12:00:00', rule: 'FREQ=HOURLY;INTERVAL=3' },
      '2026-01-17T17:00:00.000Z',
    ],
  ])('to %s on a day that has run', async (_what, change, next) => {
    const { id } = await schedules.made({ rule: AT_NINE, start: '2026-01-17T09:00:00' })
    await runDue('2026-01-17T14:00:00.000Z')
    schedules.clock.at = new Date('2026-01-17T15:00:00.000Z')
    const { body } = await schedules.put(id, change)
    expect(body).toMatchObject({ count: 1, next_run_at: next })
  })

  it.each([
    [
      'pause, zone and resumption',
      { rule: 'FREQ=MONTHLY', start: '2026-02-01T00:30:00' },
      '2026-02-01T05:30:00.000Z',
      [{ status: 'paused' }, { timezone: 'America/Chicago' }, { status: 'active' }],
      '2026-03-01T06:30:00.000Z',
    ],
    [
      'zone, then hour',
      { rule: 'FREQ=MONTHLY', start: '2026-02-01T00:30:00' },
      '2026-02-01T05:30:00.000Z',
      [{ timezone: 'America/Los_Angeles' }, { rule: 'FREQ=MONTHLY;BYHOUR=1' }],
      '2026-03-01T09:30:00.000Z',
    ],
    [
      'zone, and back with another hour',
      { rule: 'FREQ=MONTHLY', start: '2026-02-01T03:00:00', timezone: 'UTC' },
      '2026-02-01T03:00:00.000Z',
      [
        { timezone: 'America/New_York' },
        { timezone: 'UTC', rule: 'FREQ=MONTHLY;BYHOUR=10;BYMINUTE=0' },
      ],
      '2026-03-01T10:00:00.000Z',
    ],
    [
      'a zone that lags behind, with an hour that is still to come there',
      { rule: 'FREQ=DAILY', start: '2026-02-01T00:30:00' },
      '2026-02-01T05:30:00.000Z',
      [{ timezone: 'America/Los_Angeles', rule: 'FREQ=DAILY;BYHOUR=23;BYMINUTE=30' }],
      '2026-02-03T07:30:00.000Z',
    ],
    [
      'zone, pause and resumption, which lose no run',
      { rule: 'FREQ=DAILY', start: '2026-01-31T20:00:00' },
      '2026-02-01T01:00:00.000Z',
      [{ timezone: 'UTC' }, { status: 'paused' }, { status: 'active' }],
      '2026-02-01T20:00:00.000Z',
    ],
  ])('by several steps runs each date once: %s', async (_what, fields, ranAt, steps, next) => {
    const { id } = await schedules.made(fields)
    await runDue(ranAt)
    schedules.clock.at = new Date(Date.parse(ranAt) + 60_000)
    for (const step of steps) expect((await schedules.put(id, step)).status).toBe(200)
    expect(await schedules.get(id)).toMatchObject({ count: 1, next_run_at: next })
  })

  it('of a run that is overdue waits for it, so that the past is billed as it was agreed', async () => {
    const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: '2026-01-17T09:00:00' })
    schedules.clock.at = new Date('2026-01-17T14:05:00.001Z')
    for (const [field, change] of [
      ['rule', { rule: 'FREQ=HOURLY' }],
      ['timezone', { timezone: 'UTC' }],
      ['start', { start: '2026-01-20T09:00:00' }],
      ['total', { total: 99 }],
    ] as const) {
      await expectRefused(id, change, [field])
    }
    await schedules.put(id, { status: 'paused' })
    expect((await schedules.put(id, { rule: 'FREQ=WEEKLY' })).status).toBe(200)
    expect((await schedules.put(id, { status: 'active' })).body.next_run_at).toBe(
      '2026-01-24T14:00:00.000Z',
    )
  })

  it('after a run of COUNT makes no more than COUNT', async () => {
    const { id } = await schedules.made({
      rule: 'FREQ=DAILY;COUNT=2',
      start: '2026-01-17T09:00:00',
    })
    await runDue('2026-01-17T14:00:00.000Z')
    expect((await schedules.put(id, { timezone: 'America/Los_Angeles' })).body.next_run_at).toBe(
      '2026-01-18T17:00:00.000Z',
    )
    await runDue('2026-01-18T17:00:00.000Z')
    expect(await schedules.get(id)).toMatchObject({ count: 2, next_run_at: null })
  })

  it('while a run is due makes no second one on its day', async () => {
    const { id } = await schedules.made({ rule: AT_NINE, start: '2026-01-17T09:00:00' })
    schedules.clock.at = new Date('2026-01-17T14:00:30.000Z')
    const { body } = await schedules.put(id, { rule: 'FREQ=MONTHLY;BYHOUR=12;BYMINUTE=0' })
    const expected = ['2026-01-17T14:00:00.000Z', '2026-02-17T17:00:00.000Z']
    expect(body.future_occurrences.slice(0, 2)).toEqual(expected)
    await runDue('2026-01-17T14:01:00.000Z')
    expect((await schedules.get(id)).next_run_at).toBe(expected[1])
    await runDue('2026-01-17T18:00:00.000Z')
    expect((await runsOf(schedules, id)).map(([at]) => at)).toEqual([expected[0]])
  })

  it.each([
    ['Asia/Tokyo', '00:30', 'America/New_York', '2026-01-19T05:30:00.000Z'],
    ['America/New_York', '23:30', 'Asia/Tokyo', '2026-01-19T14:30:00.000Z'],
  ])('from %s at %s to %s while a run is due waits for it', async (timezone, at, zone, second) => {
    const { id, next_run_at } = await schedules.made({
      rule: 'FREQ=DAILY',
      start: `2026-01-18T${at}:00`,
      timezone,
    })
    for (const later of [0, 10_000]) {
      schedules.clock.at = new Date(Date.parse(next_run_at) + later)
      await expectRefused(id, { timezone: zone }, ['timezone'])
      await expectRefused(id, { timezone: zone, rule: 'FREQ=WEEKLY' }, ['timezone'])
    }
    await runDue(schedules.clock.at.toISOString())
    const { body } = await schedules.put(id, { timezone: zone })
    expect(body).toMatchObject({ count: 1, next_run_at: second })
  })

  it('to another zone is taken, though its past start was in an hour that comes twice', async () => {
    schedules.clock.at = new Date('2026-10-20T12:00:00.000Z')
    const { id } = await schedules.made({ rule: 'FREQ=DAILY', start: '2026-11-01T01:30:00-05:00' })
    expect((await schedules.get(id)).next_run_at).toBe('2026-11-01T06:30:00.000Z')
    for (const day of [1, 2, 3]) await runDue(`2026-11-0${day}T06:30:00.000Z`)
    schedules.clock.at = new Date('2026-11-03T12:00:00.000Z')
    const { status, body } = await schedules.put(id, { timezone: 'America/Chicago' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 3, next_run_at: '2026-11-04T07:30:00.000Z' })
  })

  it('while it is paused, and resumed on the day of its last run, repeats no run', async () => {
    const { id } = await schedules.made({ rule: AT_NINE, start: '2026-01-17T09:00:00' })
    await runDue('2026-01-17T14:00:00.000Z')
    await schedules.put(id, { status: 'paused' })
    await schedules.put(id, { timezone: 'America/Los_Angeles' })
    expect((await schedules.put(id, { status: 'active' })).body.next_run_at).toBe(
      '2026-02-17T17:00:00.000Z',
    )
  })

  const AT_SIX = { rule: 'FREQ=MONTHLY;BYHOUR=6;BYMINUTE=0' }

  it.each(
    ['2026-01-17T09:00:00', '2026-01-17', '2026-01-17T06:30:00'].flatMap((start) => [
      ['timezone', { timezone: 'Europe/Berlin' }, start] as const,
      ['rule', AT_SIX, start] as const,
      ['rule', { ...AT_SIX, timezone: 'Europe/Berlin' }, start] as const,
    ]),
  )('that would pass over the run of today is refused: %s of %j from %s', async (...args) => {
    const [field, change, start] = args
    const { id } = await schedules.made({ rule: AT_NINE, start })
    await expectRefused(id, change, [field])
    const refused = await schedules.put(id, change)
    const lost = `${field} would put the run of 2026-01-17 in the past`
    expect(refused.body.message).toBe(`${lost}: change it after that run, or pause first`)
    await runDue('2026-01-17T14:00:00.000Z')
    const { body } = await schedules.put(id, change)
    expect(body).toMatchObject({ count: 1, next_run_at: expect.stringMatching(/^2026-02-17/) })
  })

  it('is refused if it would begin in the past, or never fall due', async () => {
    const { id } = await schedules.made()
    await upToDate(id)
    later()
    await expectRefused(id, { rule: 'FREQ=DAILY', start: '2026-01-20T09:00:00' }, ['start'])
    await expectRefused(id, { rule: 'DTSTART:20260120T090000\nRRULE:FREQ=DAILY' }, ['rule'])
    await expectRefused(id, { rule: 'FREQ=DAILY;UNTIL=20260120' }, ['rule'])
    await expectRefused(id, { rule: 'FREQ=DAILY;COUNT=2' }, ['rule'])
    await expectRefused(id, { rule: 'FREQ=SECONDLY', timezone: 'Mars' }, ['rule', 'timezone'])
  })

  it.each([
    [{ total: 0 }, ['total']],
    [{ status: 'deleted' }, ['status']],
    [{ status: 'active', active: false }, ['active']],
    [{ active: 'no' }, ['active']],
  ])('to %j is refused', async (body, fields) => {
    const { id } = await schedules.made()
    await expectRefused(id, body, fields)
  })

  it('to another customer is refused, and to its own does nothing', async () => {
    const { id } = await schedules.made()
    const { body: other } = await schedules.ask('POST', '/customer', { firstname: 'Grace' })
    await expectRefused(id, { customer_id: other.id }, ['customer_id'])
    const same = await schedules.put(id, { customer_id: schedules.customer.toUpperCase() })
    expect(same.status).toBe(200)
    expect(await scheduleEvents(schedules, id)).toHaveLength(1)
  })

  it('to another limit than its rule has is refused, and its own values do nothing', async () => {
    const rule = 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0;COUNT=3'
    const { id, max_runs, end_at, next_run_at } = await schedules.made({ rule })
    const others = { max_runs: 4, end_at: '2026-01-20', next_run_at: '2026-02-01' }
    await expectRefused(id, { max_runs: 4, end_at: '2026-01-20' }, ['end_at', 'max_runs'])
    await expectRefused(id, { next_run_at: others.next_run_at }, ['next_run_at'])
    const instants = { end_at: '2026-01-19 14:00:00', next_run_at: '2026-01-17T09:00:00-05:00' }
    for (const own of [
      { max_runs, end_at, next_run_at },
      { max_runs, ...instants },
    ]) {
      expect((await schedules.put(id, own)).status).toBe(200)
    }
    expect(await scheduleEvents(schedules, id)).toHaveLength(1)
  })

  it('with a copy of it may pause it and resume it, each twice', async () => {
    const made = await schedules.made()
    for (const status of ['paused', 'paused', 'active', 'active']) {
      const answer = await schedules.put(made.id, { ...made, status })
      expect([answer.status, answer.body.status]).toEqual([200, status])
    }
  })

  it('by two requests at once loses neither change', async () => {
    const { id } = await schedules.made()
    await Promise.all([
      schedules.put(id, { total: 30 }),
      schedules.put(id, { channel: 'web' }),
      schedules.put(id, { meta: { late: true } }),
    ])
    expect(await schedules.get(id)).toMatchObject({
      total: 30,
      channel: 'web',
      meta: { late: true },
    })
    const events = await scheduleEvents(schedules, id)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  })

  describe.each([
    ['status', { status: 'paused' }, { status: 'active' }],
    ['active', { active: false }, { active: true }],
  ])('pausing and resuming by %s', (_, pause, resume) => {
    it('clears the next run, and computes it anew from now on', async () => {
      const { id } = await schedules.made()
      const paused = await schedules.put(id, pause)
      expect(paused.body).toMatchObject({
        status: 'paused',
        next_run_at: null,
        future_occurrences: [],
      })
      expect(await schedules.get(id)).toEqual(paused.body)
      const again = await schedules.put(id, pause)
      expect(again.body).toEqual(paused.body)
      later()
      const resumed = await schedules.put(id, resume)
      expect(resumed.body).toMatchObject({ status: 'active', count: 0 })
      expect(resumed.body.next_run_at).toBe('2026-01-28T14:00:00.000Z')
      expect(resumed.body.future_occurrences).toHaveLength(12)
      const events = await scheduleEvents(schedules, id)
      expect(events.map(({ type }) => type)).toEqual([
        'create_scheduled_invoice',
        'update_scheduled_invoice',
        'update_scheduled_invoice',
      ])
    })

    it('keeps changes made meanwhile, and runs by them', async () => {
      const { id } = await schedules.made()
      await schedules.put(id, pause)
      const changed = await schedules.put(id, { rule: 'FREQ=DAILY;BYHOUR=10;BYMINUTE=0', total: 1 })
      expect(changed.body).toMatchObject({ status: 'paused', next_run_at: null, total: 1 })
      const { body } = await schedules.put(id, resume)
      expect(body.next_run_at).toBe('2026-01-17T15:00:00.000Z')
    })
  })

  it('resumes without a next run if its rule has ended', async () => {
    const { id } = await schedules.made({ rule: 'FREQ=DAILY;COUNT=2' })
    await schedules.put(id, { status: 'paused' })
    later()
    const { body } = await schedules.put(id, { status: 'active' })
    expect(body).toMatchObject({ status: 'active', next_run_at: null, future_occurrences: [] })
  })

  it('resumes only with an existing customer and payment method', async () => {
    const { body: ada } = await schedules.ask('POST', '/customer', { firstname: 'Ada' })
    const card = await cardOf(ada.id)
    const { id } = await schedules.made({ customer_id: ada.id, payment_method_id: card })
    await schedules.put(id, { status: 'paused' })
    expect((await schedules.ask('DELETE', `/payment-method/${card}`)).status).toBe(200)
    await expectRefused(id, { status: 'active' }, ['payment_method_id'])
    const other = await cardOf(ada.id)
    const resumed = await schedules.put(id, { status: 'active', payment_method_id: other })
    expect(resumed.body).toMatchObject({ status: 'active', payment_method_id: other })
    await schedules.put(id, { status: 'paused' })
    expect((await schedules.ask('DELETE', `/customer/${ada.id}`)).status).toBe(200)
    await expectRefused(id, { status: 'active' }, ['customer_id', 'payment_method_id'])
    expect((await schedules.get(id)).customer.id).toBe(ada.id)
  })

  async function cardOf(customer_id: string): Promise<string> {
    const card = {
      method: 'card',
      person_name: 'Ada',
      card_number: '4111111111111111',
      card_exp: '1239',
      customer_id,
    }
    return (await schedules.ask('POST', '/payment-method', card)).body.id
  }

  it('of a deleted schedule conflicts, whatever is sent', async () => {
    const { id } = await schedules.made()
    await schedules.ask('DELETE', `${PATH}/${id}`)
    for (const body of [{}, { status: 'active' }, { total: 1 }]) {
      const answer = await schedules.put(id, body)
      expectRefusal(answer, 409, 'wrong_state')
      expect(answer.body.message).toBe('the schedule is deleted')
    }
    expectRefusal(await schedules.put(id, { status: 'deleted' }), 400, 'invalid_request', [
      'status',
    ])
  })
})
