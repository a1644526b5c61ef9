// All steps of a run: due by the clock, claimed by a worker, invoiced, charged, recorded.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import {
  openSchedules,
  runsOf,
  schedulesOfAnother,
  type TestSchedules,
} from '../support/schedules.ts'

describe('a schedule that is due', () => {
  let schedules: TestSchedules
  let poor: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules({ queues: ['schedules', 'charge', 'doubt'] })
    poor = await schedulesOfAnother(schedules, DECLINED_CARD)
  })
  afterAll(() => schedules.close())

  const prompt = () => schedules.service.world.queues.ensureRound('schedules')

  /** Starts the round, as the scheduler does each minute. */
  async function tick(): Promise<void> {
    schedules.clock.at = new Date(schedules.clock.at.getTime() + MINUTE)
    await prompt()
  }

  /** Starts it again, as the sweep does: a round that is ending does not look again. */
  async function statusOf(whose: TestSchedules, id: string): Promise<unknown> {
    await prompt()
    return (await invoiceOf(whose, id))?.status
  }

  const invoiceOf = async ({ ask }: TestSchedules, id: string) =>
    (await ask('GET', `/invoice?schedule_id=${id}`)).body.data[0]

  it('makes an invoice, which is paid automatically', async () => {
    const { id } = await schedules.made({ start: '2026-01-17T07:01:30', rule: 'FREQ=DAILY' })
    await tick()
    const { id: other } = await schedules.made({ rule: 'FREQ=DAILY', start: '2026-01-17T07:02:30' })
    expect(await runsOf(schedules, id)).toEqual([])
    await tick()
    await expect.poll(() => statusOf(schedules, id)).toBe('PAID')
    expect(await invoiceOf(schedules, id)).toMatchObject({
      total: 12.5,
      total_paid: 12.5,
      balance_due: 0,
      schedule_id: id,
      due_at: '2026-01-17T12:01:30.000Z',
    })
    const { body } = await schedules.ask('GET', `/transaction?schedule_id=${id}`)
    expect(body.data).toMatchObject([
      { status: 'SUCCESS', type: 'charge', total: 12.5, schedule_id: id, source: null },
    ])
    expect(await schedules.get(id)).toMatchObject({
      count: 1,
      last_invoice_status: 'PAID',
      next_run_at: '2026-01-18T12:01:30.000Z',
    })
    expect(await runsOf(schedules, other)).toEqual([])
    await schedules.put(other, { active: false })
  })

  it('makes an invoice that stays unpaid if the card is declined', async () => {
    const start = new Date(schedules.clock.at.getTime() + MINUTE / 2).toISOString()
    const { id } = await poor.made({ start, rule: 'FREQ=DAILY' })
    await tick()
    await expect.poll(() => statusOf(poor, id)).toBe('ATTEMPTED')
    expect(await invoiceOf(poor, id)).toMatchObject({ total_paid: 0, balance_due: 12.5 })
    expect((await poor.get(id)).last_invoice_status).toBe('ATTEMPTED')
    const { body } = await poor.ask('GET', `/transaction?schedule_id=${id}`)
    expect(body.data).toMatchObject([{ status: 'FAILED', invoice_id: expect.any(String) }])
  })
})
