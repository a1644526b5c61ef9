// Batches on the console: a month, a day, and one batch with its transactions.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  daysOfBatches,
  everyBatchOf,
  listBatchesOfDays,
} from '../../src/settlement/month-of-batches.ts'
import { insertBatch, OPEN } from '../support/batch-rows.ts'
import { recordsOf } from '../support/csv.ts'
import { type SignedIn, see, seePage, signIn } from '../support/operator.ts'
import { settableClock } from '../support/schedules.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** A Friday at noon in New York. */
const NOW = '2026-03-20T16:00:00.000Z'

let service: TestService
let ada: SignedIn
let merchant: Merchant
let other: Merchant
let real: Merchant

/** Closed in the second of its cutoff, at eight in the evening in summer. */
const closed = (date: string, own: object = {}) => ({
  business_date: date,
  cutoff_at: `${date}T23:59:00.000Z`,
  closed_at: `${date}T23:59:01.000Z`,
  ...own,
})

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres', clock: settableClock(NOW) })
  ada = await signIn(service.world)
  merchant = await service.merchant()
  other = await service.merchant()
  real = await service.merchant('live')
  await insertBatch(service, merchant, closed('2026-02-28', { sales: 11_100, count: 3 }))
  await insertBatch(
    service,
    merchant,
    closed('2026-03-01', { sales: 20_000, refunds: 500, count: 4 }),
  )
  await insertBatch(service, other, closed('2026-03-01', { sales: 5_000, count: 2 }))
  await insertBatch(service, real, closed('2026-03-01', { sales: 700_000, count: 70 }))
  // The clocks of New York go forward on the eighth.
  await insertBatch(service, merchant, closed('2026-03-08', { sales: 800, count: 8 }))
  const late = { closed_at: '2026-03-10T23:59:00.000Z' }
  await insertBatch(service, merchant, closed('2026-03-09', { ...late, sales: 900 }))
  await insertBatch(service, merchant, closed('2026-03-31', { sales: 3_100 }))
  await insertBatch(service, merchant, closed('2026-04-01', { sales: 99_900 }))
  const overdue = { ...OPEN, business_date: '2026-03-18', cutoff_at: '2026-03-19T00:00:00.000Z' }
  await insertBatch(service, other, overdue)
}, 60_000)
afterAll(() => service.close())

const MARCH = { first: '2026-03-01', next: '2026-04-01', accountIds: undefined }

/** The cell of a day, as text or as markup. */
function cellOf(page: string, day: string): string {
  return new RegExp(`<td[^>]*data-day="${day}".*?</td>`).exec(page)?.[0] ?? ''
}

const pageAt = async (path: string) => (await seePage(service.app, path, ada)).html

describe('the days of a month', () => {
  it('are all its days, each mode separately', async () => {
    const days = await daysOfBatches(service.world, MARCH)
    expect(days.map(({ mode, date, sales }) => [mode, date, sales])).toEqual([
      ['sandbox', '2026-03-01', 25_000n],
      ['sandbox', '2026-03-08', 800n],
      ['sandbox', '2026-03-09', 900n],
      ['sandbox', '2026-03-18', 0n],
      ['sandbox', '2026-03-31', 3_100n],
      ['live', '2026-03-01', 700_000n],
    ])
  })

  it('add up the sales of all teams, and count the batches in each state', async () => {
    const [first] = await daysOfBatches(service.world, MARCH)
    expect(first).toEqual({
      mode: 'sandbox',
      date: '2026-03-01',
      count: 6,
      sales: 25_000n,
      refunds: 500n,
      closed: 2,
      closing: 0,
      open: 0,
      late: 0,
      closedLate: 0,
      isWhole: true,
    })
  })

  it('show batches that should be closed by now, and late closings', async () => {
    const days = await daysOfBatches(service.world, MARCH)
    const of = (date: string) => days.find((day) => day.date === date && day.mode === 'sandbox')
    expect(of('2026-03-18')).toMatchObject({ open: 1, late: 1, closed: 0 })
    expect(of('2026-03-09')).toMatchObject({ closed: 1, closedLate: 1, late: 0 })
    expect(of('2026-03-08')).toMatchObject({ closed: 1, closedLate: 0 })
  })

  it('count open batches with their present amounts', async () => {
    const seller = await service.merchant()
    const card = await service.card(seller)
    const charged = await call(
      service.app,
      'POST',
      '/charge',
      { ...seller.headers, prefer: 'respond-async' },
      { total: 12.5, payment_method_id: card },
    )
    await insertBatch(service, seller, {
      ...OPEN,
      business_date: '2026-03-20',
      cutoff_at: '2026-03-21T00:00:00.000Z',
    })
    await service.world.db.query(
      `UPDATE transaction SET status = 'SUCCESS', captured = total, owed = NULL, due_at = NULL,
         deadline_at = NULL, business_date = '2026-03-20', version = 1, outcome_sequence = 1,
         message = 'Approved', auth_id = 'a' WHERE id = $1`,
      [charged.body.id],
    )
    const days = await daysOfBatches(service.world, { ...MARCH, accountIds: [seller.accountId] })
    expect(days).toEqual([
      expect.objectContaining({ open: 1, late: 0, count: 1, sales: 1_250n, isWhole: true }),
    ])
    await service.world.db.query('DELETE FROM batch WHERE account_id = $1', [seller.accountId])
  })
})

describe('the page of a month', () => {
  it('links to a file with its batches', async () => {
    const page = await pageAt('/admin/batches?month=2026-03')
    const [, path = ''] = /href="(\/admin\/batches\.csv[^"]*)"/.exec(page) ?? []
    const march = recordsOf(await pageAt(path.replaceAll('&amp;', '&')))
    expect(march.map(({ business_date, mode, net }) => [business_date, mode, net])).toEqual([
      ['2026-03-01', 'live', '7000.00'],
    ])
    const others = recordsOf(await pageAt('/admin/batches.csv?month=2026-03&mode=sandbox'))
    expect(others.map(({ business_date, net }) => [business_date, net])).toEqual([
      ['2026-03-31', '31.00'],
      ['2026-03-18', '0.00'],
      ['2026-03-09', '9.00'],
      ['2026-03-08', '8.00'],
      ['2026-03-01', '195.00'],
      ['2026-03-01', '50.00'],
    ])
    const day = recordsOf(
      await pageAt('/admin/batches.csv?month=2026-03&mode=sandbox&day=2026-03-08'),
    )
    expect(day).toHaveLength(1)
  })

  it('has all batches in its file, in the order of the page, each day read once', async () => {
    const sellers = await Promise.all(Array.from({ length: 30 }, () => service.merchant()))
    for (const seller of sellers) {
      await insertBatch(service, seller, closed('2025-06-03'))
      await insertBatch(service, seller, closed('2025-06-30'))
    }
    const { db } = service.world
    let reads = 0
    const query: typeof db.query = (...asked) => {
      reads += 1
      return db.query(...asked)
    }
    const world = { ...service.world, db: { ...db, query } }
    const rows: string[] = []
    const every = everyBatchOf(world, ['2025-06-30', '2025-06-03', '2025-06-02'], {
      mode: 'sandbox',
      accountIds: undefined,
    })
    for await (const some of every) rows.push(...some.map(({ row }) => row.id))
    const june = { first: '2025-06-01', next: '2025-07-01', accountIds: undefined }
    const page = { mode: 'sandbox', most: 100, skip: 0 } as const
    const listed = (await listBatchesOfDays(service.world, june, page)).map(({ row }) => row.id)
    expect([reads, rows.length, rows]).toEqual([3, 60, listed])
    const file = recordsOf(await pageAt('/admin/batches.csv?month=2025-06&mode=sandbox'))
    expect(file.map(({ id }) => id)).toEqual(listed)
    const part = await see(service.app, '/admin/batches.csv?month=2025-06&page=2', ada)
    expect(part.statusCode).toBe(400)
    await db.query("DELETE FROM batch WHERE business_date < '2026-01-01'")
  })

  it('shows each day with its sums, and no other month', async () => {
    const page = await pageAt('/admin/batches?month=2026-03&mode=sandbox')
    expect(cellOf(page, '2026-03-01')).toContain('data-sales="25000" data-refunds="500"')
    expect(cellOf(page, '2026-03-01')).toContain('>Sun, March 1, 2 batches, 6 payments<')
    expect(cellOf(page, '2026-03-18')).toContain('late')
    expect(cellOf(page, '2026-03-09')).toContain('closed late')
    expect(cellOf(page, '2026-03-02')).not.toContain('data-sales')
    expect(page.match(/data-day="/g)).toHaveLength(31)
    for (const strange of ['$111.00', '$999.00', '2026-02-28', '2026-04-01', '$7,000.00']) {
      expect(page).not.toContain(strange)
    }
    expect(page).toContain('$298.00')
  })

  it('shows live first, and the sandbox if there is nothing else', async () => {
    expect(cellOf(await pageAt('/admin/batches?month=2026-03'), '2026-03-01')).toContain('700000')
    expect(cellOf(await pageAt('/admin/batches?month=2026-04'), '2026-04-01')).toContain('99900')
  })

  it.each([
    ...['', '?month=2026-13', '?month=hello'],
    ...['?month=0050-01', '?month=1969-12', '?month=9000-01', '?month=9999-12'],
  ])('is the present month for %j', async (query) => {
    const page = await pageAt(`/admin/batches${query}`)
    expect(page).toContain('March 2026')
    expect(page).toMatch(/<td class="today" data-day="2026-03-20"/)
  })

  it.each([
    ['2026-01', 'December 2025', 'February 2026'],
    ['2026-12', 'November 2026', 'January 2027'],
  ])('%s lies between %s and %s', async (month, before, after) => {
    const page = await pageAt(`/admin/batches?month=${month}`)
    expect(page).toContain(`aria-label="${before}"`)
    expect(page).toContain(`aria-label="${after}"`)
  })

  it('can be filtered by a team, and says so if the team is unknown', async () => {
    const page = await pageAt(`/admin/batches?month=2026-03&mode=sandbox&team=${other.teamId}`)
    expect(cellOf(page, '2026-03-01')).toContain('data-sales="5000"')
    expect(cellOf(page, '2026-03-08')).not.toContain('data-sales')
    expect(await pageAt('/admin/batches?team=Nobody')).toContain('there is no team Nobody')
  })

  it('names a filter in its address that is off', async () => {
    const page = await pageAt('/admin/batches?month=2026-13&mode=odd&day=2026-03-32')
    for (const words of [
      '“2026-13” is not a month such as 2026-03.',
      '“2026-03-32” is not a day of the month that is shown.',
      '“odd” is not one of the choices',
    ]) {
      expect(page).toContain(words)
    }
    expect(await pageAt('/admin/batches?month=2026-03&mode=live')).not.toContain('class="note"')
  })

  it('lists only the batches of a chosen day', async () => {
    const page = await pageAt('/admin/batches?month=2026-03&mode=sandbox&day=2026-03-01')
    const listed = [...page.matchAll(/<a href="\/admin\/batches\/[^"]+">([\d-]+)<\/a>/g)]
    expect(listed.map(([, date]) => date)).toEqual(['2026-03-01', '2026-03-01'])
    expect(page).toContain('Sun, March 1')
  })

  it('lists its batches page by page, each once', async () => {
    const busy = await service.merchant()
    const days = Array.from({ length: 31 }, (_, i) => `2025-07-${String(i + 1).padStart(2, '0')}`)
    await Promise.all(days.map((day) => insertBatch(service, busy, closed(day))))
    const wanted = { first: '2025-07-01', next: '2025-08-01', accountIds: [busy.accountId] }
    const seen = []
    for (const skip of [0, 10, 20, 30]) {
      const found = await listBatchesOfDays(service.world, wanted, {
        mode: 'sandbox',
        most: 10,
        skip,
      })
      expect(found).toHaveLength(skip === 30 ? 1 : 11)
      seen.push(...found.slice(0, 10).map(({ row }) => row.businessDate.toISOString().slice(0, 10)))
    }
    expect(seen).toEqual(days.toReversed())
    const page = await pageAt(`/admin/batches?month=2025-07&team=${busy.teamId}`)
    expect(page).toContain('page=2')
  })
})

describe('one batch', () => {
  it('has its sums, its closing time and delay, and a link to its transactions', async () => {
    const [late] = await service.world.db.query(
      `SELECT id FROM batch WHERE account_id = $1 AND business_date = '2026-03-09'`,
      [merchant.accountId],
    )
    const path = `/admin/batches/${merchant.accountId}/${late?.id}`
    const page = await pageAt(path)
    expect(page).toContain('$9.00')
    expect(page).toContain('24 h after its cutoff')
    expect(page).toContain('2026-03-10 19:59')
    expect(page).toContain(`${path}/transactions.csv`)
    const file = await see(service.app, `${path}/transactions.csv`, ada)
    expect(file.headers['content-type']).toContain('text/csv')
    expect(file.body).toMatch(/^\u{feff}id,/u)
  })

  it.each([
    ['of another account', () => `${other.accountId}/${merchant.accountId}`],
    ['that is none', () => `${merchant.accountId}/${service.world.newId()}`],
    ['without an id', () => `${merchant.accountId}/hello`],
  ])('%s is not found', async (_what, path) => {
    const { statusCode } = await see(service.app, `/admin/batches/${path()}`, ada)
    expect(statusCode).toBe(404)
  })
})
