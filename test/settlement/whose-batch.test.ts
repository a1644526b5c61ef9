// The batch of a success: the one that is open at that moment, with the cutoff of its opening,
// whatever has changed in its team since.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settleBatch } from '../../src/settlement/settle-batch.ts'
import { openDayEnd } from '../support/day-end.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { advanceTo } from '../support/sandbox-clock.ts'
import { setTeam } from '../support/set-team.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const LONG_TEST = { timeout: 120_000 }
const START_MS = 120_000
describe('an account whose settings change', LONG_TEST, () => {
  let service: TestService
  let api: PaymentsApi

  beforeAll(async () => {
    service = await openTestService()
  }, START_MS)
  afterAll(() => service.close())

  beforeEach(async () => {
    api = await newPaymentsApi(service)
    // It is a Monday in winter, in the morning.
    await advanceTo(api, '2027-01-04T12:00:00Z')
    await api.paid()
  })

  const change = (...changes: string[]) => setTeam(service.world, api.merchant.teamId, changes)

  /** The batches, the oldest first. */
  async function batches(): Promise<readonly unknown[]> {
    const { headers } = api.merchant
    const { body } = await call(service.app, 'GET', '/batch?sort=business_date&order=ASC', headers)
    return body.data
  }

  it('keeps its open batch, and has the new cutoff in the new zone from the next one', async () => {
    await change('sandbox_cutoff=18:30', 'sandbox_timezone=America/Chicago')
    await advanceTo(api, '2027-01-05T00:59:59.999Z')
    await api.paid()
    const first = { business_date: '2027-01-04', cutoff_at: '2027-01-05T01:00:00.000Z', count: 2 }
    expect(await batches()).toMatchObject([{ ...first, status: 'open' }])
    await advanceTo(api, '2027-01-05T01:00:00Z')
    await api.paid()
    const next = { business_date: '2027-01-05', cutoff_at: '2027-01-06T00:30:00.000Z', count: 1 }
    expect(await batches()).toMatchObject([
      { ...first, status: 'closed', deposit_at: '2027-01-05T14:00:00.000Z' },
      { ...next, status: 'open' },
    ])
    await advanceTo(api, '2027-01-06T00:30:00Z')
    expect((await batches())[1]).toMatchObject({
      ...next,
      status: 'closed',
      deposit_at: '2027-01-06T15:00:00.000Z',
    })
  })

  it('has no day twice, though the new cutoff of a closed day is still to come', async () => {
    await change('sandbox_cutoff=23:00')
    await advanceTo(api, '2027-01-05T02:00:00Z')
    await api.paid()
    expect(await batches()).toMatchObject([
      { business_date: '2027-01-04', status: 'closed', count: 1 },
      { business_date: '2027-01-05', cutoff_at: '2027-01-06T04:00:00.000Z', count: 1 },
    ])
  })

  /** Closes the batches of later dates, as a sandbox clock that was ahead would have. */
  async function closeDays(from: string, until: string): Promise<void> {
    await service.world.db.query(
      `INSERT INTO batch
       SELECT (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(),
         'business_date', day::date, 'cutoff_at', day + interval '25 hours',
         'closed_at', day + interval '25 hours'))).*
       FROM batch b, generate_series($2::timestamptz, $3::timestamptz, interval '1 day') day
       WHERE b.account_id = $1 AND b.business_date = '2027-01-04'`,
      [api.merchant.accountId, from, until],
    )
  }

  it('takes the next day, whatever later days a sandbox clock has closed before', async () => {
    await advanceTo(api, '2027-01-05T02:00:00Z')
    await closeDays('2030-01-07', '2030-01-07')
    await change('sandbox_cutoff=23:00')
    await api.paid()
    expect(await batches()).toMatchObject([
      { business_date: '2027-01-04', status: 'closed' },
      { business_date: '2027-01-05', cutoff_at: '2027-01-06T04:00:00.000Z', count: 1 },
      { business_date: '2030-01-07', status: 'closed' },
    ])
  })

  it('takes the first free day, however many in a row a sandbox clock has closed', async () => {
    await advanceTo(api, '2027-01-05T02:00:00Z')
    await closeDays('2027-01-05', '2029-12-30')
    await closeDays('2030-01-01', '2030-01-01')
    expect((await api.charge()).body).toMatchObject({ status: 'SUCCESS' })
    const { headers } = api.merchant
    const { body } = await call(service.app, 'GET', '/batch?status=open', headers)
    const free = { business_date: '2029-12-31', cutoff_at: '2030-01-01T01:00:00.000Z', count: 1 }
    expect(body.data).toMatchObject([free])
  })

  it('takes the day after one that its zone has skipped', async () => {
    await advanceTo(api, '2027-01-05T02:00:00Z')
    // The end of 2011-12-29 in Apia, which had no 2011-12-30.
    const { db } = service.world
    const { accountId } = api.merchant
    await db.query(
      "UPDATE account SET clock_at = '2011-12-30T05:00Z', timezone = 'Pacific/Apia' WHERE id = $1",
      [accountId],
    )
    await closeDays('2011-12-29', '2011-12-29')
    await closeDays('2011-12-31', '2012-01-01')
    expect((await api.charge()).body).toMatchObject({ status: 'SUCCESS' })
    const open = 'SELECT business_date::text FROM batch WHERE account_id = $1 AND status = $2'
    expect(await db.query(open, [accountId, 'open'])).toEqual([{ business_date: '2012-01-02' }])
  })

  it.each(['status=inactive', 'enabled=false'])(
    'with %s is settled and paid out all the same, with what it had begun',
    async (fallen) => {
      // The sandbox gateway decides this total only after several questions.
      await api.charge({ total: 763.64 }, { prefer: 'respond-async' })
      await change(fallen)
      expect((await api.charge()).status).toBe(403)
      await advanceTo(api, '2027-01-05T14:00:00Z')
      expect(await batches()).toMatchObject([
        { business_date: '2027-01-04', status: 'closed', count: 2, sales: 773.64 },
      ])
      const url = '/event?type=create_deposit'
      const { body } = await call(service.app, 'GET', url, api.merchant.headers)
      expect(body.data).toMatchObject([{ created_at: '2027-01-05T14:00:00.000Z' }])
    },
  )
})

describe('a charge that is PENDING at the cutoff', LONG_TEST, () => {
  it('is in the batch of its success', async () => {
    const day = await openDayEnd({ queues: ['charge', 'doubt'] })
    const { accountId } = day.merchant
    const settle = (id: string) =>
      settleBatch(
        day.world,
        { accountId, id, requestId: 'test' },
        new AbortController().signal,
        () => {},
      )
    const early = await day.paid()
    // It is within the deadline of payments that are ordered now.
    day.moveTo(new Date(((await day.batches())[0]?.cutoffAt.getTime() ?? 0) - 60_000))
    day.plan = { fault: () => 'silent before' }
    const late = (await day.charge({}, { prefer: 'respond-async' })).body.id
    const first = await day.passCutoff()
    await settle(first.id)
    expect((await day.get(late)).body).toMatchObject({ status: 'PENDING', batch_id: null })
    expect(await day.batches()).toMatchObject([{ id: first.id, status: 'closed', count: 1 }])

    day.plan = { fault: () => 'none' }
    await expect.poll(async () => (await day.get(late)).body.status).toBe('SUCCESS')
    const second = await day.passCutoff()
    await settle(second.id)
    expect((await day.get(early)).body.batch_id).toBe(first.id)
    expect((await day.get(late)).body.batch_id).toBe(second.id)
    await day.close()
  })
})
