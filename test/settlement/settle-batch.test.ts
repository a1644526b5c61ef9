// Closing a batch, step by step, by the test itself.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Progress } from '../../src/core/progress.ts'
import { DAY } from '../../src/core/time-units.ts'
import { leaveRealTime, stopAt } from '../../src/sandbox-clock/write-clock.ts'
import { findBatchWithAccount } from '../../src/settlement/batch-with-account.ts'
import { nextSettlement } from '../../src/settlement/due-batches.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { freezeBatch, settleBatch } from '../../src/settlement/settle-batch.ts'
import type { World } from '../../src/world.ts'
import { audit } from '../chaos/audit.ts'
import { type DayEnd, expectEventsAsShown, openDayEnd } from '../support/day-end.ts'
import { setClock } from '../support/sandbox-clock.ts'

const LONG_TEST = { timeout: 60_000 }

/** No worker settles here, only the test. */
const QUEUES = ['charge', 'refund', 'doubt'] as const

let day: DayEnd

beforeEach(async () => {
  day = await openDayEnd({ queues: QUEUES })
})
afterEach(() => day.close())

const settle = (id: string, report: (progress: Progress) => void = () => {}) => {
  const item = { accountId: day.merchant.accountId, id, requestId: 'test' }
  return settleBatch(day.world, item, new AbortController().signal, report)
}

const settleAll = () => {
  const { accountId } = day.merchant
  return settleAccount(day.world, { accountId, now: day.clock.now() })
}

const openBatchId = async () => (await day.batches()).at(-1)?.id ?? ''

describe('a batch', () => {
  it('is not closed before its cutoff, and is due at the cutoff', async () => {
    await day.paid()
    const [open] = await day.batches()
    expect(await settle(open?.id ?? '')).toEqual({ kind: 'snooze', until: open?.cutoffAt })
    expect(await day.batches()).toEqual([open])
    expect(await nextSettlement(day.world.db.query, day.merchant.accountId)).toEqual(open?.cutoffAt)
  })

  it('shows the progress of its closing', async () => {
    await day.paid()
    await day.paid()
    const { id } = await day.passCutoff()
    const seen: Progress[] = []
    await settle(id, (progress) => seen.push(progress))
    expect(seen[0]).toEqual({ done: 0, of: 2 })
    expect(seen.at(-1)).toEqual({ done: 2, of: 2 })
  })

  it('is due again when its money arrives', async () => {
    await day.paid()
    const { id } = await day.passCutoff()
    const verdict = await settle(id)
    const [closed] = await day.batches()
    expect(closed?.status).toBe('closed')
    expect(verdict).toEqual({ kind: 'snooze', until: closed?.depositAt })
    expect(closed?.dueAt).toEqual(closed?.depositAt)
    day.moveTo(closed?.depositAt ?? new Date(0))
    expect(await settle(id)).toEqual({ kind: 'done' })
    expect(await nextSettlement(day.world.db.query, day.merchant.accountId)).toBeUndefined()
  })

  it('without transactions is gone, without an event', async () => {
    const id = await day.paid()
    const batchId = await openBatchId()
    await day.ask(id, 'void')
    await day.passCutoff()
    expect(await settle(batchId)).toEqual({ kind: 'done' })
    expect(await day.batches()).toEqual([])
    expect(await day.eventsOfBatch(batchId)).toEqual([])
    expect(await settle(batchId)).toEqual({ kind: 'done' })
  })

  it('closes late with its own date, and later successes are in the next one', async () => {
    const ids: string[] = []
    for (let n = 0; n < 4; n += 1) {
      ids.push(await day.paid({ total: 10 + n }))
      day.clock.move(DAY)
    }
    expect((await day.batches()).map(({ status }) => status)).toEqual(Array(4).fill('open'))
    // The last one's cutoff is a day after its charge at the most.
    day.clock.move(DAY)
    expect(await settleAll()).toBe(4)
    const batches = await day.batches()
    const dates = batches.map(({ businessDate }) => businessDate.getTime())
    expect(dates).toEqual(dates.map((_, n) => (dates[0] ?? 0) + n * DAY))
    expect(batches.map(({ count, sales }) => [count, sales])).toEqual(
      ids.map((_, n) => [1, BigInt(1_000 + 100 * n)]),
    )
    for (const [n, id] of ids.entries()) {
      const { body } = await day.get(id)
      expect(body.batch_id).toBe(batches[n]?.id)
      expect(body.batched_at).toBe(batches[n]?.closedAt?.toISOString())
    }
    // Its money has been there since, whenever it was closed.
    const [first] = batches
    expect(first?.depositedAt?.getTime()).toBeGreaterThan(first?.depositAt?.getTime() ?? Infinity)
    for (const { id } of batches) await expectEventsAsShown(day, id)
    expect(await audit(day.service.databaseUrl, [])).toEqual([])
  })

  it('leaves out transactions that are being voided, whatever the outcome', LONG_TEST, async () => {
    const [taken, voided, kept] = [await day.paid(), await day.paid(), await day.paid()]
    // The gateway is asked about the voids until then, and for hours after.
    day.moveTo(new Date(((await day.batches())[0]?.cutoffAt.getTime() ?? 0) - 60_000))
    const isSilent = (operation: string) => operation === 'void' || operation === 'lookUp'
    day.plan = { fault: ({ operation }) => (isSilent(operation) ? 'silent before' : 'none') }
    const atOnce = { prefer: 'respond-async' }
    for (const id of [voided, kept]) {
      expect((await day.ask(id, 'void', {}, atOnce)).status).toBe(202)
    }
    const { id: first } = await day.passCutoff()
    await settle(first)
    expect((await day.batches())[0]).toMatchObject({ status: 'closed', count: 1, sales: 10_00n })
    expect((await day.get(taken)).body.batch_id).toBe(first)

    const { id: unlucky } = await day.childOf(kept, 'void')
    day.plan = {
      fault: ({ operation, key }) => (operation === 'void' && key === unlucky ? 'decline' : 'none'),
    }
    const outcomes = async () => [
      (await day.childOf(kept, 'void')).status,
      (await day.get(voided)).body.is_voided,
    ]
    await expect.poll(outcomes).toEqual(['FAILED', true])
    const { id: second } = await day.passCutoff()
    await settle(second)
    expect((await day.batches())[0]).toMatchObject({ id: first, count: 1, sales: 10_00n })
    expect((await day.batches())[1]).toMatchObject({ id: second, count: 1, sales: 10_00n })
    expect((await day.get(kept)).body.batch_id).toBe(second)
    expect((await day.get(voided)).body.batch_id).toBeNull()
  })

  it(
    'keeps transactions whose void failed, past its cutoff too, while it is open',
    LONG_TEST,
    async () => {
      const kept = await day.paid()
      day.moveTo(new Date(((await day.batches())[0]?.cutoffAt.getTime() ?? 0) - 60_000))
      day.plan = { fault: () => 'silent before' }
      expect((await day.ask(kept, 'void', {}, { prefer: 'respond-async' })).status).toBe(202)
      const { id } = await day.passCutoff()
      day.plan = { fault: ({ operation }) => (operation === 'void' ? 'decline' : 'none') }
      const outcome = async () => (await day.childOf(kept, 'void')).status
      await expect.poll(outcome).toBe('FAILED')
      await settle(id)
      expect(await day.batches()).toMatchObject([{ id, status: 'closed', count: 1 }])
      expect((await day.get(kept)).body.batch_id).toBe(id)
    },
  )
})

describe('an account with its own clock', () => {
  it('is settled at the instants of that clock, and has nothing due in real time', async () => {
    const { accountId } = day.merchant
    const set = (at: Date) =>
      day.world.db.query('UPDATE account SET clock_at = $2 WHERE id = $1', [accountId, at])
    await set(new Date('2031-03-07T12:00:00Z'))
    const id = await day.paid()
    const [open] = await day.batches()
    expect(open).toMatchObject({ cutoffAt: new Date('2031-03-08T01:00:00Z'), dueAt: null })
    expect(await settle(open?.id ?? '')).toEqual({ kind: 'done' })

    const cutoff = open?.cutoffAt ?? new Date(0)
    expect(await settleAccount(day.world, { accountId, now: cutoff })).toBe(1)
    const [closed] = await day.batches()
    // The day is a Friday, and the clocks change on Sunday.
    const depositAt = new Date('2031-03-10T13:00:00Z')
    expect(closed).toMatchObject({ status: 'closed', closedAt: cutoff, depositAt, dueAt: null })
    expect(await nextSettlement(day.world.db.query, accountId)).toEqual(depositAt)
    await set(cutoff)
    const batchedAt = cutoff.toISOString()
    const { body } = await day.get(id)
    expect(body).toMatchObject({ batched_at: batchedAt, settled_at: batchedAt })
    expect(await settleAccount(day.world, { accountId, now: depositAt })).toBe(1)
    expect((await day.batches())[0]).toMatchObject({ depositedAt: depositAt, dueAt: null })
  })

  it('that it got while the last events were written leaves nothing due in real time', async () => {
    const { accountId } = day.merchant
    await day.paid()
    const { id } = await day.passCutoff()
    const queryHot: World['db']['queryHot'] = async (name, ...rest) => {
      if (name === 'write-settled-events') {
        await day.world.db.commit('clock', async (query) => {
          await leaveRealTime(query, accountId)
          await stopAt(query, accountId, day.clock.now())
        })
      }
      return day.world.db.queryHot(name, ...rest)
    }
    const world = { ...day.world, db: { ...day.world.db, queryHot } }
    const item = { accountId, id, requestId: 'test' }
    const { signal } = new AbortController()
    expect(await settleBatch(world, item, signal, () => {})).toEqual({ kind: 'done' })
    const [closed] = await day.batches()
    expect(closed).toMatchObject({ status: 'closed', eventsWritten: 1, dueAt: null })
    expect(await nextSettlement(day.world.db.query, accountId)).toEqual(closed?.depositAt)
  })
  it('that it got in that moment leaves the batch open before its cutoff', async () => {
    const { accountId } = day.merchant
    await day.paid()
    const { id, cutoffAt } = await day.passCutoff()
    const item = { accountId, id, requestId: 'test' }
    const found = await findBatchWithAccount(day.world.db.query, item, undefined)
    if (found === undefined) throw new Error('it is open')
    expect((await setClock(day, new Date(cutoffAt.getTime() - 1))).status).toBe(200)
    expect(await freezeBatch(day.world, found)).toBeInstanceOf(Date)
    expect(await settle(id)).toEqual({ kind: 'done' })
    expect(await day.batches()).toMatchObject([{ id, status: 'open', closedAt: null }])
    expect(await settleAccount(day.world, { accountId, now: cutoffAt })).toBe(1)
    expect(await day.batches()).toMatchObject([{ id, status: 'closed', closedAt: cutoffAt }])
  })

  it('that it got in that moment leaves the deposit to its date', async () => {
    const { accountId } = day.merchant
    await day.paid()
    const { id } = await day.passCutoff()
    await settle(id)
    const depositAt = (await day.batches())[0]?.depositAt ?? new Date(0)
    day.moveTo(depositAt)
    const commit: World['db']['commit'] = async (...of) => {
      await setClock(day, new Date(depositAt.getTime() - 1))
      return day.world.db.commit(...of)
    }
    const world = { ...day.world, db: { ...day.world.db, commit } }
    const item = { accountId, id, requestId: 'test' }
    const { signal } = new AbortController()
    expect(await settleBatch(world, item, signal, () => {})).toEqual({ kind: 'done' })
    expect(await day.batches()).toMatchObject([{ id, status: 'closed', depositedAt: null }])
    expect(await settleAccount(day.world, { accountId, now: depositAt })).toBe(1)
    expect(await day.batches()).toMatchObject([{ id, depositedAt: depositAt }])
  })
})
