// Due rows are read while workers run: nothing may be lost between two reads.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import { makeCharge } from '../../src/payments/make/make-payment.ts'
import { findDues, nextInstant } from '../../src/sandbox-clock/next-instant.ts'
import type { World } from '../../src/world.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { setClock } from '../support/sandbox-clock.ts'

const MONDAY = new Date('2027-03-01T12:00:00Z')
const CUTOFF = new Date('2027-03-02T01:00:00Z')
const TARGET = new Date('2027-04-01T00:00:00Z')

let api: PaymentsApi

beforeAll(async () => {
  api = await openPaymentsApi({ queues: [] })
  await setClock(api, MONDAY)
})
afterAll(() => api.service.close())

/** While the deadlines are read, just before the answer, a worker decides the payment. */
function worldWith(act: () => Promise<unknown>): World {
  const { world } = api.service
  const query: Query = async (text, values) => {
    if (text.includes('min(deadline_at)')) await act()
    return world.db.query(text, values)
  }
  return { ...world, db: { ...world.db, query } }
}

describe('a payment that is decided during the search for the next instant', () => {
  it('has its batch closed at the cutoff all the same', async () => {
    const { accountId } = api.merchant
    const { body } = await api.charge({}, { prefer: 'respond-async' })
    const key = { accountId, id: body.id }
    const { signal } = new AbortController()
    const world = worldWith(() => makeCharge(api.service.world, key, signal))
    const dues = await findDues(world.db.query, accountId)
    expect(dues).toEqual({ deadline: undefined, settlement: CUTOFF, scheduled: undefined })
    expect(nextInstant(dues, MONDAY, TARGET)).toEqual(CUTOFF)
  })
})
