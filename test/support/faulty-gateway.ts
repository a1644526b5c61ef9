// A gateway that fails on demand: the sandbox's own, with faults on the way to it.

import type { Answer, Gateway, Order, OrderState } from '../../src/outside/gateway/port.ts'

/**
 * `silent after` did the work and its answer was lost; `silent before` never got the request;
 * `slow` answers late; `error` turns orders away; `decline` declines, and repeats that; `wrong`
 * approves an order that it never got, as a faulty gateway might.
 */
export type Fault =
  | 'none'
  | 'silent after'
  | 'silent before'
  | 'slow'
  | 'error'
  | 'decline'
  | 'wrong'

/** The sandbox carries out no charge for a key that it does not know. */
const NO_PARENT: Order['parent'] = { key: 'none', operation: 'charge', gatewayId: null }

export interface Plan {
  /** Chooses the fault of every call. */
  readonly fault: (call: {
    readonly operation: Order['operation'] | 'lookUp'
    readonly key: string
  }) => Fault
  readonly slowMs?: number
  /** Whether a silence lasts until the caller gives up; otherwise the connection breaks at once. */
  readonly isLong?: () => boolean
}

export interface FaultyGateway extends Gateway {
  /** The keys of the orders that came, each as often as it came. */
  readonly orders: readonly string[]
  /** The keys of questions and of requests to give up: a fault of one is a fault of the other. */
  readonly lookUps: readonly string[]
}

export function faultyGateway(gateway: Gateway, plan: Plan): FaultyGateway {
  const orders: string[] = []
  const lookUps: string[] = []
  return {
    ...gateway,
    orders,
    lookUps,
    async carryOut(order: Order, signal: AbortSignal): Promise<Answer> {
      orders.push(order.key)
      const fault = plan.fault({ operation: order.operation, key: order.key })
      if (fault === 'silent before') return silence(plan, signal)
      if (fault === 'error') return { kind: 'turned_away', message: 'Try again later' }
      if (fault === 'wrong') return { kind: 'approved', gatewayId: 'made-up', message: 'Approved' }
      if (fault === 'decline') return gateway.carryOut({ ...order, parent: NO_PARENT }, signal)
      if (fault === 'slow') await pause(plan.slowMs ?? 100)
      const answer = await gateway.carryOut(order, signal)
      return fault === 'silent after' ? silence(plan, signal) : answer
    },
    async lookUp(question, signal): Promise<OrderState> {
      lookUps.push(question.key)
      const fault = plan.fault({ operation: 'lookUp', key: question.key })
      return fault === 'none' ? gateway.lookUp(question, signal) : silence(plan, signal)
    },
    async giveUp(order, signal): Promise<OrderState> {
      lookUps.push(order.key)
      const fault = plan.fault({ operation: 'lookUp', key: order.key })
      return fault === 'none' ? gateway.giveUp(order, signal) : silence(plan, signal)
    },
  }
}

/** How often the order or the question with that key came. */
export function timesIn(keys: readonly string[], id: string): number {
  return keys.filter((key) => key === id).length
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
