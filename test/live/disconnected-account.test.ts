// A merchant who leaves disconnects their account of Stripe. It is not read for ever.

import { expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkGatewayNews } from '../../src/doctor/check-work.ts'
import { endDispute } from '../../src/operators/end-dispute.ts'
import { setTeam } from '../support/set-team.ts'
import { readNews } from './feed.ts'
import { openLiveService } from './live-service.ts'

const ADA = { name: 'Ada', address: '::1' }

it('is read no more once it is a former account, has refused for 30 days, and no dispute is open', async () => {
  let offsetMs = 0
  const clock = { now: () => new Date(Date.now() + offsetMs) }
  const queues = ['charge', 'refund', 'doubt'] as const
  await using live = await openLiveService({ clock, queues }, { accounts: ['acct_left'] })
  const { world } = live.service
  await setTeam(world, live.merchant.teamId, ['live_stripe_account=acct_left'])
  await readNews(live)
  const payment_method_id = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total: 20, payment_method_id })
  live.stripe.openDispute((await live.outcome(body.id)).auth_id as string)
  await readNews(live)
  const [dispute] = (await live.get('/dispute')).body.data

  const pass = async (days: number) => {
    offsetMs += days * DAY
    await live.stripe.advance(days * DAY)
    await readNews(live)
  }
  const places = async () => {
    const rows = await world.db.query('SELECT place FROM gateway_feed ORDER BY place')
    return rows.map(({ place }) => place)
  }
  const faults = async () => (await findingsOf(checkGatewayNews, world)).map(({ says }) => says)

  live.stripe.revokeAccess('acct_left')
  await pass(31)
  // It is the team's own still.
  expect(await places()).toEqual(['acct_left'])
  await setTeam(world, live.merchant.teamId, ['live_stripe_account=none'])
  await pass(1)
  // How its dispute has ended is not known yet.
  expect(await places()).toEqual(['', 'acct_left'])
  expect(await faults()).toEqual([expect.stringContaining('of account acct_left not read')])
  await endDispute(world, ADA, dispute.id, { status: 'lost', evenIfUnsaid: true })
  await pass(1)
  expect(await places()).toEqual([''])
  expect(await faults()).toEqual([])
})

it('is read again if it refused for less than 30 days', async () => {
  await using live = await openLiveService({ queues: [] }, { accounts: ['acct_left'] })
  const { world } = live.service
  await world.db.query(
    `INSERT INTO gateway_feed (gateway_name, place, read_through, due_at)
     VALUES ('stripe', 'acct_left', $1, $2)`,
    [new Date(world.clock.now().getTime() - 29 * DAY), world.clock.now()],
  )
  live.stripe.revokeAccess('acct_left')
  await readNews(live)
  const [feed] = await world.db.query("SELECT place FROM gateway_feed WHERE place = 'acct_left'")
  expect(feed).toEqual({ place: 'acct_left' })
})
