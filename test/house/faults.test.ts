// What a gateway may do to us, and the story that must come of it. What a silent one did is asked,
// never guessed: no order is made twice, whatever became of the first.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { audit, type Told } from '../chaos/audit.ts'
import { chargeAndTell } from '../chaos/tell.ts'
import {
  type Fault,
  type FaultyGateway,
  faultyGateway,
  type Plan,
} from '../support/faulty-gateway.ts'
import { type HouseWishes, type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'

/** 763.64: decided when it has been asked after three times. 763.63: never decided. */
const SLOW_CENTS = 763_64
const LOST_CENTS = 763_63

const PATIENCE = { timeout: 15_000, interval: 20 }

interface FaultyHouse {
  readonly house: TestHouse
  readonly merchant: Merchant
  readonly card: string
  readonly gateway: FaultyGateway
  plan: Plan
}

async function openFaultyHouse(wishes: HouseWishes = {}): Promise<FaultyHouse> {
  const faulty: { plan: Plan; gateway?: FaultyGateway } = { plan: { fault: () => 'none' } }
  const house = await openTestHouse({
    ...wishes,
    withGateway(gateway) {
      faulty.gateway = faultyGateway(gateway, {
        fault: (call) => faulty.plan.fault(call),
        isLong: () => faulty.plan.isLong?.() ?? false,
        get slowMs() {
          return faulty.plan.slowMs ?? 0
        },
      })
      return faulty.gateway
    },
  })
  const merchant = await house.merchant()
  const card = await house.card(merchant)
  return Object.assign(faulty, { house, merchant, card }) as FaultyHouse
}

/** The first order of a charge meets the fault, later ones none. */
function once(fault: Fault): Plan['fault'] {
  let isFirst = true
  return ({ operation }) => {
    if (operation !== 'charge' || !isFirst) return 'none'
    isFirst = false
    return fault
  }
}

async function bookingsOf({ house }: FaultyHouse, id: string) {
  return house.world.db.query(
    'SELECT outcome, look_ups FROM sandbox_gateway_payment WHERE key = $1',
    [id],
  )
}

async function rowOf({ house }: FaultyHouse, id: string) {
  const [row] = await house.world.db.query('SELECT * FROM transaction WHERE id = $1', [id])
  return row
}

function timesIn(keys: readonly string[], id: string): number {
  return keys.filter((key) => key === id).length
}

async function charge({ house, merchant, card }: FaultyHouse, cents: number): Promise<Told> {
  return chargeAndTell(house, merchant, { card, cents })
}

describe('a gateway', () => {
  let f: FaultyHouse

  beforeAll(async () => {
    f = await openFaultyHouse()
  })
  afterAll(() => f.house.close())

  it.each([
    { fault: 'none', does: 'answers', plan: {}, orders: 1, lookUps: 0 },
    {
      fault: 'slow',
      does: 'answers late, but in time',
      plan: { slowMs: 300 },
      orders: 1,
      lookUps: 0,
    },
    {
      fault: 'slow',
      does: 'does the work when we have given up',
      plan: { slowMs: 1_600 },
      orders: 2,
      lookUps: 1,
    },
    { fault: 'silent after', does: 'breaks off after the work', plan: {}, orders: 1, lookUps: 1 },
    {
      fault: 'silent after',
      does: 'says nothing after the work',
      plan: { isLong: () => true },
      orders: 1,
      lookUps: 1,
    },
    { fault: 'silent before', does: 'breaks off before the work', plan: {}, orders: 2, lookUps: 1 },
    {
      fault: 'silent before',
      does: 'says nothing before the work',
      plan: { isLong: () => true },
      orders: 2,
      lookUps: 1,
    },
    { fault: 'error', does: 'turns it away', plan: {}, orders: 2, lookUps: 0 },
  ] as const)('that $does charges once ($orders orders, $lookUps questions)', async (story) => {
    f.plan = { ...story.plan, fault: once(story.fault) }
    const told = await charge(f, 1_250)
    expect(told.status).toBe('SUCCESS')
    expect(timesIn(f.gateway.orders, told.id)).toBe(story.orders)
    expect(timesIn(f.gateway.lookUps, told.id)).toBe(story.lookUps)
    expect(await bookingsOf(f, told.id)).toEqual([{ outcome: 'approved', look_ups: story.lookUps }])
    expect(await audit(f.house.databaseUrl, [told])).toEqual([])
  })
})
