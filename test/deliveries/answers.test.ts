// The columns of a delivery's row after each kind of answer from its provider.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SendAnswer } from '../../src/core/delivery.ts'
import { HOUR, MINUTE } from '../../src/core/time-units.ts'
import { DatabaseAway } from '../../src/db/failure.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import {
  adapterOf,
  deliveryStateOf,
  deliveryStatesOf,
  type Send,
  TAKEN,
  tally,
} from '../support/deliveries.ts'
import { openSenders, type Senders } from '../support/senders.ts'

const GREYLISTED: SendAnswer = { kind: 'failed', detail: '450 4.7.1 Greylisted, try again' }

describe('a delivery', () => {
  let senders: Senders

  beforeAll(async () => {
    senders = await openSenders()
  })
  afterAll(() => senders.close())
  beforeEach(() => senders.startAnew())

  it('that is greylisted at first is sent at its second attempt', async () => {
    const id = await senders.one()
    const answers = [GREYLISTED, { kind: 'taken', providerId: '<1@here>' } as const]
    senders.send = () => answers.shift() ?? TAKEN
    await senders.here()
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({
      status: 'pending',
      tries: 1,
      last_error: GREYLISTED.detail,
    })
    expect(await senders.here()).toBe(0)
    senders.clock.move(5 * MINUTE)
    await senders.here()
    const state = await deliveryStateOf(senders.query, id)
    expect(state).toMatchObject({
      status: 'sent',
      tries: 2,
      attempt: 2,
      due_at: null,
      provider_id: '<1@here>',
    })
    expect(state.history).toMatchObject([
      { answer: 'failed', detail: GREYLISTED.detail },
      { answer: 'taken' },
    ])
    expect(answers).toEqual([])
  })

  it("that is refused for good is parked at once, with the provider's words", async () => {
    const id = await senders.one()
    const asked = vi.fn(() => ({ kind: 'refused', reason: 'refused', detail: '550 no such user' }))
    senders.send = asked as Send
    await senders.here()
    senders.clock.move(HOUR)
    await senders.here()
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({
      status: 'parked',
      tries: 1,
      reason: 'refused',
      last_error: '550 no such user',
      due_at: null,
      history: [{ answer: 'refused', detail: '550 no such user' }],
    })
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('whose adapter throws has used one try, and stops no other', async () => {
    const [bad = '', ...good] = await senders.insertDue(20)
    senders.send = ({ id }) => {
      if (id === bad) throw new Error('a fault of ours')
      return TAKEN
    }
    await senders.here()
    expect(await deliveryStateOf(senders.query, bad)).toMatchObject({
      status: 'pending',
      tries: 1,
      attempt: 1,
    })
    const others = await deliveryStatesOf(senders.query, good)
    expect(others.map(({ status, tries }) => `${status} ${tries}`)).toEqual(
      good.map(() => 'sent 1'),
    )
    senders.send = () => TAKEN
    senders.clock.move(HOUR)
    await senders.here()
    expect(await tally(senders.query)).toEqual({ sent: 20 })
  })

  it('whose adapter finds the database away has used no try', async () => {
    const id = await senders.one()
    senders.send = () => Promise.reject(new DatabaseAway(new Error('cut')))
    await senders.here()
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({
      status: 'pending',
      tries: 0,
      attempt: 1,
      last_error: 'the database was away',
    })
    senders.send = () => TAKEN
    senders.clock.move(MINUTE)
    await senders.here()
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({ status: 'sent', tries: 1 })
  })

  it('whose adapter rejects after a while has used one try as well', async () => {
    const id = await senders.one()
    senders.send = () => new Promise((_, reject) => setImmediate(reject, new TypeError('ours')))
    await senders.here()
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({ status: 'pending', tries: 1 })
  })

  it('whose provider does not answer in time has used one try, and delays no other', async () => {
    const [sms = '', ...others] = await senders.insertDue(3, { channel: 'sms' })
    const impatient = adapterOf(({ id }, signal) => (id === sms ? untilGivenUp(signal) : TAKEN), {
      channel: 'sms',
      timeoutMs: 300,
      atOnce: 32,
    })
    await deliverDue(senders.service.world, impatient)
    expect(await deliveryStateOf(senders.query, sms)).toMatchObject({ status: 'pending', tries: 1 })
    const rest = await deliveryStatesOf(senders.query, others)
    expect(rest.map(({ status }) => status)).toEqual(['sent', 'sent'])
  })
})

function untilGivenUp(signal: AbortSignal): Promise<SendAnswer> {
  return new Promise((resolve) => {
    const answer = { kind: 'silent', detail: 'no answer' } as const
    signal.addEventListener('abort', () => resolve(answer), { once: true })
  })
}
