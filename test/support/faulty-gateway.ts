// A gateway that fails on demand: the sandbox's own, with faults between it and us.

import type { Answer, BatchTotals, Gateway, Order, Trace } from '../../src/outside/gateway/port.ts'

/**
 * `silent after` did the work and its answer was lost; `silent before` never heard of it; `slow`
 * answers late; `error` turns away; `decline` says no, and keeps to it; `wrong` says that it approved
 * what it never heard of, as a gateway with a bug does.
 */
export type Fault =
  | 'none'
  | 'silent after'
  | 'silent before'
  | 'slow'
  | 'error'
  | 'decline'
  | 'wrong'

/** The sandbox takes nothing from what it never heard of. */
const NOBODY: Order['parent'] = { key: 'nobody', operation: 'charge', gatewayId: null }

export interface Plan {
  /** Which fault a call meets; asked for every call. */
  readonly fault: (call: {
    readonly operation: Order['operation'] | 'lookUp' | 'closeBatch'
    readonly key: string
  }) => Fault
  readonly slowMs?: number
  /** Whether a silence lasts until the caller gives up; else the connection breaks at once. */
  readonly isLong?: () => boolean
}

export interface FaultyGateway extends Gateway {
  /** The keys of the orders that came, each as often as it came. */
  readonly orders: readonly string[]
  /** Those asked after, or to be given up: one that cannot tell of an order cannot end it either. */
  readonly lookUps: readonly string[]
  /** The batches that it was told of. */
  readonly batches: readonly BatchTotals[]
}

export function faultyGateway(gateway: Gateway, plan: Plan): FaultyGateway {
  const orders: string[] = []
  const lookUps: string[] = []
  const batches: BatchTotals[] = []
  return {
    ...gateway,
    orders,
    lookUps,
    batches,
    async carryOut(order: Order, signal: AbortSignal): Promise<Answer> {
      orders.push(order.key)
      const fault = plan.fault({ operation: order.operation, key: order.key })
      if (fault === 'silent before') return silence(plan, signal)
      if (fault === 'error') return { kind: 'turned_away', message: 'Try again later' }
      if (fault === 'wrong') return { kind: 'approved', gatewayId: 'made-up', message: 'Approved' }
      if (fault === 'decline') return gateway.carryOut({ ...order, parent: NOBODY }, signal)
      if (fault === 'slow') await pause(plan.slowMs ?? 100)
      const answer = await gateway.carryOut(order, signal)
      return fault === 'silent after' ? silence(plan, signal) : answer
    },
    async lookUp(question, signal): Promise<Trace> {
      lookUps.push(question.key)
      const fault = plan.fault({ operation: 'lookUp', key: question.key })
      return fault === 'none' ? gateway.lookUp(question, signal) : silence(plan, signal)
    },
    async giveUp(order, signal): Promise<Trace> {
      lookUps.push(order.key)
      const fault = plan.fault({ operation: 'lookUp', key: order.key })
      return fault === 'none' ? gateway.giveUp(order, signal) : silence(plan, signal)
    },
    async closeBatch(totals, signal): Promise<void> {
      batches.push(totals)
      const fault = plan.fault({ operation: 'closeBatch', key: totals.key })
      const isHeard = fault === 'none' || fault === 'slow'
      if (isHeard || fault === 'silent after') await gateway.closeBatch(totals, signal)
      if (!isHeard) await silence(plan, signal)
    },
  }
}

async function silence(plan: Plan, signal: AbortSignal): Promise<never> {
  if (plan.isLong?.() === true && !signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  throw new Error('the connection was reset')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
