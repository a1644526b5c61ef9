// The commands that close due batches and compare them with the gateway's ledger, and their output.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { dateText } from '../../src/core/whole-days.ts'
import type { BatchRow } from '../../src/settlement/batch.ts'
import { runHere } from '../support/command.ts'
import { type DayEnd, openDayEnd } from '../support/day-end.ts'
import { paymentsApiOf } from '../support/payments-api.ts'

const LONG = { timeout: 60_000 }

let day: DayEnd
let old: BatchRow
let open: BatchRow

/** A batch of the day before yesterday, and one of today. */
beforeAll(async () => {
  day = await openDayEnd({ queues: ['charge', 'refund', 'doubt'] })
  day.clock.move(-2 * DAY)
  await sold(10)
  await sold(2.5)
  day.clock.move(2 * DAY)
  await sold(7)
  ;[old, open] = (await day.batches()) as [BatchRow, BatchRow]
}, LONG.timeout)
afterAll(() => day.close())

async function sold(total: number): Promise<void> {
  expect((await day.charge({ total })).body.status).toBe('SUCCESS')
}

const dateOf = ({ businessDate }: BatchRow) => dateText(businessDate)

describe('lamplighter settle', LONG, () => {
  it('refuses a batch that is not due, in one line', async () => {
    const { status, out, err } = await run('settle', '--date', dateOf(open))
    expect([status, out]).toEqual([1, ''])
    expect(err).toBe(
      `lamplighter: the batch of ${dateOf(open)} of account ${day.merchant.accountId} is not due ` +
        `before ${open.cutoffAt.toISOString()}\n`,
    )
    expect(await day.batches()).toEqual([old, open])
  })

  it.each([
    [['--date', '2026-02-30'], '2026-02-30 is not a date: YYYY-MM-DD'],
    [['--date', 'today'], 'today is not a date: YYYY-MM-DD'],
    [['--date', '2001-01-01'], '2001-01-01 has no batch'],
    [['--account', 'mine'], 'mine is not the id of an account'],
    [
      ['--account', '01941f29-7c00-7000-8000-000000000001'],
      'there is no account 01941f29-7c00-7000-8000-000000000001',
    ],
  ])('%s: %s', async (args, said) => {
    expect(await run('settle', ...args)).toEqual({
      status: 1,
      out: '',
      err: `lamplighter: ${said}\n`,
    })
  })

  it('closes the due batches', async () => {
    const { status, out, err } = await run('settle', '--json')
    expect(status).toBe(0)
    const { accountId } = day.merchant
    expect(JSON.parse(out)).toEqual([
      {
        account_id: accountId,
        team: expect.any(String),
        mode: 'sandbox',
        id: old.id,
        business_date: dateOf(old),
        status: 'closed',
        count: 2,
        sales: 12.5,
        refunds: 0,
        net: 12.5,
        closed_at: expect.stringMatching(/Z$/),
      },
    ])
    // The output is no terminal, so it does not show progress.
    expect(err).toBe('')
    expect((await day.batches()).map(({ status }) => status)).toEqual(['closed', 'open'])
  })

  it('leaves settled batches as they are', async () => {
    const before = await day.batches()
    const again = await run('settle', '--date', dateOf(old))
    expect([again.status, again.err]).toEqual([0, ''])
    expect(again.out).toContain('closed')
    expect(await day.batches()).toEqual(before)
  })

  it('refuses an account without a due batch, and says when the next batch of a service closes', async () => {
    const account = await run('settle', '--account', day.merchant.accountId)
    expect([account.status, account.out]).toEqual([1, ''])
    expect(account.err).toContain(`is not due before ${open.cutoffAt.toISOString()}`)
    const cutoff = open.cutoffAt.toISOString().replace('T', ' ').replace('.000Z', 'Z')
    const { status, out, err } = await run('settle')
    expect([status, err]).toEqual([0, ''])
    expect(out).toBe(
      `No batch is due; the next closes at ${dateOf(open)} 20:00 America/New_York (${cutoff}).\n`,
    )
    expect(await run('settle', '--json')).toEqual({ status: 0, out: '[]\n', err: '' })
  })
})

describe('lamplighter settle, if a batch cannot be closed', LONG, () => {
  it('closes those of other accounts, names it, and fails', async () => {
    const { service, world } = day
    const [stuck, free] = [await service.merchant(), await service.merchant()]
    day.clock.move(-3 * DAY)
    for (const one of [stuck, free]) {
      await paymentsApiOf(service, one, await service.card(one)).charge({ total: 3 })
    }
    day.clock.move(3 * DAY)
    await world.db.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'the row is corrupt'; END $$`)
    await world.db.query(`
      CREATE TRIGGER refuse BEFORE UPDATE ON batch FOR EACH ROW
      WHEN (OLD.account_id = '${stuck.accountId}') EXECUTE FUNCTION refuse()`)
    const { status, out, err } = await run('settle', '--json')
    expect(err).toMatch(
      new RegExp(
        `^lamplighter: the batch of .* of account ${stuck.accountId} is not closed: .+\n$`,
      ),
    )
    expect(err).toContain('the row is corrupt')
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject([{ account_id: free.accountId, status: 'closed' }])
    await world.db.query('DROP TRIGGER refuse ON batch')
    expect(await run('settle', '--json')).toMatchObject({ status: 0, err: '' })
  })
})

describe('lamplighter reconcile', LONG, () => {
  it('shows ledgers that agree', async () => {
    const { status, out } = await run('reconcile', '--date', dateOf(old), '--json')
    expect(status).toBe(0)
    const figures = { count: 2, sales: 12.5, refunds: 0, net: 12.5 }
    expect(JSON.parse(out)).toEqual([
      {
        account_id: day.merchant.accountId,
        team: expect.any(String),
        mode: 'sandbox',
        batch_id: old.id,
        business_date: dateOf(old),
        status: 'closed',
        ...figures,
        fees: null,
        net_after_fees: null,
        gateway: figures,
        differences: [],
        afterwards: [],
      },
    ])
  })

  it('fails if they differ, and shows the differences', async () => {
    const sql = 'UPDATE sandbox_gateway_payment SET amount = 249 WHERE amount = 250 RETURNING key'
    const [doctored] = await day.world.db.query(sql)
    const { status, out } = await run('reconcile', '--date', dateOf(old))
    expect(status).toBe(1)
    expect(out).toContain(`${doctored?.key}: it is of 2.5, to the gateway of 2.49\n`)
    expect(out).toMatch(/closed +2 +12.50 +2 +12.49 +1\n/)
  })

  it('says that a day without business has no batch', async () => {
    const args = ['--date', '2001-01-01', '--account', day.merchant.accountId]
    const out = 'no batch of 2001-01-01\n'
    expect(await run('reconcile', ...args)).toMatchObject({ status: 0, out })
    expect(await run('reconcile', ...args, '--json')).toMatchObject({ status: 0, out: '[]\n' })
  })
})

function run(...args: readonly string[]) {
  return runHere(args, { DATABASE_URL: day.service.databaseUrl })
}
