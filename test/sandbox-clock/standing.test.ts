// A team in bad standing delays its runs, and not its clock.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPaymentsApi, type PaymentsApi, paymentsApiOf } from '../support/payments-api.ts'
import { advanceHere, clockOf, scheduleOf, setClock } from '../support/sandbox-clock.ts'
import { setTeam } from '../support/set-team.ts'

const START = '2027-03-01T12:00:00.000Z'

let first: PaymentsApi

beforeAll(async () => {
  first = await openPaymentsApi({ queues: [] })
})
afterAll(() => first.service.close())

async function invoicesOf({ service, merchant }: PaymentsApi): Promise<readonly string[]> {
  const rows = await service.world.db.query(
    'SELECT created_at, status FROM invoice WHERE account_id = $1 ORDER BY id',
    [merchant.accountId],
  )
  return rows.map((row) => `${row.created_at.toISOString()} ${row.status}`)
}

describe.each([
  ['status=inactive', 'status=active'],
  ['enabled=false', 'enabled=true'],
])('with %s', (fallen, risen) => {
  it('a clock reaches its target, and waiting runs are made once they are allowed', async () => {
    const merchant = await first.service.merchant()
    const api = paymentsApiOf(first.service, merchant, await first.service.card(merchant))
    const { world } = first.service
    await setClock(api, START)
    await scheduleOf(api, { rule: 'FREQ=MONTHLY', start: '2027-03-10T09:00:00' })
    await api.charge({}, { prefer: 'respond-async' })
    await setTeam(world, merchant.teamId, [fallen])
    await advanceHere(api, '2027-05-01')
    expect(await clockOf(api)).toMatchObject({ now: '2027-05-01T00:00:00.000Z' })
    expect(await invoicesOf(api)).toEqual([])
    await setTeam(world, merchant.teamId, [risen])
    await advanceHere(api, '2027-05-11')
    expect(await invoicesOf(api)).toEqual([
      '2027-05-01T00:00:00.000Z PAID',
      '2027-05-01T00:00:00.000Z PAID',
      '2027-05-10T13:00:00.000Z PAID',
    ])
  })
})
