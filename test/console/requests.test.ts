// The Requests page: the requests of the last day, with their keys and answers.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { firstIdAt } from '../../src/core/id.ts'
import { DAY } from '../../src/core/time-units.ts'
import { newestStatement } from '../../src/db/newest-anywhere.ts'
import { forgetRequests, RECENT_REQUESTS } from '../../src/operators/recent-requests.ts'
import { type SignedIn, seePage, signIn } from '../support/operator.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { settableClock } from '../support/schedules.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
let other: Merchant
let ada: SignedIn

beforeAll(async () => {
  // The clock stands still, so that no new minute begins within a test.
  const clock = settableClock(new Date().toISOString())
  service = await openTestService({ queues: ['charge'], backend: 'postgres', clock })
  merchant = await service.merchant()
  other = await service.merchant('live')
  ada = await signIn(service.world)
}, 60_000)
beforeEach(() => service.world.db.query('DELETE FROM recent_request'))
afterAll(() => service.close())

const ask = (path: string, of = merchant, headers = {}, method: 'GET' | 'POST' = 'GET') =>
  call(service.app, method, path, { ...of.headers, ...headers }, method === 'GET' ? undefined : {})

const rows = () => service.world.db.query('SELECT * FROM recent_request ORDER BY id')

const untilKept = (count: number) => expect.poll(async () => (await rows()).length).toBe(count)

const shown = async (query = '') =>
  (await seePage(service.app, `/admin/requests${query}`, ada)).html

describe('the requests of the last day', () => {
  it('are shown with their key, their answer, its error and their id', async () => {
    const id = service.world.newId()
    await ask('/self', merchant, { 'x-request-id': 'seen-by-an-operator' })
    await ask(`/transaction/${id}`)
    await untilKept(2)
    const body = await shown()
    expect(body).toContain('GET /self')
    expect(body).toContain('/admin/search?q=seen-by-an-operator')
    expect(body).toContain(`GET /transaction/${id}`)
    expect(body).toContain('not_found')
  })

  it('have no query, no body, and no text in the place of an id', async () => {
    await ask('/transaction?keywords=4111111111111111')
    await ask('/transaction/4111111111111111')
    await ask('/charge/4111111111111111/nowhere')
    await call(service.app, 'POST', '/charge', merchant.headers, { number: '4111111111111111' })
    await untilKept(4)
    expect((await rows()).map(({ path }) => path)).toEqual([
      '/transaction',
      '/transaction/:id',
      'unknown',
      '/charge',
    ])
    expect(JSON.stringify(await rows())).not.toContain('4111')
  })

  it('show why they were refused, without data that must not be kept', async () => {
    const path = `/transaction/${service.world.newId()}/refund`
    const refund = (body: object) => call(service.app, 'POST', path, merchant.headers, body)
    await refund({ total: -5 })
    await refund({ 4111111111111111: 'x', total: 5 })
    await untilKept(2)
    const [first, second] = await rows()
    expect(first).toMatchObject({
      error: 'invalid_request',
      message: expect.stringMatching(/total/),
    })
    expect(second?.message).toMatch(/^a field is not known: use .*total/)
    expect(JSON.stringify(second)).not.toContain('4111111111111111')
    expect(await shown()).toContain(first?.message)
  })

  it('name no unknown parameter, but the one that was probably meant', async () => {
    await ask('/customer?export=csv')
    await ask('/transaction?staus=4111111111111111')
    await ask('/transaction?4111111111111111=SUCCESS')
    await untilKept(3)
    const messages = (await rows()).map(({ message }) => message)
    expect(messages).toEqual([
      expect.stringMatching(/^a query parameter is not known: use page, /),
      'a query parameter is not known: did you mean status?',
      expect.stringMatching(/^a query parameter is not known: use /),
    ])
    expect(JSON.stringify(await rows())).not.toMatch(/csv|staus|4111/)
    expect(await shown()).toContain(messages[1])
  })

  it('name the part of the request that was wrong as a whole', async () => {
    await call(service.app, 'POST', '/charge', merchant.headers, [])
    await untilKept(1)
    expect((await rows())[0]?.message).toBe('body must be an object')
  })

  it('say that a payment was declined', async () => {
    const payment_method_id = await service.card(merchant, DECLINED_CARD)
    await service.charge(merchant, { total: 5, payment_method_id })
    await expect
      .poll(async () => (await rows()).filter(({ path }) => path === '/charge'))
      .toMatchObject([{ status: 400, error: null, message: 'declined' }])
    expect(await shown('?answer=refused')).toContain('>declined<')
  })

  it('are filtered by team, key, answer and request id', async () => {
    await ask('/self', merchant, { 'x-request-id': 'first' })
    await ask('/self', other, { 'x-request-id': 'second' })
    await ask('/charge', other, { 'x-request-id': 'third' }, 'POST')
    await untilKept(3)
    const [, second] = await rows()
    const found = async (query: string) => {
      const body = await shown(query)
      return ['first', 'second', 'third'].filter((id) => body.includes(`q=${id}"`))
    }
    expect(await found('')).toEqual(['first', 'second', 'third'])
    expect(await found(`?team=${merchant.teamId}`)).toEqual(['first'])
    expect(await found(`?key=${second?.key_id}`)).toEqual(['second', 'third'])
    expect(await found('?answer=refused')).toEqual(['third'])
    expect(await found('?answer=failed')).toEqual([])
    expect(await found('?request=second')).toEqual(['second'])
    expect(await shown('?answer=lost')).toContain('“lost” is not one of the choices')
  })

  it.each(['refused', 'failed'] as const)('that were %s are found by an index', async (answer) => {
    const filter = { accountIds: undefined, before: undefined, most: 51 }
    const { text, values } = newestStatement(RECENT_REQUESTS, filter, { answer })
    const plan = await service.world.db.commit('the plan', async (query) => {
      await query('SET LOCAL enable_seqscan = off')
      return query(`EXPLAIN ${text}`, [...values])
    })
    expect(JSON.stringify(plan)).toContain(`recent_request_${answer}`)
  })

  it('of a key are found by an index, with any answer', async () => {
    const filter = { accountIds: undefined, before: undefined, most: 51 }
    const keyId = service.world.newId()
    for (const asked of [{ keyId }, { keyId, answer: 'done' as const }]) {
      const { text, values } = newestStatement(RECENT_REQUESTS, filter, asked)
      const plan = await service.world.db.commit('the plan', async (query) => {
        await query('SET LOCAL enable_seqscan = off')
        return query(`EXPLAIN ${text}`, [...values])
      })
      expect(JSON.stringify(plan)).toMatch(/recent_request_account_id_key_id_id_idx/)
    }
  })

  it('stay those of the key in the address when another filter is chosen', async () => {
    await ask('/self')
    await untilKept(1)
    const [{ key_id: key } = {}] = await rows()
    const [form = ''] = /<form id="filters".*?<\/form>/s.exec(await shown(`?key=${key}`)) ?? []
    expect(form).toContain(`<input type="hidden" name="key" value="${key}"/>`)
    expect(await shown()).not.toContain('name="key"')
  })

  it('are looked through part by part if no index knows the filter', async () => {
    const { accountId } = merchant
    const first = firstIdAt(service.world.clock.now())
    const key = service.world.newId()
    // The only one that succeeded is older than the rows that one reading looks at.
    await service.world.db.query(
      `INSERT INTO recent_request (account_id, id, key_id, request_id, method, path, status, ms, at)
       SELECT $1, (left($2, 24) || lpad(to_hex(n), 12, '0'))::uuid, $3, 'request-' || n, 'GET',
         '/self', CASE n WHEN 0 THEN 200 ELSE 503 END, 1, now()
       FROM generate_series(0, 20100) AS n`,
      [accountId, first, key],
    )
    let page = await shown('?answer=done')
    expect(page).toMatch(/Searched back to [\d-]+ [\d:]+ UTC/)
    for (let parts = 0; parts < 20 && !page.includes('q=request-0"'); parts += 1) {
      const [, older = ''] = /href="\/admin\/requests(\?[^"]*)">Older/.exec(page) ?? []
      page = await shown(older.replaceAll('&amp;', '&'))
    }
    expect(page).toContain('q=request-0"')
    expect(await shown(`?key=${key}`)).toContain('q=request-20100"')
    // Those of a key have an index, so the only one is on the first page.
    const ofKey = await shown(`?answer=done&key=${key}`)
    expect(ofKey).toContain('q=request-0"')
    expect(ofKey).not.toContain('Searched back')
    expect(await shown('?answer=done&request=request-0')).toContain('q=request-0"')
  })

  it('keep a hundred a minute of a key, and all of the other keys', async () => {
    const busy = await service.merchant()
    for (let i = 0; i < 110; i += 1) await ask('/self', busy)
    await ask('/self', other)
    await untilKept(101)
    const own = (await rows()).filter(({ account_id }) => account_id === other.accountId)
    expect(own).toHaveLength(1)
  })

  it('that change something or fail are kept before those that only read', async () => {
    const busy = await service.merchant()
    for (let i = 0; i < 105; i += 1) await ask('/self', busy)
    await ask('/charge', busy, { 'x-request-id': 'not-hidden' }, 'POST')
    await untilKept(101)
    expect((await rows()).some(({ request_id }) => request_id === 'not-hidden')).toBe(true)
  })

  it('have no card number and no key as their id', async () => {
    await ask('/self', merchant, { 'x-request-id': '4111111111111111' })
    await ask('/self', merchant, { 'x-request-id': merchant.key })
    await untilKept(2)
    const text = JSON.stringify(await rows())
    expect(text).not.toContain('4111')
    expect(text).not.toContain(merchant.key)
  })

  it('are answered even if they cannot be kept', async () => {
    const { db } = service.world
    await db.query('ALTER TABLE recent_request RENAME TO hidden_request')
    try {
      expect((await ask('/self')).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect((await ask('/self')).status).toBe(200)
    } finally {
      await db.query('ALTER TABLE hidden_request RENAME TO recent_request')
    }
  })

  it('are deleted after a day', async () => {
    await ask('/self', other, { 'x-request-id': 'new' })
    await expect
      .poll(async () => (await rows()).some(({ request_id }) => request_id === 'new'))
      .toBe(true)
    const now = service.world.clock.now()
    const old = firstIdAt(new Date(now.getTime() - DAY - 60_000))
    await service.world.db.query(
      `INSERT INTO recent_request (account_id, id, key_id, request_id, method, path, status, ms, at)
       SELECT account_id, $1, key_id, 'old', method, path, status, ms, at FROM recent_request
       WHERE request_id = 'new'`,
      [old],
    )
    expect(await forgetRequests(service.world, new Date(now.getTime() - DAY), 100)).toBe(1)
    expect((await rows()).map(({ request_id }) => request_id)).not.toContain('old')
  })
})
