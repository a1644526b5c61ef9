// Disputes whose gateway does not know them any more: the keys were changed to those of another
// account while they were open. An operator records how they ended.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../../src/log.ts'
import { endDispute } from '../../src/operators/end-dispute.ts'
import { openWorld, type World } from '../../src/world.ts'
import { openStripe, type StripeStandIn } from '../stripe/stand-in/open.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { runHere } from '../support/command.ts'
import { feedEventsOf, readNews } from './feed.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const ADA = { name: 'Ada', address: '::1' }
const LOST = { status: 'lost', evenIfUnsaid: false } as const
const WON = { status: 'won', evenIfUnsaid: false } as const

describe('a dispute of a former Stripe account', () => {
  let live: LiveService
  let other: StripeStandIn
  let moved: World
  const log: string[] = []

  beforeAll(async () => {
    live = await openLiveService()
    other = await openStripe({ platformId: 'acct_other' })
    const { config, clock, timings } = live.service.world
    const { stripe } = config
    if (stripe === undefined) throw new Error('it has no live gateway')
    const { secretKey, publishableKey, url: apiUrl } = other
    moved = openWorld({
      config: { ...config, stripe: { ...stripe, secretKey, publishableKey, apiUrl } },
      databaseUrl: live.service.databaseUrl,
      log: openLog('info', { write: (line: string) => void log.push(line) }),
      clock,
      timings,
    })
  })
  afterAll(async () => {
    await moved.close()
    await live[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
  })

  /** A batched payment with an open dispute of all of it. */
  async function disputed() {
    const payment_method_id = await live.method('pm_card_visa')
    const { body } = await live.post('/charge', { total: 20, payment_method_id })
    const charge = await live.outcome(body.id)
    await takeIntoBatch(live.service, [`${charge.id}`])
    const gatewayId = live.stripe.openDispute(`${charge.auth_id}`).id
    await readNews(live)
    const found = await live.get(`/dispute?transaction_id=${charge.id}`)
    return { charge, gatewayId, dispute: found.body.data[0] }
  }

  it('is named in the log, and stays open until its end is recorded', async () => {
    const { charge, dispute } = await disputed()
    await readNews({ service: { ...live.service, world: moved } })
    expect(log.join('')).toContain('the gateway does not know an open dispute')
    expect(log.join('')).toContain(dispute.id)
    expect((await live.get(`/dispute/${dispute.id}`)).body).toMatchObject({ closed_at: null })

    const refund = () => live.post(`/transaction/${charge.id}/refund`, { total: 1 })
    expect((await refund()).text).toContain("the payer's bank has taken back")
    await endDispute(moved, ADA, dispute.id, WON)
    expect((await live.get(`/dispute/${dispute.id}`)).body).toMatchObject({
      status: 'won',
      respond_by: null,
      closed_at: expect.any(String),
    })
    const events = (await feedEventsOf(live, 'update_dispute')).filter(
      ({ data }) => data.id === dispute.id,
    )
    expect(events).toMatchObject([{ sequence: 2, data: { status: 'won' } }])
    const [entry] = await moved.db.query('SELECT * FROM deed WHERE subject = $1', [dispute.id])
    expect(entry).toMatchObject({
      deed: 'dispute ended',
      operator: 'Ada',
      detail: { status: 'won', before: 'needs_response' },
    })
    // What was won back may be refunded again.
    expect((await refund()).status).not.toBe(409)
    await expect(endDispute(moved, ADA, dispute.id, LOST)).rejects.toThrow('ended already: won')
  })

  it('that the gateway knows is ended by its own word alone', async () => {
    const { dispute, gatewayId } = await disputed()
    await expect(endDispute(live.service.world, ADA, dispute.id, LOST)).rejects.toThrow(
      'the gateway knows the dispute, as needs_response',
    )
    const evenSo = { ...LOST, evenIfUnsaid: true }
    await expect(endDispute(live.service.world, ADA, dispute.id, evenSo)).rejects.toThrow(
      'the gateway knows the dispute',
    )
    live.stripe.closeDispute(gatewayId, 'won')
    await readNews(live)
    expect((await live.get(`/dispute/${dispute.id}`)).body).toMatchObject({ status: 'won' })
  })

  it('of an account that does not answer is ended only if the operator says so', async () => {
    const { dispute } = await disputed()
    other.fault(() => ({ kind: 'key refused', status: 403 }))
    await expect(endDispute(moved, ADA, dispute.id, LOST)).rejects.toThrow('did not say')
    expect((await live.get(`/dispute/${dispute.id}`)).body).toMatchObject({ closed_at: null })
    await endDispute(moved, ADA, dispute.id, { ...LOST, evenIfUnsaid: true })
    other.fault()
    expect((await live.get(`/dispute/${dispute.id}`)).body).toMatchObject({ status: 'lost' })
  })

  it('is ended by the command', { timeout: 60_000 }, async () => {
    const { dispute } = await disputed()
    const run = (...words: string[]) =>
      runHere(['disputes', 'end', ...words, '--json'], { DATABASE_URL: live.service.databaseUrl })
    const id = moved.newId()
    expect((await run(id, 'lost')).err).toBe(`lamplighter: there is no dispute ${id}\n`)
    expect((await run('du_1', 'lost')).err).toBe('lamplighter: du_1 is not the id of a dispute\n')
    const wrong = await run(dispute.id, 'open')
    expect(wrong.err).toContain("'open' is invalid")
    expect(wrong.err).toContain('Allowed choices are won, lost, warning_closed.')
    // No gateway is set up for it.
    const { status, out } = await run(dispute.id, 'lost')
    expect([status, JSON.parse(out)]).toMatchObject([0, { id: dispute.id, status: 'lost' }])
    expect((await live.get(`/dispute/${dispute.id}`)).body).toMatchObject({ status: 'lost' })
  })
})
