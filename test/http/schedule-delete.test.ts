import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlState } from '../../src/db/failure.ts'
import { openFurther } from '../support/further.ts'
import { expectRefusal } from '../support/requests.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { openSchedules, PATH, scheduleEvents, type TestSchedules } from '../support/schedules.ts'
import { call } from '../support/test-service.ts'

const LATE_MS = [0, 3, 10, 30, 500]

describe('deleting a scheduled invoice', () => {
  let schedules: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
  })
  afterAll(() => schedules.close())

  const remove = (id: string) => schedules.ask('DELETE', `${PATH}/${id}`)

  it('answers the record, a second time too, and writes one event', async () => {
    const before = await schedules.made()
    schedules.clock.at = new Date('2026-01-17T12:34:56.789Z')
    const at = schedules.clock.at.toISOString()
    const { status, body } = await remove(before.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      status: 'deleted',
      next_run_at: null,
      future_occurrences: [],
      deleted_at: at,
      updated_at: at,
    })
    expect((await remove(before.id)).body).toEqual(body)
    expect(await schedules.get(before.id)).toEqual(body)
    const [, deletion, ...more] = await scheduleEvents(schedules, before.id)
    expect(deletion).toEqual({
      type: 'delete_scheduled_invoice',
      sequence: 2,
      snapshot: body,
      same_commit: true,
    })
    expect(more).toEqual([])
  })

  it('by many requests at once is done once', async () => {
    const { id } = await schedules.made()
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await scheduleEvents(schedules, id)).toHaveLength(2)
  })

  it('works for a paused schedule', async () => {
    const { id } = await schedules.made()
    await schedules.put(id, { status: 'paused' })
    expect((await remove(id)).body.status).toBe('deleted')
  })

  it('keeps it in lists', async () => {
    const { id } = await schedules.made()
    await remove(id)
    for (const query of ['', '?status=deleted']) {
      const { body } = await schedules.ask('GET', `${PATH}${query}`)
      expect(body.data.map((one: { id: string }) => one.id)).toContain(id)
    }
    const { body } = await schedules.ask('GET', `${PATH}?status=active`)
    expect(body.data.map((one: { id: string }) => one.id)).not.toContain(id)
  })

  it('cannot be undone, not even in the database', async () => {
    const { id } = await schedules.made()
    const activate = () =>
      schedules.service.world.db.query("UPDATE schedule SET status = 'active' WHERE id = $1", [id])
    await activate()
    await remove(id)
    expect(await activate().catch(sqlState)).toBe('23514')
  })

  it('stops the retries of its unpaid invoices, with their events', async () => {
    const { id } = await schedules.made()
    const other = await schedules.made()
    const [mine, paid, theirs] = await Promise.all([
      bill(id, 'ATTEMPTED'),
      bill(id, 'PAID'),
      bill(other.id, 'ATTEMPTED'),
    ])
    await remove(id)
    const sql = `SELECT id, retry_at IS NOT NULL AS is_tried, due_at IS NOT NULL AS is_due, version
      FROM invoice WHERE id = ANY($1)`
    const rows = await schedules.service.world.db.query(sql, [[mine, paid, theirs]])
    const byId = Object.fromEntries(rows.map(({ id: one, ...rest }) => [one, rest]))
    expect(byId).toEqual({
      [mine]: { is_tried: false, is_due: false, version: 2 },
      [paid]: { is_tried: false, is_due: false, version: 1 },
      [theirs]: { is_tried: true, is_due: true, version: 1 },
    })
    const events = await schedules.service.world.db.query(
      `SELECT type, resource_id, sequence, snapshot->>'next_retry_at' AS next_retry_at FROM event
       WHERE resource_id = ANY($1)`,
      [[mine, paid, theirs]],
    )
    expect(events).toEqual([
      { type: 'update_invoice', resource_id: mine, sequence: 2, next_retry_at: null },
    ])
  })

  async function bill(scheduleId: string, status: 'ATTEMPTED' | 'PAID'): Promise<string> {
    const id = schedules.service.world.newId()
    const isPaid = status === 'PAID'
    const at = new Date('2026-02-01T00:00:00Z')
    await schedules.service.world.db.query(
      `INSERT INTO invoice (account_id, id, status, total, total_paid, currency, customer_id,
         payment_method_id, schedule_id, token, meta, payment_id, paid_at, retry_at, due_at,
         request_id, created_at, updated_at)
       SELECT account_id, $2::uuid, $3, 1250, $4, 'USD', customer_id, payment_method_id, id,
         md5($2::uuid::text), '{}', $5, $6, $7, $7, 'r', $8, $8 FROM schedule WHERE id = $1`,
      [
        scheduleId,
        id,
        status,
        isPaid ? 1250 : 0,
        isPaid ? id : null,
        isPaid ? at : null,
        isPaid ? null : at,
        at,
      ],
    )
    return id
  }
})

describe('a customer and a payment method', () => {
  let schedules: TestSchedules

  beforeAll(async () => {
    schedules = await openSchedules()
  })
  afterAll(() => schedules.close())

  async function billed() {
    const { body: ada } = await schedules.ask('POST', '/customer', { firstname: 'Ada' })
    const { body: card } = await schedules.ask('POST', '/payment-method', {
      ...CARD,
      customer_id: ada.id,
    })
    const body = { customer_id: ada.id, payment_method_id: card.id }
    return { body, customer: `/customer/${ada.id}`, card: `/payment-method/${card.id}` }
  }

  it('are not deleted while an active schedule uses them, and the refusal says so', async () => {
    const { body, customer, card } = await billed()
    const { id } = await schedules.made(body)
    for (const url of [customer, card]) {
      const answer = await schedules.ask('DELETE', url)
      expectRefusal(answer, 409, 'in_use')
      expect(answer.body.message).toContain(id)
      expect((await schedules.ask('GET', url)).status).toBe(200)
    }
    await schedules.put(id, { remove: ['payment_method_id'] })
    expect((await schedules.ask('DELETE', card)).status).toBe(200)
    expectRefusal(await schedules.ask('DELETE', customer), 409, 'in_use')
    await schedules.ask('DELETE', `${PATH}/${id}`)
    expect((await schedules.ask('DELETE', customer)).status).toBe(200)
  })

  it('are deleted if the schedule is paused', async () => {
    const { body, customer } = await billed()
    const { id } = await schedules.made(body)
    await schedules.put(id, { active: false })
    expect((await schedules.ask('DELETE', customer)).status).toBe(200)
  })

  it('are never both deleted and used, whichever request comes first', async () => {
    await using further = await openFurther(schedules.service)
    const elsewhere = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
      call(further.app, method, url, schedules.merchant.headers, body)
    const outcomes = new Set<string>()
    for (let round = 0; round < 24; round += 1) {
      const { body, customer, card } = await billed()
      const target = round % 2 === 0 ? customer : card
      const plan = { total: 1, rule: 'FREQ=DAILY', ...body }
      const isResuming = round % 4 >= 2
      const paused = isResuming ? (await schedules.made(plan)).id : undefined
      if (paused !== undefined) await schedules.put(paused, { active: false })
      const use = () =>
        paused === undefined
          ? elsewhere('POST', PATH, plan)
          : elsewhere('PUT', `${PATH}/${paused}`, { active: true })
      const remove = async () => {
        // Otherwise the request with less work would always be first.
        await delay(LATE_MS[round % LATE_MS.length])
        return schedules.ask('DELETE', target)
      }
      const [first, second] = round % 3 === 0 ? [use, remove] : [remove, use]
      const answers = await Promise.all([first(), second()])
      const statuses = answers.map(({ status }) => status).sort()
      expect(`${answers.map(({ text }) => text).join('\n')}`).not.toMatch(/internal_error/)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      outcomes.add(statuses.join())
    }
    expect(outcomes).toContain('200,409')
  })
})
