import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { openSchedules, PATH, type TestSchedules } from '../support/schedules.ts'
import { type Answer, call } from '../support/test-service.ts'

/** From the oldest to the newest. */
const NAMES = ['first', 'second', 'third', 'fourth', 'fifth'] as const

type Name = (typeof NAMES)[number]

describe('the list of scheduled invoices', () => {
  let schedules: TestSchedules
  let grace: { readonly customer: string; readonly card: string }
  const names = new Map<string, Name>()

  beforeAll(async () => {
    schedules = await openSchedules()
    const { body: customer } = await schedules.ask('POST', '/customer', { firstname: 'Grace' })
    const own = { ...CARD, customer_id: customer.id }
    const { body: card } = await schedules.ask('POST', '/payment-method', own)
    grace = { customer: customer.id, card: card.id }
    const theirs = { customer_id: grace.customer, payment_method_id: grace.card }
    const bodies = [
      { rule: 'FREQ=DAILY;BYHOUR=12;BYMINUTE=0' },
      { rule: 'FREQ=DAILY;BYHOUR=10;BYMINUTE=0', ...theirs },
      { rule: 'FREQ=DAILY;BYHOUR=11;BYMINUTE=0', payment_method_id: null },
      { rule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', ...theirs, payment_method_id: null },
      { rule: 'FREQ=DAILY;BYHOUR=8;BYMINUTE=0' },
    ]
    const ids: string[] = []
    for (const [at, schedule] of bodies.entries()) {
      minute(at)
      ids.push((await schedules.made(schedule)).id)
    }
    for (const [at, id] of ids.entries()) names.set(id, NAMES[at] ?? 'first')
    const [first = '', , third = '', fourth = ''] = ids
    minute(10)
    await schedules.ask('DELETE', `${PATH}/${third}`)
    minute(11)
    await schedules.put(first, { status: 'paused' })
    const ran = 'UPDATE schedule SET count = $2, last_run_at = $3 WHERE id = $1'
    const { db } = schedules.service.world
    await db.query(ran, [first, 7, '2026-01-16T00:00:00Z'])
    await db.query(ran, [fourth, 3, '2026-01-15T00:00:00Z'])
    const stranger = await schedules.service.merchant()
    await call(schedules.service.app, 'POST', '/customer', stranger.headers, { firstname: 'Alan' })
  })
  afterAll(() => schedules.close())

  function minute(at: number): void {
    schedules.clock.at = new Date(Date.UTC(2026, 0, 17, 12, at))
  }

  const list = (query = '') => schedules.ask('GET', `${PATH}${query}`)
  const namesOf = ({ body }: Answer) =>
    body.data.map(({ id }: { readonly id: string }) => names.get(id))

  it('shows all of them, the newest first, each as GET answers it', async () => {
    const answer = await list()
    expect(namesOf(answer)).toEqual(['fifth', 'fourth', 'third', 'second', 'first'])
    for (const one of answer.body.data) expect(await schedules.get(one.id)).toEqual(one)
  })

  // Two of them suffice: equal ones are ordered by age, and nulls come last.
  const SORTED: readonly (readonly [string, readonly Name[], readonly Name[]])[] = [
    ['created_at', ['first', 'second', 'third', 'fourth', 'fifth'], [...NAMES].reverse()],
    [
      'updated_at',
      ['second', 'fourth', 'fifth', 'third', 'first'],
      ['first', 'third', 'fifth', 'fourth', 'second'],
    ],
    [
      'count',
      ['second', 'third', 'fifth', 'fourth', 'first'],
      ['first', 'fourth', 'fifth', 'third', 'second'],
    ],
    [
      'last_run_at',
      ['fourth', 'first', 'second', 'third', 'fifth'],
      ['first', 'fourth', 'fifth', 'third', 'second'],
    ],
    [
      'next_run_at',
      ['fifth', 'fourth', 'second', 'first', 'third'],
      ['second', 'fourth', 'fifth', 'third', 'first'],
    ],
    [
      'status',
      ['second', 'fourth', 'fifth', 'third', 'first'],
      ['first', 'third', 'fifth', 'fourth', 'second'],
    ],
  ]

  it.each(SORTED)('is sorted by %s, up and down', async (sort, up, down) => {
    expect(namesOf(await list(`?sort=${sort}&order=ASC`))).toEqual(up)
    expect(namesOf(await list(`?sort=${sort}&order=desc`))).toEqual(down)
    expect(namesOf(await list(`?sort=${sort}`))).toEqual(down)
  })

  it('is narrowed by its filters, alone and together', async () => {
    expect(namesOf(await list('?status=active'))).toEqual(['fifth', 'fourth', 'second'])
    expect(namesOf(await list('?status=paused'))).toEqual(['first'])
    expect(namesOf(await list('?status=deleted'))).toEqual(['third'])
    const hers = `customer_id=${grace.customer.toUpperCase()}`
    expect(namesOf(await list(`?${hers}`))).toEqual(['fourth', 'second'])
    expect(namesOf(await list(`?payment_method_id=${grace.card}`))).toEqual(['second'])
    const both = await list(`?${hers}&status=active&sort=count&order=DESC`)
    expect(namesOf(both)).toEqual(['fourth', 'second'])
    expect((await list(`?${hers}&status=deleted`)).body).toMatchObject({ total: 0, data: [] })
  })

  it.each([
    ['?status=gone', 'invalid_request', 'status'],
    ['?sort=total', 'invalid_request', 'sort'],
    ['?customer_id=x', 'invalid_id', 'customer_id'],
  ])('refuses %s', async (query, code, field) => {
    expectRefusal(await list(query), 400, code, [field])
  })
})
