// A schedule in a zone that this Node.js does not know, as another release or a restored database
// may have one: it cannot run, and keeps nothing else of its account from running.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { advanceHere, clockOf, setClock } from '../support/sandbox-clock.ts'
import { openSchedules, runsOf, type TestSchedules } from '../support/schedules.ts'

let schedules: TestSchedules

beforeAll(async () => {
  schedules = await openSchedules()
})
afterAll(() => schedules.close())

async function inUnknownZone(fields: object = {}): Promise<string> {
  const { id } = await schedules.made(fields)
  const move = "UPDATE schedule SET timezone = 'America/Nowhere' WHERE id = $1"
  await schedules.service.world.db.query(move, [id])
  return id
}

it('gets its zone replaced, and counts from its own start', async () => {
  const id = await inUnknownZone({ start: '2026-02-01T09:00:00' })
  const { status, body } = await schedules.put(id, { timezone: 'America/Chicago' })
  expect([status, body.next_run_at]).toEqual([200, '2026-02-01T15:00:00.000Z'])
  await schedules.ask('DELETE', `/invoice/schedule/${id}`)
})

it('does not keep the clock of its account from advancing, nor other schedules from running', async () => {
  const id = await inUnknownZone()
  const other = await schedules.made()
  expect((await setClock(schedules, '2026-01-17T12:00:00.000Z')).status).toBe(200)
  await advanceHere(schedules, '2026-01-19T12:00:00.000Z')
  expect(await clockOf(schedules)).toMatchObject({
    now: '2026-01-19T12:00:00.000Z',
    status: 'ready',
  })
  expect(await runsOf(schedules, other.id)).toEqual([
    ['2026-01-17T14:00:00.000Z', true],
    ['2026-01-18T14:00:00.000Z', true],
  ])
  expect(await runsOf(schedules, id)).toEqual([])
  expect(await schedules.get(id)).toMatchObject({ next_run_at: '2026-01-17T14:00:00.000Z' })
})

it('is shown and listed without coming runs, and can be deleted, if no outlook is stored', async () => {
  const id = await inUnknownZone()
  await schedules.service.world.db.query('UPDATE schedule SET outlook = NULL WHERE id = $1', [id])
  const shown = {
    future_occurrences: [expect.any(String)],
    rule_text: expect.stringMatching('FREQ'),
  }
  expect(await schedules.get(id)).toMatchObject(shown)
  const { status, body } = await schedules.ask('GET', '/invoice/schedule')
  expect(status).toBe(200)
  expect(body.data.find((one: { id: string }) => one.id === id)).toMatchObject(shown)
  const deleted = await schedules.ask('DELETE', `/invoice/schedule/${id}`)
  expect(deleted).toMatchObject({ status: 200, body: { status: 'deleted' } })
})
