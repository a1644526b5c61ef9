// A sandbox clock is moved while payments of its account are accepted, made and recorded. Whichever
// comes first, each is dated at its own instant, and the clock leaves nothing behind.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { audit } from '../chaos/audit.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { newPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { clockOf, endClock, setClock, untilReady } from '../support/sandbox-clock.ts'
import type { Answer } from '../support/test-service.ts'

/** Two hours before the cutoff, in New York. */
const START = '2027-03-01T23:00:00.000Z'
/** After the cutoff, and after every deadline. */
const TARGET = '2027-03-03T12:00:00.000Z'

const ROUNDS = Number(process.env.CLOCK_RACE ?? 24)
const LONG_TEST = { timeout: 120_000 }

let setup: FaultySetup

beforeAll(async () => {
  setup = await openFaultySetup({ queues: QUEUE_NAMES })
})
afterAll(() => setup.service.close())

const newApi = () => newPaymentsApi(setup.service)

/** Payments that failed, and batches that are still open after their cutoff. */
const LEFT_BEHIND = `
  SELECT t.id::text, t.status::text || ' ' || t.message AS says FROM transaction t
  WHERE t.account_id = $1 AND t.status <> 'SUCCESS'
  UNION ALL
  SELECT b.id::text, 'batch ' || b.status || ' past its cutoff' FROM batch b
  JOIN account a ON a.id = b.account_id
  WHERE a.id = $1 AND b.status <> 'closed' AND b.cutoff_at <= coalesce(a.clock_at, current_timestamp)`

async function leftBehind({ merchant }: PaymentsApi) {
  return setup.service.world.db.query(LEFT_BEHIND, [merchant.accountId])
}

const soon = (round: number) => new Promise((resolve) => setTimeout(resolve, (round % 8) * 3))

const isTaken = ({ status, body }: Answer) => status === 200 && body.status !== 'FAILED'
const isToldToWait = ({ status, body }: Answer) =>
  status === 409 && body.error === 'clock_advancing'

describe('a clock that is moved while its account is charged', () => {
  it.each(['sooner', 'later'])('%s, leaves nothing behind', LONG_TEST, async (when) => {
    let taken = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const api = await newApi()
      await setClock(api, START)
      const charges = Promise.all([1, 2, 3].map((total) => api.charge({ total })))
      if (when === 'later') await soon(round)
      const moved = setClock(api, TARGET)
      expect([200, 202]).toContain((await moved).status)
      const answers = await charges
      taken += answers.filter(isTaken).length
      expect(answers.every((one) => isTaken(one) || isToldToWait(one))).toBe(true)
      await untilReady(api)
      expect(await leftBehind(api)).toEqual([])
      expect(await clockOf(api)).toMatchObject({ now: TARGET })
    }
    // A pass would mean nothing if every charge had been refused.
    expect(taken).toBeGreaterThan(0)
  })

  it('for the first time, leaves nothing behind', LONG_TEST, async () => {
    const target = new Date(Date.now() + 3 * 24 * 3_600_000)
    for (let round = 0; round < ROUNDS; round += 1) {
      const api = await newApi()
      const charges = Promise.all([1, 2, 3].map((total) => api.charge({ total })))
      await soon(round)
      await setClock(api, target)
      await charges
      await untilReady(api)
      expect(await leftBehind(api)).toEqual([])
    }
  })

  it('back to real time, leaves nothing behind', LONG_TEST, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const api = await newApi()
      await setClock(api, '2026-03-01T12:00:00.000Z')
      const charges = Promise.all([1, 2, 3].map((total) => api.charge({ total })))
      await soon(round)
      await endClock(api)
      await charges
      await untilReady(api)
      expect(await leftBehind(api)).toEqual([])
    }
  })
})

it('leaves a ledger that agrees with itself and with the gateway’s', async () => {
  expect(await audit(setup.service.databaseUrl, [])).toEqual([])
})
