import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/requests.ts'
import { type Diary, MORNING, openDiary, PATH } from '../support/schedules.ts'
import { call } from '../support/test-service.ts'

describe('creating a scheduled invoice under an idempotency key', () => {
  let diary: Diary

  beforeAll(async () => {
    diary = await openDiary()
  })
  afterAll(() => diary.close())

  const plan = (more: object = {}) => ({
    total: 12.5,
    rule: 'FREQ=DAILY',
    start: MORNING,
    customer_id: diary.customer,
    ...more,
  })
  const post = (body: object, key?: string) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    return call(diary.service.app, 'POST', PATH, { ...diary.merchant.headers, ...headers }, body)
  }
  const count = async () => (await diary.ask('GET', PATH)).body.total

  it('makes one, and repeats the answer byte for byte, with the key in the field or the header', async () => {
    const before = await count()
    const first = await post(plan(), 'once')
    expect(first.status).toBe(200)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const defaults = { total: '12.50', email_notification: 1, missed_runs: 'all', meta: {} }
    for (const repeat of [
      await post(plan(defaults), 'once'),
      await post(plan({ idempotency_id: 'once', payment_method_id: null })),
    ]) {
      expect(repeat.text).toBe(first.text)
      expect(repeat.headers['idempotent-replayed']).toBe('true')
    }
    expect(await count()).toBe(before + 1)
  })

  it('makes one for many simultaneous requests', async () => {
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(plan(), 'many')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(
      7,
    )
    expect(await count()).toBe(before + 1)
  })

  it('repeats its answer when the first run is past, and when the schedule is deleted', async () => {
    const first = await post(plan(), 'late')
    diary.clock.at = new Date('2026-02-17T12:00:00.000Z')
    await diary.ask('DELETE', `${PATH}/${first.body.id}`)
    expect((await post(plan(), 'late')).text).toBe(first.text)
    expectRefusal(await post(plan(), 'other'), 400, 'invalid_request', ['start'])
    diary.clock.at = new Date(MORNING)
  })

  it('conflicts with another request, and names the fields that differ', async () => {
    await post(plan(), 'taken')
    const other = await post(plan({ total: 13, rule: 'FREQ=WEEKLY' }), 'taken')
    expectRefusal(other, 409, 'idempotency_conflict', ['rule', 'total'])
    const customer = await call(
      diary.service.app,
      'POST',
      '/customer',
      { ...diary.merchant.headers, 'idempotency-key': 'taken' },
      { firstname: 'Ada' },
    )
    expectRefusal(customer, 409, 'idempotency_conflict')
  })

  it('leaves the key free after a refusal', async () => {
    expectRefusal(await post(plan({ rule: 'FREQ=NEVER' }), 'kept'), 400, 'invalid_request', [
      'rule',
    ])
    const unknown = '01941f29-7c00-7000-8000-000000000001'
    expectRefusal(await post(plan({ customer_id: unknown }), 'kept'), 404, 'not_found', [
      'customer_id',
    ])
    expect((await post(plan(), 'kept')).status).toBe(200)
  })

  it('is refused if header and field differ', async () => {
    const answer = await post(plan({ idempotency_id: 'one' }), 'another')
    expectRefusal(answer, 400, 'invalid_request', ['idempotency_id'])
  })
})
