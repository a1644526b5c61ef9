// The messages that wait because their team is stopped, on the page of the team.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { deliveryStatesOf, insertDue } from '../support/deliveries.ts'
import { type SignedIn, see, seeAfter, sendForm, signIn } from '../support/operator.ts'
import { newPerson, sessionOf } from '../support/persons.ts'
import { setTeam } from '../support/set-team.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let ada: SignedIn
let merchant: Merchant
let path: string

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  ada = await signIn(service.world)
}, 60_000)
beforeEach(async () => {
  merchant = await service.merchant()
  path = `/admin/teams/${merchant.teamId}`
})
afterAll(() => service.close())

const queue = (channel: 'email' | 'sms', count: number) => {
  const { accountId } = merchant
  const dueAt = new Date(Date.now() - MINUTE)
  return insertDue(service.world.db.query, { accountId, channel, lane: accountId, count, dueAt })
}

const statesOf = async (ids: readonly string[]) =>
  new Set((await deliveryStatesOf(service.world.db.query, ids)).map(({ status }) => status))

const untilOf = (body: string) => body.match(/name="until" value="([^"]+)"/)?.[1] ?? ''

it('are counted there only while the team is stopped', async () => {
  await queue('email', 3)
  await queue('sms', 2)
  expect((await see(service.app, path, ada)).body).not.toContain('Waiting messages')
  await setTeam(service.world, merchant.teamId, ['enabled=false'])
  expect((await see(service.app, path, ada)).body).toContain('>5 messages<')
})

it('are dropped by a button, but for those that came after the page was made', async () => {
  await setTeam(service.world, merchant.teamId, ['status=inactive'])
  const seen = [...(await queue('email', 3)), ...(await queue('sms', 2))]
  const until = untilOf((await see(service.app, path, ada)).body)
  const later = await queue('email', 1)
  const created = 'UPDATE delivery SET created_at = $2 WHERE id = ANY($1)'
  await service.world.db.query(created, [later, new Date()])
  const dropped = await sendForm(service.app, `${path}/drop-waiting`, ada, { until })
  expect((await seeAfter(service.app, dropped, ada)).first).toContain('5 messages are dropped.')
  expect(await statesOf(seen)).toEqual(new Set(['parked']))
  expect(await statesOf(later)).toEqual(new Set(['pending']))
  const where = { subject: merchant.teamId, action: 'waiting messages dismissed' }
  const entries = await service.world.db.prisma.auditEntry.findMany({ where })
  expect(entries.map(({ operator, detail }) => [operator, detail])).toEqual([
    ['Ada', { count: 3 }],
    ['Ada', { count: 2 }],
  ])
  const again = await sendForm(service.app, `${path}/drop-waiting`, ada, { until })
  expect((await seeAfter(service.app, again, ada)).first).toContain('None was left')
})

it('are dropped by an admin only', async () => {
  await setTeam(service.world, merchant.teamId, ['status=inactive'])
  const ids = await queue('email', 1)
  const person = await sessionOf(service.world, await newPerson(service.world, 'operate'))
  const until = new Date(Date.now() + MINUTE).toISOString()
  const refused = await sendForm(service.app, `${path}/drop-waiting`, person, { until })
  expect(refused.statusCode).toBe(403)
  expect(await statesOf(ids)).toEqual(new Set(['pending']))
})
