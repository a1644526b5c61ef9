// Runs that were missed are charged together: a card that declines one of them is not tried for
// each of the others.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCharge } from '../../src/payments/make/make-payment.ts'
import { retryDueInvoices } from '../../src/schedules/retry-due-invoices.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { type Diary, diaryOf, openDiary } from '../support/schedules.ts'

const DECLINED = '4012888888881881'
const MORNING = '2026-01-17T12:00:00.000Z'
const DAY_MS = 86_400_000

let first: Diary
let diary: Diary

beforeAll(async () => {
  first = await openDiary()
})
afterAll(() => first.close())
beforeEach(() => {
  first.clock.at = new Date(MORNING)
})

async function of(cardNumber?: string): Promise<void> {
  const { service, clock } = first
  diary = await diaryOf(service, clock, await service.merchant(), cardNumber)
}

const query = (text: string, ...values: unknown[]) => diary.service.world.db.query(text, values)

/** The payments that are under way, in the order in which they would be made. */
const underWay = async () => {
  const text = `SELECT id FROM transaction WHERE account_id = $1 AND status = 'PENDING' ORDER BY id`
  return (await query(text, diary.merchant.accountId)).map(({ id }) => id as string)
}

const make = (id: string) => {
  const { service, merchant } = diary
  return makeCharge(
    service.world,
    { accountId: merchant.accountId, id },
    new AbortController().signal,
  )
}

/** How often the gateway was told to charge the card. */
const ordered = async () => {
  const text = `SELECT count(*)::integer AS count FROM sandbox_gateway_payment
    WHERE account_id = $1 AND outcome IN ('approved', 'declined')`
  const [row] = await query(text, diary.merchant.accountId)
  return row?.count
}

const invoices = () =>
  query(
    'SELECT status, tries, retry_at FROM invoice WHERE account_id = $1 ORDER BY pay_by',
    diary.merchant.accountId,
  )

async function daysLater(days: number): Promise<void> {
  diary.clock.at = new Date(diary.clock.at.getTime() + days * DAY_MS)
}

/** A daily schedule after days without rounds. */
async function missed(days: number, wish: object = {}): Promise<string> {
  const { id } = await diary.made(wish)
  await daysLater(days)
  await runDueSchedules(diary.service.world)
  expect(await underWay()).toHaveLength(days)
  return id
}

describe('after days without rounds', () => {
  it('a card that is declined is tried once, and once at each retry', async () => {
    await of(DECLINED)
    const { world } = diary.service
    await missed(4)
    for (const days of [1, 2, 4, 0]) {
      const tries = (await invoices())[0]?.tries
      const before = await ordered()
      for (const id of await underWay()) await make(id)
      expect(await ordered()).toBe(before + 1)
      const after = await invoices()
      expect(after.map((one) => one.status)).toEqual(Array(4).fill('ATTEMPTED'))
      expect(after.map((one) => one.tries)).toEqual(Array(4).fill(tries))
      // All of them follow the plan of retries together.
      const [retryAt] = after.map((one) => one.retry_at)
      expect(retryAt === null).toBe(days === 0)
      expect(after.map((one) => one.retry_at)).toEqual(Array(4).fill(retryAt))
      await query(`UPDATE schedule SET status = 'paused', next_run_at = NULL, due_at = NULL`)
      await daysLater(days)
      await retryDueInvoices(world)
    }
    expect(await ordered()).toBe(4)
  })

  it('says of the others why they were not tried', async () => {
    await of(DECLINED)
    const id = await missed(3)
    for (const one of await underWay()) await make(one)
    const outcomes = 'status, decline_code, retry_advice, message'
    const [one, ...others] = await query(
      `SELECT ${outcomes} FROM transaction WHERE schedule_id = $1 ORDER BY id`,
      id,
    )
    expect(one).toMatchObject({ decline_code: 'card_declined', retry_advice: 'later' })
    const message = 'Not tried: the card was just declined for another run of the schedule'
    // With the same advice: a card that must not be tried again is not tried for them either.
    expect(others).toEqual(Array(2).fill({ ...one, message }))
  })

  it('the others wait for the first one, in whatever order workers take them', async () => {
    await of(DECLINED)
    await missed(3)
    const [one = '', two = '', three = ''] = await underWay()
    expect(await make(three)).toMatchObject({ kind: 'snooze' })
    expect(await make(two)).toMatchObject({ kind: 'snooze' })
    expect(await ordered()).toBe(0)
    expect(await make(one)).toMatchObject({ kind: 'done' })
    expect(await make(three)).toMatchObject({ kind: 'done' })
    expect(await make(two)).toMatchObject({ kind: 'done' })
    expect(await ordered()).toBe(1)
    expect(await underWay()).toEqual([])
  })

  it('a card that works pays for each of them, as soon as it has paid for one', async () => {
    await of()
    await missed(4)
    const [one = '', ...others] = await underWay()
    await make(one)
    for (const id of others.reverse()) expect(await make(id)).toMatchObject({ kind: 'done' })
    expect((await invoices()).map(({ status }) => status)).toEqual(Array(4).fill('PAID'))
    expect(await ordered()).toBe(4)
  })

  it('runs of another schedule are tried all the same', async () => {
    await of(DECLINED)
    await diary.made()
    await diary.made()
    await daysLater(1)
    await runDueSchedules(diary.service.world)
    for (const id of await underWay()) await make(id)
    expect(await ordered()).toBe(2)
  })
})

it('a run in time is tried, whatever became of the run before', async () => {
  await of(DECLINED)
  await diary.made()
  for (const _ of [1, 2]) {
    await daysLater(1)
    await runDueSchedules(diary.service.world)
    for (const id of await underWay()) await make(id)
  }
  expect(await ordered()).toBe(2)
})
