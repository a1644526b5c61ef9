// A house whose gateway fails as a test wishes, call by call.

import { type FaultyGateway, faultyGateway, type Plan } from './faulty-gateway.ts'
import { type HouseWishes, type Merchant, openTestHouse, type TestHouse } from './house.ts'

/** A house, the gateway beside it, and what that is up to. */
export interface Scene {
  readonly house: TestHouse
  readonly merchant: Merchant
  readonly card: string
  readonly gateway: FaultyGateway
  plan: Plan
}

/** Nobody dies here: how often the gateway is asked must not depend on how busy the machine is. */
const TIMINGS = { gatewayTimeoutMs: 1_000, leaseMs: 15_000 }

export async function openScene(wishes: HouseWishes = {}): Promise<Scene> {
  const state: { plan: Plan; gateway?: FaultyGateway } = { plan: { fault: () => 'none' } }
  const house = await openTestHouse({
    timings: TIMINGS,
    ...wishes,
    withGateway(gateway) {
      state.gateway = faultyGateway(gateway, {
        fault: (call) => state.plan.fault(call),
        isLong: () => state.plan.isLong?.() ?? false,
        get slowMs() {
          return state.plan.slowMs ?? 0
        },
      })
      return state.gateway
    },
  })
  const merchant = await house.merchant()
  const card = await house.card(merchant)
  return Object.assign(state, { house, merchant, card }) as Scene
}
