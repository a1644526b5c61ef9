// A team in bad standing delays its runs, and not its clock.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceHere, clockOf, scheduleOf, setClock } from '../support/sandbox-clock.ts'
import { setTeam } from '../support/set-team.ts'
import { openTill, type Till, tillOf } from '../support/till.ts'

const START = '2027-03-01T12:00:00.000Z'

let first: Till

beforeAll(async () => {
  first = await openTill({ queues: [] })
})
afterAll(() => first.service.close())

async function invoicesOf({ service, merchant }: Till): Promise<readonly string[]> {
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
    const till = tillOf(first.service, merchant, await first.service.card(merchant))
    const { world } = first.service
    await setClock(till, START)
    await scheduleOf(till, { rule: 'FREQ=MONTHLY', start: '2027-03-10T09:00:00' })
    await till.charge({}, { prefer: 'respond-async' })
    await setTeam(world, merchant.teamId, [fallen])
    await advanceHere(till, '2027-05-01')
    expect(await clockOf(till)).toMatchObject({ now: '2027-05-01T00:00:00.000Z' })
    expect(await invoicesOf(till)).toEqual([])
    await setTeam(world, merchant.teamId, [risen])
    await advanceHere(till, '2027-05-11')
    expect(await invoicesOf(till)).toEqual([
      '2027-05-01T00:00:00.000Z PAID',
      '2027-05-01T00:00:00.000Z PAID',
      '2027-05-10T13:00:00.000Z PAID',
    ])
  })
})
