// Two processes that send the e-mail of one account, each at the test's choice, and a clock to
// move.

import type { Query } from '../../src/db/database.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import type { Timings } from '../../src/timings.ts'
import { adapterOf, type DueDelivery, insertDue, type Send, TAKEN } from './deliveries.ts'
import { type MovableClock, movableClock } from './end-windows.ts'
import { openFurther } from './further.ts'
import { openTestService, type TestService } from './test-service.ts'

/** Only `slowMessageMs` tells when a message is slow. */
const PATIENT = { timeoutMs: 600_000 }

export interface Senders extends AsyncDisposable {
  readonly service: TestService
  readonly clock: MovableClock
  readonly query: Query
  /** The answer of each process's provider, chosen for every delivery. */
  send: Send
  elsewhereSend: Send
  /** Runs a round in each of them. */
  here(): Promise<number>
  elsewhere(): Promise<number>
  /** Writes deliveries that are due now, by e-mail unless said otherwise. */
  insertDue(count: number, delivery?: Partial<DueDelivery>): Promise<readonly string[]>
  one(): Promise<string>
  /** Removes all deliveries; from now on all are taken. */
  startAnew(): Promise<void>
  close(): Promise<void>
}

export async function openSenders(timings: Partial<Timings> = {}): Promise<Senders> {
  const clock = movableClock()
  const service = await openTestService({ queues: [], clock, timings })
  const further = await openFurther(service)
  const { accountId } = await service.merchant()
  const query: Query = (text, values) => service.world.db.query(text, values)
  const adapter = adapterOf((delivery, signal) => senders.send(delivery, signal), PATIENT)
  const elsewhere = adapterOf(
    (delivery, signal) => senders.elsewhereSend(delivery, signal),
    PATIENT,
  )
  const insert: Senders['insertDue'] = (count, delivery = {}) =>
    insertDue(query, { accountId, channel: 'email', count, dueAt: clock.now(), ...delivery })
  const senders: Senders = {
    service,
    clock,
    query,
    send: () => TAKEN,
    elsewhereSend: () => TAKEN,
    here: () => deliverDue(service.world, adapter),
    elsewhere: () => deliverDue(further.world, elsewhere),
    insertDue: insert,
    async one() {
      const [id] = await insert(1)
      if (id === undefined) throw new Error('nothing is due')
      return id
    },
    async startAnew() {
      await query('DELETE FROM delivery')
      senders.send = () => TAKEN
      senders.elsewhereSend = () => TAKEN
    },
    async close() {
      await further[Symbol.asyncDispose]()
      await service.close()
    },
    [Symbol.asyncDispose]: () => senders.close(),
  }
  return senders
}
