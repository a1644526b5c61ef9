// The gateway is notified of closed batches, here by the test itself: this never delays a closing
// or a deposit, and goes on until the gateway has answered.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { MANY_TRIES, nudgeDueBatches } from '../../src/settlement/due-batches.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { tellGateway } from '../../src/settlement/tell-gateway.ts'
import { parkedByKind } from '../../src/upkeep/due-by-kind.ts'
import { audit } from '../chaos/audit.ts'
import { type DayEnd, openDayEnd } from '../support/day-end.ts'
import type { Fault } from '../support/faulty-gateway.ts'

const [MINUTE, DAY] = [60_000, 24 * 60 * 60_000]

let day: DayEnd

beforeEach(async () => {
  day = await openDayEnd({
    queues: ['charge', 'refund', 'doubt'],
    timings: { leaseMs: 30_000, askAgain: { firstMs: 1_000, mostMs: 5 * MINUTE } },
  })
})
afterEach(() => day.close())

const settle = () => {
  const { accountId } = day.merchant
  return settleAccount(day.world, { accountId, now: day.clock.now() })
}

/** Closed batches, one for each day; answers their ids. */
async function closedDays(days: number): Promise<readonly string[]> {
  for (let n = 0; n < days; n += 1) {
    await day.paid()
    await day.passCutoff()
  }
  await settle()
  return (await day.batches()).map(({ id }) => id)
}

const closeBatch = (fault: Fault) => {
  day.plan = { fault: ({ operation }) => (operation === 'closeBatch' ? fault : 'none') }
}

const asked = () => day.gateway.batches.map(({ key }) => key)

describe('a closed batch', () => {
  it('is reported with its id as the key and its frozen sums', async () => {
    const [id = ''] = await closedDays(1)
    expect(asked()).toEqual([])
    expect(await day.tell()).toEqual({ kind: 'done' })
    const { accountId } = day.merchant
    const [batch] = await day.batches()
    expect(day.gateway.batches).toEqual([
      {
        ...{ accountId, key: id, count: 1, sales: 10_00n, refunds: 0n },
        businessDate: batch?.businessDate.toISOString().slice(0, 10),
      },
    ])
    expect(batch).toMatchObject({ toldAt: expect.any(Date), tellDueAt: null, tellAttempt: 1 })
    expect(batch?.dueAt).toEqual(batch?.depositAt)
    expect(await day.tell()).toEqual({ kind: 'done' })
    expect(asked()).toEqual([id])
  })

  it('is reported again if the answer was lost, and the gateway has it once', async () => {
    const [id] = await closedDays(1)
    closeBatch('silent after')
    expect(await day.tell()).toMatchObject({ kind: 'snooze' })
    closeBatch('none')
    day.clock.move(MINUTE)
    await day.tell()
    expect(asked()).toEqual([id, id])
    const books = await day.world.db.query('SELECT key, count, sales FROM sandbox_gateway_batch')
    expect(books).toEqual([{ key: id, count: 1, sales: '1000' }])
    expect((await day.batches())[0]).toMatchObject({ toldAt: expect.any(Date) })
  })

  it('is reported after a worker died between the claim and the answer', async () => {
    const [id = ''] = await closedDays(1)
    const item = { accountId: day.merchant.accountId, id, requestId: 'dies' }
    let statements = 0
    const query: Query = (text, values) => {
      statements += 1
      return statements > 1 ? Promise.reject(new Error('died')) : day.world.db.query(text, values)
    }
    const world = { ...day.world, db: { ...day.world.db, query } }
    await expect(tellGateway(world, item, new AbortController().signal)).rejects.toThrow('died')
    expect((await day.batches())[0]).toMatchObject({ tellAttempt: 1 })
    expect(await day.tell()).toEqual({ kind: 'done' })
    expect(asked()).toEqual([])
    day.clock.move(31_000)
    await day.tell()
    expect(asked()).toEqual([id])
  })

  it('is reported although a worker of the version before has closed it', async () => {
    const [id = ''] = await closedDays(1)
    const asBefore = 'UPDATE batch SET tell_due_at = NULL, due_at = $2 WHERE id = $1'
    await day.world.db.query(asBefore, [id, day.clock.now()])
    await day.tell()
    expect(asked()).toEqual([id])
    const [batch] = await day.batches()
    expect(batch).toMatchObject({ toldAt: expect.any(Date), dueAt: batch?.depositAt })
  })
})

describe('a gateway that is silent', () => {
  it('delays neither the closing nor the deposit', async () => {
    closeBatch('silent before')
    const [id = ''] = await closedDays(1)
    await day.tell()
    const [closed] = await day.batches()
    expect(closed).toMatchObject({ status: 'closed', count: 1, toldAt: null })
    day.moveTo(closed?.depositAt ?? new Date(0))
    await settle()
    expect((await day.told(id)).map(({ type }) => type)).toEqual(['create_batch', 'create_deposit'])
    expect((await day.batches())[0]).toMatchObject({ toldAt: null, dueAt: null })
    closeBatch('none')
    day.clock.move(DAY)
    expect(await day.tell()).toEqual({ kind: 'done' })
    expect((await day.batches())[0]).toMatchObject({ toldAt: expect.any(Date), tellDueAt: null })
    expect(await audit(day.service.databaseUrl, [])).toEqual([])
  })

  it('gets the report less and less often, and of one batch of the account at a time', async () => {
    closeBatch('silent before')
    const ids = await closedDays(3)
    const waits: number[] = []
    for (let n = 0; n < 12; n += 1) {
      const before = day.clock.now().getTime()
      const verdict = await day.tell()
      if (verdict.kind !== 'snooze') throw new Error('it is silent')
      // No other report of the account is sent meanwhile, whichever batch is nudged.
      expect(await day.tell()).toEqual({ kind: 'done' })
      waits.push(verdict.until.getTime() - before)
      day.moveTo(verdict.until)
    }
    expect(waits[0]).toBeLessThan(2_500)
    expect(waits.at(-1)).toBeGreaterThan(8_000)
    expect(asked()).toEqual([...ids, ...ids, ...ids, ...ids])
  })

  it("about one batch does not keep the account's other batches from being reported", async () => {
    const [poison = '', ...others] = await closedDays(3)
    day.plan = { fault: ({ key }) => (key === poison ? 'silent before' : 'none') }
    for (let n = 0; n < 3; n += 1) {
      await day.tell()
      day.clock.move(MINUTE)
    }
    const told = (await day.batches()).filter(({ toldAt }) => toldAt !== null)
    expect(told.map(({ id }) => id)).toEqual(others)
  })

  it('for an hour is shown to a person, and is notified again all the same', async () => {
    const [id] = await closedDays(1)
    closeBatch('silent before')
    const startMs = day.clock.now().getTime()
    const waiting = async () =>
      (await parkedByKind(day.world)).find(({ kind }) => kind === 'batch')?.count
    for (let n = 1; n <= MANY_TRIES; n += 1) {
      expect([n, await waiting()]).toEqual([n, 0])
      await day.tell()
      day.clock.move(6.5 * MINUTE)
    }
    expect(await waiting()).toBe(1)
    expect(day.clock.now().getTime() - startMs).toBeGreaterThan(60 * MINUTE)
    closeBatch('none')
    await day.tell()
    expect(asked().filter((key) => key === id).length).toBe(MANY_TRIES + 1)
    expect(await waiting()).toBe(0)
  })

  it('is found by the sweep when it can be notified again, and not before', async () => {
    const found = async () => {
      const nudged: string[] = []
      const nudgeOverdue = async (queue: string, rows: readonly unknown[]) => {
        if (rows.length > 0) nudged.push(queue)
      }
      await nudgeDueBatches({ ...day.world, queues: { nudgeOverdue } } as never)
      return nudged
    }
    await closedDays(1)
    expect(await found()).toEqual(['tell_gateway'])
    closeBatch('silent before')
    const verdict = await day.tell()
    expect(await found()).toEqual([])
    if (verdict.kind === 'snooze') day.moveTo(verdict.until)
    expect(await found()).toEqual(['tell_gateway'])
  })
})
