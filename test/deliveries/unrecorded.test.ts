// A message whose provider has answered while the database is away is not sent again by the process
// that knows the answer, however long that takes.

import { afterEach, expect, it, vi } from 'vitest'
import { HOUR, MINUTE } from '../../src/core/time-units.ts'
import { DatabaseAway } from '../../src/db/failure.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { recordAttempt, renewDelivery } from '../../src/deliveries/record-attempt.ts'
import { adapterOf, deliveryStateOf, type Send, TAKEN } from '../support/deliveries.ts'
import { openSenders, type Senders } from '../support/senders.ts'
import { soon } from '../support/soon.ts'

const LONG_TEST = { timeout: 30_000 }

afterEach(() => vi.restoreAllMocks())

/** While it is away, no answer is recorded and no lease is renewed. */
function outageOf({ service }: Senders) {
  const { db } = service.world
  const outage = { isOver: false, refused: 0 }
  const cut: readonly unknown[] = [recordAttempt, renewDelivery]
  const ask = db.ask
  vi.spyOn(db, 'ask').mockImplementation((statement, input) => {
    if (outage.isOver || !cut.includes(statement)) return ask(statement, input)
    if (statement === (recordAttempt as unknown)) outage.refused += 1
    return Promise.reject(new DatabaseAway(new Error('cut')))
  })
  return outage
}

it(
  'a message is not claimed by the process that still has to record its answer',
  LONG_TEST,
  async () => {
    await using senders = await openSenders({ deliveryLeaseMs: MINUTE })
    const outage = outageOf(senders)
    const id = await senders.one()
    const sent: string[] = []
    senders.send = (delivery) => {
      sent.push(delivery.id)
      return TAKEN
    }
    const round = senders.here()
    await soon(() => expect(outage.refused).toBeGreaterThan(0))
    senders.clock.move(HOUR)
    // Its lease has ended. The next round begins before the answer can be recorded.
    const [other] = await senders.insertDue(1)
    void senders.here()
    await soon(() => expect(sent).toContain(other))
    outage.isOver = true
    await round
    expect(sent).toEqual([id, other])
    expect(await deliveryStateOf(senders.query, id)).toMatchObject({ status: 'sent', attempt: 1 })
  },
)

it('an answer is recorded after an outage that outlasts the provider', LONG_TEST, async () => {
  await using senders = await openSenders()
  const outage = outageOf(senders)
  const id = await senders.one()
  const asked = vi.fn<Send>(() => TAKEN)
  const round = deliverDue(senders.service.world, adapterOf(asked, { timeoutMs: 1_000 }))
  const ended = vi.fn()
  round.then(ended, ended)
  // Several tries after the provider's time.
  await soon(() => expect(outage.refused).toBeGreaterThan(4))
  expect(ended).not.toHaveBeenCalled()
  outage.isOver = true
  await round
  expect(asked).toHaveBeenCalledTimes(1)
  expect(await deliveryStateOf(senders.query, id)).toMatchObject({ status: 'sent', attempt: 1 })
})
