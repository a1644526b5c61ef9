// The messages of a team that an operator has stopped wait until it is started. Its events go out,
// and so do the messages of other teams.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../src/core/time-units.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { dismissHeld } from '../../src/deliveries/parked.ts'
import { adapterOf, deliveryStatesOf, insertDue, TAKEN } from '../support/deliveries.ts'
import { setTeam } from '../support/set-team.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ queues: [] })
})
afterAll(() => service.close())

function oweTo({ accountId }: Merchant, channel: 'email' | 'sms' | 'webhook', ageMs = MINUTE) {
  const dueAt = new Date(Date.now() - ageMs)
  const lane = channel === 'webhook' ? service.world.newId() : accountId
  return insertDue(service.world.db.query, { accountId, channel, lane, count: 3, dueAt })
}

async function deliverAll(): Promise<void> {
  for (const channel of ['email', 'sms'] as const) {
    await deliverDue(service.world, EACH[channel])
  }
  await deliverDue(service.world, EACH.webhook)
}

/** A dispatcher keeps the adapter that it was begun with. */
const EACH = {
  email: adapterOf(() => TAKEN),
  sms: adapterOf(() => TAKEN, { channel: 'sms' }),
  webhook: adapterOf(() => TAKEN, { channel: 'webhook', perSecond: undefined }),
}

const stateOf = async (ids: readonly string[]) => [
  ...new Set(
    (await deliveryStatesOf(service.world.db.query, ids)).map(
      ({ status, reason }) => reason ?? status,
    ),
  ),
]

it('can be rid of what waits, but for what is being sent', async () => {
  const [stopped, other] = [await service.merchant(), await service.merchant()]
  const held = [...(await oweTo(stopped, 'email')), ...(await oweTo(stopped, 'sms'))]
  const sending = await oweTo(stopped, 'email')
  const left = [...(await oweTo(stopped, 'email', 2 * DAY)), ...(await oweTo(other, 'email'))]
  const leasedUntil = new Date(Date.now() + MINUTE)
  const lease = 'UPDATE delivery SET leased_until = $2 WHERE id = ANY($1)'
  await service.world.db.query(lease, [sending, leasedUntil])
  const accountIds = [stopped.accountId, other.accountId]
  const which = { accountIds, since: new Date(Date.now() - DAY) }
  expect(await dismissHeld(service.world, which)).toBe(0)
  await setTeam(service.world, stopped.teamId, ['status=inactive'])
  const counts: number[] = []
  await dismissHeld(service.world, which, async (_own, count) => void counts.push(count))
  expect(counts).toEqual([3, 3])
  await setTeam(service.world, stopped.teamId, ['status=active'])
  await deliverAll()
  expect(await stateOf(held)).toEqual(['expired'])
  expect(await stateOf(sending)).toEqual(['pending'])
  expect(await stateOf(left)).toEqual(['sent'])
  const [one] = await service.world.db.query(
    'SELECT closed_at, due_at FROM delivery WHERE id = $1',
    [held[0]],
  )
  expect(one).toEqual({ closed_at: expect.any(Date), due_at: null })
})

describe.each([
  ['inactive', 'status=inactive', 'status=active'],
  ['not enabled', 'enabled=false', 'enabled=true'],
])('a team that is %s', (_how, stop, start) => {
  it('sends no message until it is started, while its events go out', async () => {
    const [stopped, other] = [await service.merchant(), await service.merchant()]
    const [emails, texts] = [await oweTo(stopped, 'email'), await oweTo(stopped, 'sms')]
    const old = await oweTo(stopped, 'email', 4 * DAY)
    const [events, others] = [await oweTo(stopped, 'webhook'), await oweTo(other, 'email')]
    await setTeam(service.world, stopped.teamId, [stop])
    await deliverAll()
    expect(await stateOf([...emails, ...texts, ...old])).toEqual(['pending'])
    expect(await stateOf([...events, ...others])).toEqual(['sent'])
    await setTeam(service.world, stopped.teamId, [start])
    await deliverAll()
    expect(await stateOf([...emails, ...texts])).toEqual(['sent'])
    expect(await stateOf(old)).toEqual(['expired'])
  })
})
