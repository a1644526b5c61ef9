// The faults of a gateway, and the events that must follow. After silence the service asks, and
// never guesses: no order is made twice, whatever became of the first.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { audit } from '../chaos/audit.ts'
import { chargeForJournal } from '../chaos/journal.ts'
import { type Fault, type Plan, timesIn } from '../support/faulty-gateway.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { soon } from '../support/soon.ts'

/** The sandbox decides this amount at the third question. */
const SLOW_CENTS = 763_64

/** The sandbox never decides this amount. */
const LOST_CENTS = 763_63

const LONG = { isLong: () => true }

describe('a gateway', () => {
  let setup: FaultySetup

  beforeAll(async () => {
    setup = await openFaultySetup()
  })
  afterAll(() => setup.service.close())

  it.each<{
    readonly does: string
    readonly fault: Fault
    readonly plan?: Partial<Plan>
    readonly orders: number
    readonly lookUps: number
  }>([
    { does: 'answers', fault: 'none', orders: 1, lookUps: 0 },
    { does: 'is slow', fault: 'slow', plan: { slowMs: 200 }, orders: 1, lookUps: 0 },
    { does: 'is too slow', fault: 'slow', plan: { slowMs: 1_600 }, orders: 2, lookUps: 1 },
    { does: 'breaks off after the work', fault: 'silent after', orders: 1, lookUps: 1 },
    { does: 'is mute after the work', fault: 'silent after', plan: LONG, orders: 1, lookUps: 1 },
    { does: 'breaks off before the work', fault: 'silent before', orders: 2, lookUps: 1 },
    { does: 'is mute before the work', fault: 'silent before', plan: LONG, orders: 2, lookUps: 1 },
    { does: 'turns an order away', fault: 'error', orders: 2, lookUps: 0 },
  ])('that $does makes the charge once', async ({ fault, plan, orders, lookUps }) => {
    setup.plan = { ...plan, fault: firstOrder(fault) }
    const answer = await charge(setup, 12_50)
    expect(answer.status).toBe('SUCCESS')
    expect(timesIn(setup.gateway.orders, answer.id)).toBe(orders)
    expect(timesIn(setup.gateway.lookUps, answer.id)).toBe(lookUps)
    expect(await outcomesAtGateway(setup, answer.id)).toEqual(['approved'])
    expect(await audit(setup.service.databaseUrl, [answer])).toEqual([])
  })

  it('that decides late is asked until it has decided', async () => {
    setup.plan = { fault: () => 'none' }
    const answer = await charge(setup, SLOW_CENTS)
    expect(answer.status).toBe('SUCCESS')
    expect(timesIn(setup.gateway.orders, answer.id)).toBe(1)
    expect(timesIn(setup.gateway.lookUps, answer.id)).toBe(3)
    expect(await audit(setup.service.databaseUrl, [answer])).toEqual([])
  })

  it('that does not answer the question is asked again', async () => {
    let silences = 3
    setup.plan = {
      fault({ operation }) {
        if (operation === 'charge') return 'silent after'
        silences -= 1
        return silences >= 0 ? 'silent before' : 'none'
      },
    }
    const answer = await charge(setup, 12_50)
    expect(answer.status).toBe('SUCCESS')
    expect(timesIn(setup.gateway.orders, answer.id)).toBe(1)
    expect(timesIn(setup.gateway.lookUps, answer.id)).toBe(4)
  })
})

describe('a gateway at the deadline', () => {
  let setup: FaultySetup

  beforeAll(async () => {
    setup = await openFaultySetup({
      settings: { PENDING_DEADLINE_MS: '1500ms', CHARGE_WAIT_MS: '100ms' },
    })
  })
  afterAll(() => setup.service.close())

  it('that never decided has not made the charge: it is FAILED', async () => {
    setup.plan = { fault: () => 'none' }
    const answer = await charge(setup, LOST_CENTS)
    expect(answer.status).toBe('PENDING')
    const row = await soon(() => rowWith(setup, answer.id, { status: 'FAILED' }))
    expect(row.updated_at.getTime()).toBeGreaterThanOrEqual(row.deadline_at.getTime())
    expect(timesIn(setup.gateway.orders, answer.id)).toBe(1)
    expect(await audit(setup.service.databaseUrl, [answer])).toEqual([])
  })

  it('that never took the charge has not made it either', async () => {
    setup.plan = { fault: ({ operation }) => (operation === 'charge' ? 'error' : 'none') }
    const answer = await charge(setup, 12_50)
    await soon(() => rowWith(setup, answer.id, { status: 'FAILED' }))
    expect(await outcomesAtGateway(setup, answer.id)).toEqual(['given_up'])
    expect(await audit(setup.service.databaseUrl, [answer])).toEqual([])
  })

  it('that made the charge and was silent until then has made it', async () => {
    const until = Date.now() + 1_500
    setup.plan = {
      fault: ({ operation }) =>
        operation === 'charge' ? 'silent after' : Date.now() < until ? 'silent before' : 'none',
    }
    const answer = await charge(setup, 12_50)
    await soon(() => rowWith(setup, answer.id, { status: 'SUCCESS' }))
    expect(timesIn(setup.gateway.orders, answer.id)).toBe(1)
    expect(await audit(setup.service.databaseUrl, [answer])).toEqual([])
  })
})

describe('a gateway that is silent beyond the deadline', () => {
  let setup: FaultySetup

  beforeAll(async () => {
    setup = await openFaultySetup({
      queues: QUEUE_NAMES,
      settings: { PENDING_DEADLINE_MS: '1500ms', CHARGE_WAIT_MS: '100ms' },
    })
  })
  afterAll(() => setup.service.close())

  it('leaves the charge PENDING and parked for a person, never made on a guess', async () => {
    setup.plan = { fault: () => 'silent after' }
    const answer = await charge(setup, 12_50)
    const row = await soon(() => rowWith(setup, answer.id, { due_at: null }))
    expect(row).toMatchObject({ status: 'PENDING', owed: 'doubt', parked_at: expect.any(Date) })
    expect(row.parked_at.getTime()).toBeGreaterThanOrEqual(row.deadline_at.getTime())
    const asked = timesIn(setup.gateway.lookUps, answer.id)

    // No worker takes it up again, though the gateway is well and the sweep goes on.
    setup.plan = { fault: () => 'none' }
    const later = await charge(setup, 9_90)
    await soon(() => rowWith(setup, later.id, { status: 'SUCCESS' }))
    expect(await rowWith(setup, answer.id, { status: 'PENDING', due_at: null })).toEqual(row)
    expect(timesIn(setup.gateway.orders, answer.id)).toBe(1)
    expect(timesIn(setup.gateway.lookUps, answer.id)).toBe(asked)
    expect(await audit(setup.service.databaseUrl, [answer])).toEqual([
      expect.stringContaining(`nothing is owed: ${answer.id} is PENDING`),
    ])
  })
})

describe('a gateway that lies', () => {
  it('is found by the audit', async () => {
    const setup = await openFaultySetup()
    await using _service = setup.service
    setup.plan = { fault: () => 'wrong' }
    const answer = await charge(setup, 12_50)
    expect(answer.status).toBe('SUCCESS')
    expect(await audit(setup.service.databaseUrl, [answer])).toEqual([
      `the gateway agrees with what succeeded: ${answer.id} is unknown there`,
    ])
  })
})

/** Only the first order meets the fault. */
function firstOrder(fault: Fault): Plan['fault'] {
  let isFirst = true
  return ({ operation }) => {
    if (operation !== 'charge' || !isFirst) return 'none'
    isFirst = false
    return fault
  }
}

function charge({ service, merchant, card }: FaultySetup, cents: number) {
  return chargeForJournal(service.app, merchant, { card, cents })
}

async function outcomesAtGateway({ service }: FaultySetup, id: string): Promise<readonly string[]> {
  const sql = 'SELECT outcome FROM sandbox_gateway_payment WHERE key = $1'
  return (await service.world.db.query(sql, [id])).map(({ outcome }) => outcome)
}

async function rowWith({ service }: FaultySetup, id: string, columns: object) {
  const [row] = await service.world.db.query('SELECT * FROM transaction WHERE id = $1', [id])
  expect(row).toMatchObject(columns)
  return row ?? {}
}
