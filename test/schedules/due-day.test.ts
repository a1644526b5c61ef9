// The day by which a scheduled bill is to be paid is that of its run in the schedule's own zone.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { emailChannel } from '../../src/messages/email-channel.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { openPage, pageTextOf } from '../support/pages.ts'
import { outboxOf } from '../support/receipts.ts'
import { openSchedules, type TestSchedules } from '../support/schedules.ts'

let schedules: TestSchedules

beforeAll(async () => {
  schedules = await openSchedules()
})
afterAll(() => schedules.close())

const pageOf = async (id: string) => {
  const { body } = await schedules.ask('GET', `/invoice/${id}`)
  return pageTextOf(await openPage(schedules.service, new URL(body.url).pathname))
}

it('on the page and in the letter, whatever the zone of the account and a later zone', async () => {
  const { world } = schedules.service
  const ada = { firstname: 'Ada', email: 'ada@example.com' }
  const customer = (await schedules.ask('POST', '/customer', ada)).body.id
  const inAuckland = { rule: 'FREQ=MONTHLY', start: '2026-01-19T09:00:00' }
  const schedule = await schedules.made({
    ...inAuckland,
    timezone: 'Pacific/Auckland',
    customer_id: customer,
    payment_method_id: null,
  })
  // It is still the afternoon of the 18th in New York.
  schedules.clock.at = new Date('2026-01-18T20:00:30.000Z')
  await runDueSchedules(world)
  const [row] = await world.db.query('SELECT id FROM invoice WHERE schedule_id = $1', [schedule.id])
  expect(await pageOf(row?.id)).toContain('Please pay by Jan 19, 2026')
  await deliverDue(world, emailChannel(world))
  expect((await outboxOf(schedules)).map(({ text }) => text).join()).toMatch(/Due\s+Jan 19, 2026/)
  const { status } = await schedules.put(schedule.id, { timezone: 'America/New_York' })
  expect(status).toBe(200)
  expect(await pageOf(row?.id)).toContain('Please pay by Jan 19, 2026')
  // A date that is set later is a date everywhere.
  await schedules.ask('PUT', `/invoice/${row?.id}`, { due_at: '2026-02-01' })
  expect(await pageOf(row?.id)).toContain('Please pay by Feb 1, 2026')
})
