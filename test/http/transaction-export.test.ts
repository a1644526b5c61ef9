import { type IncomingMessage, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DatabaseAway } from '../../src/db/failure.ts'
import { recordsOf } from '../support/csv.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { listen } from '../support/raw-connection.ts'
import { expectRefusal, send } from '../support/requests.ts'
import { call } from '../support/test-service.ts'

/** The file of this many is far larger than the buffers between server and client. */
const MANY = 10_000
const LONG = { note: 'x'.repeat(4_000) }

/** Rows of one piece of the file, at most. */
const PIECE = 100

const PATIENTLY = { timeout: 15_000, interval: 50 }

/** Copies an existing transaction, each a minute older than the one before. */
const COPIES = `
  INSERT INTO transaction SELECT (copy).* FROM (
    SELECT jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
      'idempotency_id', NULL, 'created_at', t.created_at - n * interval '1 minute')) AS copy
    FROM transaction t, generate_series(1, $2::integer) AS n WHERE t.id = $1
  ) AS copies`

describe('the export of transactions', () => {
  let api: PaymentsApi
  let port: number

  const ask = (url: string) => call(api.service.app, 'GET', url, api.merchant.headers)

  const linesOf = async (query: string) => {
    const { status, text } = await ask(`/transaction?export=csv${query}`)
    expect(status).toBe(200)
    return recordsOf(text)
  }

  beforeAll(async () => {
    api = await openPaymentsApi({ queues: ['charge', 'refund'] })
    const { app } = api.service
    const customer = { firstname: '=cmd|calc', lastname: 'O"Hara, Ada', company: '+Plus' }
    const { body } = await call(app, 'POST', '/customer', api.merchant.headers, customer)
    const manual = { type: 'charge', method: 'check', customer_id: body.id }
    const words = { message: '@SUM(1)\nand more', source: '-1', meta: { a: ['x,y', 1.5] } }
    const recorded = { ...manual, ...words, total: 7.1 }
    await call(app, 'POST', '/transaction', api.merchant.headers, recorded)
    await api.ask((await api.charge({ total: 12.5 })).body.id, 'void')
    port = await listen(app)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  afterAll(() => api.service.close())

  it('is a text file whose first line has the names', async () => {
    const { headers, text } = await ask('/transaction?export=csv')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="transactions.csv"')
    expect(text).toMatch(/^id,type,method,status,success,message,decline_code,retry,total,/)
    expect(text.endsWith('\n')).toBe(true)
  })

  it('has the rows of the list, in its order, flat', async () => {
    const query = '&all=1&sort=total&order=asc'
    const lines = await linesOf(query)
    const { data } = (await ask(`/transaction?${query.slice(1)}`)).body
    expect(lines).toHaveLength(3)
    for (const [i, shown] of data.entries()) {
      const { customer, payment_method: method, child_transactions: _, ...fields } = shown
      const line = lines[i] ?? {}
      for (const [name, value] of Object.entries(fields)) {
        if (/^(total|total_refunded|meta|message|source|child_captures)$/.test(name)) continue
        expect([name, line[name]]).toEqual([name, value === null ? '' : String(value)])
      }
      expect(line.card_type).toBe(method.card_type ?? '')
      expect(line.customer_email).toBe(customer.email ?? '')
    }
    expect(lines.map(({ total }) => total)).toEqual(['7.10', '12.50', '12.50'])
    expect(lines.map((line) => line.total_refunded)).toEqual(['0.00', '0.00', '0.00'])
  })

  it('keeps text as it is, except for text that a spreadsheet would run', async () => {
    const [line] = await linesOf('&is_manual=1')
    expect(line).toMatchObject({
      message: "'@SUM(1)\nand more",
      source: "'-1",
      customer_firstname: "'=cmd|calc",
      customer_lastname: 'O"Hara, Ada',
      customer_company: "'+Plus",
    })
    expect(JSON.parse(line?.meta ?? '')).toEqual({ a: ['x,y', 1.5] })
  })

  it('is narrowed as the list is, and complete whatever page is asked for', async () => {
    expect(await linesOf('&type=void')).toHaveLength(1)
    expect(await linesOf('&all=1&limit=1&page=2')).toHaveLength(3)
    expect(await linesOf('&type=credit')).toEqual([])
    const answer = await ask('/transaction?export=csv&kind=x')
    expectRefusal(answer, 400, 'invalid_request', ['kind'])
  })

  it('answers HEAD without making the file', async () => {
    const asked = vi.spyOn(api.service.world.db, 'query')
    // The service asks for other things at any time.
    const reads = () => asked.mock.calls.filter(([text]) => text.includes('FROM transaction'))
    const { headers } = api.merchant
    const url = '/transaction?export=csv'
    await ask(url)
    expect(reads()).not.toEqual([])
    asked.mockClear()
    const head = await send(api.service.app, { method: 'HEAD', url, headers })
    expect([head.status, head.text, head.headers['content-type']]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8',
    ])
    expect(reads()).toEqual([])
  })

  describe('of many', () => {
    beforeAll(async () => {
      const { id } = (await api.charge({ total: 99, meta: LONG })).body
      await api.service.world.db.query(COPIES, [id, MANY])
    }, 60_000)

    /** The text that was read of the file, and whether all of it came. */
    const open = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const path = '/transaction?export=csv&total=99'
        const { headers } = api.merchant
        request({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject).end()
      })

    it('is complete, with each transaction once', async () => {
      const lines = await linesOf('&total=99&order=asc')
      expect(lines).toHaveLength(MANY + 1)
      expect(new Set(lines.map(({ id }) => id)).size).toBe(MANY + 1)
      const times = lines.map((line) => line.created_at ?? '')
      expect(times).toEqual([...times].sort())
    })

    it('waits for a slow reader, and ends when the reader goes away', async () => {
      const { db } = api.service.world
      const asked = vi.spyOn(db, 'ask')
      const answer = await open()
      await expect.poll(isAtRest(asked.mock.calls), PATIENTLY).toBe(true)
      const before = asked.mock.calls.length
      // Each row is asked for by itself.
      expect(before).toBeGreaterThan(PIECE)
      expect(before).toBeLessThan(MANY / 2)
      const busy = await db.query(BUSY)
      expect(busy).toEqual([{ busy: 0 }])
      answer.destroy()
      await expect.poll(isAtRest(asked.mock.calls), PATIENTLY).toBe(true)
      expect(asked.mock.calls.length).toBeLessThan(before + 2 * PIECE)
    })

    it('breaks off visibly if it cannot go on', async () => {
      const { db } = api.service.world
      const real = db.ask
      let left = 1_000
      vi.spyOn(db, 'ask').mockImplementation((statement, input) => {
        left -= 1
        return left < 0 ? Promise.reject(new DatabaseAway('gone')) : real(statement, input)
      })
      const answer = await open()
      expect(answer.statusCode).toBe(200)
      let text = ''
      const end = new Promise((resolve) => {
        answer.on('data', (piece) => {
          text += piece
        })
        answer.on('error', resolve).on('close', resolve)
      })
      await end
      expect(answer.complete).toBe(false)
      expect(text.split('\n').length).toBeGreaterThan(250)
    })
  })

  it('answers an error if it cannot begin', async () => {
    vi.spyOn(api.service.world.db, 'query').mockRejectedValue(new DatabaseAway('gone'))
    const answer = await ask('/transaction?export=csv')
    expectRefusal(answer, 503, 'unavailable')
    expect(answer.headers['content-disposition']).toBeUndefined()
  })
})

/** Statements in progress, and transactions between statements, except this one's own. */
const BUSY = `
  SELECT count(*)::integer AS busy FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'lamplighter'
    AND state <> 'idle'`

/** Whether no call came between several looks in a row. */
function isAtRest(calls: readonly unknown[]): () => boolean {
  let [seen, still] = [-1, 0]
  return () => {
    still = calls.length === seen ? still + 1 : 0
    seen = calls.length
    return still >= 6
  }
}
