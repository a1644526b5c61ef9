// A service whose gateway fails at the test's choice, call by call.

import { type FaultyGateway, faultyGateway, type Plan } from './faulty-gateway.ts'
import {
  type Merchant,
  openTestService,
  type ServiceOptions,
  type TestService,
} from './test-service.ts'

/** A service, its gateway, and the gateway's plan. */
export interface FaultySetup {
  readonly service: TestService
  readonly merchant: Merchant
  readonly card: string
  readonly gateway: FaultyGateway
  plan: Plan
}

/** No worker dies here, and how often it asks the gateway must not depend on a busy machine. */
const TIMINGS = { gatewayTimeoutMs: 1_000, leaseMs: 15_000 }

export async function openFaultySetup(options: ServiceOptions = {}): Promise<FaultySetup> {
  const state: { plan: Plan; gateway?: FaultyGateway } = { plan: { fault: () => 'none' } }
  const service = await openTestService({
    timings: TIMINGS,
    ...options,
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
  const merchant = await service.merchant()
  const card = await service.card(merchant)
  return Object.assign(state, { service, merchant, card }) as FaultySetup
}
