// The earliest and latest dates that can be written, in every place for a date.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo, expectAllowed } from '../support/check-answer.ts'
import { type Talker, talkersOf } from '../support/junk.ts'
import { JSON_TYPE } from '../support/requests.ts'
import { ROUTES } from '../support/route-table.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const ENDS = [
  ...['0001-01-01', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '0000-01-01'],
  ...['0050-06-15', '0099-12-31', '1582-10-10', '1969-12-31T23:59:59.999Z', '1970-01-01'],
  ...['9999-12-31', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-14:00', '9999-12-31 12:00:00'],
  ...['9999-12-30T12:00:01', '9998-12-31', '8999-12-31', '10000-01-01', '+010000-01-01'],
  ...['99999-12-31', '-000001-01-01', '2026-02-29', '2024-02-29', '2016-12-31T23:59:60Z'],
]

const RULES = ENDS.flatMap((date) => {
  const compact = date.replace(/[-:]|\.\d+/g, '').replace(' ', 'T')
  return [
    `DTSTART:${compact}\nRRULE:FREQ=YEARLY`,
    `FREQ=DAILY;UNTIL=${compact}`,
    `FREQ=YEARLY;COUNT=2\nRDATE:${compact}`,
  ]
})

describe('the ends of time', () => {
  let service: TestService
  let merchant: Merchant
  let talkers: ReadonlyMap<string, Talker>

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    talkers = await talkersOf(service, merchant)
  })
  afterAll(() => service.close())

  const datesIn = Object.keys(ROUTES).filter((route) =>
    /^GET \/(transaction|batch|event|webhook\/\{id\}\/delivery)$/.test(route),
  )

  it.each(datesIn)('are answered in the query of %s, with the rows within', async (route) => {
    const { url = '' } = talkers.get(route) ?? {}
    for (const name of ['start_date', 'end_date']) {
      for (const date of ENDS) {
        const query = new URLSearchParams({ [name]: date })
        const answer = await answerTo(service, merchant, { url: `${url}?${query}` })
        expect(`${query} ${answer.status}`).toMatch(/ (200|400)$/)
      }
    }
    const whole = `${url}?start_date=0001-01-01&end_date=9999-12-31`
    const all = await call(service.app, 'GET', url, merchant.headers)
    const { status, body } = await call(service.app, 'GET', whole, merchant.headers)
    expect([status, body.total]).toEqual([200, all.body.total])
    const past = await call(service.app, 'GET', `${url}?end_date=0050-06-15`, merchant.headers)
    const future = await call(service.app, 'GET', `${url}?start_date=9999-12-31`, merchant.headers)
    expect([past.body.total, future.body.total]).toEqual([0, 0])
  })

  const wheres = [
    ['POST /invoice', 'due_at'],
    ['POST /invoice/schedule', 'start'],
    ['PUT /invoice/schedule/{id}', 'start'],
    ['POST /webhook/{id}/replay', 'since'],
  ] as const

  it.each(wheres)('are answered in the body of %s as %s', async (route, field) => {
    const { method = '', url = '', body } = talkers.get(route) ?? {}
    for (const date of ENDS) {
      const payload = JSON.stringify({ ...body, [field]: date })
      expectAllowed(await answerTo(service, merchant, { method, url, payload, headers: JSON_TYPE }))
    }
  })

  it('are answered in the rule of a schedule', async () => {
    const { method = '', url = '', body } = talkers.get('POST /invoice/schedule') ?? {}
    for (const rule of RULES) {
      const payload = JSON.stringify({ ...body, rule })
      expectAllowed(await answerTo(service, merchant, { method, url, payload, headers: JSON_TYPE }))
    }
  })

  it('are answered as the instant of a sandbox clock', async () => {
    for (const now of ENDS) {
      const merchant = await service.merchant()
      const payload = JSON.stringify({ now })
      const sent = { method: 'POST', url: '/sandbox/clock', payload, headers: JSON_TYPE }
      expectAllowed(await answerTo(service, merchant, sent))
    }
  })
})
