// One account with all of its history, in the service and in the model beside it.

import type { Gateway } from '../../src/outside/gateway/port.ts'
import type { Random } from '../chaos/random.ts'
import { type Fault, faultyGateway } from './faulty-gateway.ts'
import { type Answer, call, type Merchant, type TestService } from './test-service.ts'
import type { ModelChild, Modelled } from './transaction-model.ts'

export interface Entity {
  readonly id: string
  t: Modelled
  readonly parent: Entity | undefined
  readonly children: Entity[]
  readonly isOfLink: boolean
  /** The number of events that must have been written. */
  events: number
}

export interface ModelledAccount {
  readonly service: TestService
  readonly merchant: Merchant
  readonly goodCard: string
  readonly badCard: string
  readonly customer: string
  readonly link: string
  readonly random: Random
  readonly faults: OrderFaults
  readonly entities: Entity[]
  /** Decided requests, to be repeated. */
  readonly answered: Repeatable[]
  /** A request that the gateway has not answered yet. */
  held: Held | undefined
  isLinkDeleted: boolean
  /** The account's own time. */
  now: Date
}

export interface Request {
  readonly url: string
  readonly body: object
  readonly key: string
}

interface Repeatable extends Request {
  readonly text: string
}

export interface Held extends Request {
  readonly child: Entity
  readonly begun: ModelChild
  readonly at: Date
  readonly release: (fault: Fault) => void
}

/** The fault of the account's next order. */
export interface OrderFaults {
  next: Fault | Promise<Fault>
  /** Called when the order has come. */
  onOrder: () => void
}

/** The sandbox, with the faults that each account's test sets. */
export function gatewayWithFaults(
  sandbox: Gateway,
  faultsByAccount: ReadonlyMap<string, OrderFaults>,
): Gateway {
  let fault: Fault = 'none'
  const faulty = faultyGateway(sandbox, { fault: () => fault })
  return {
    ...faulty,
    async carryOut(order, signal) {
      const faults = faultsByAccount.get(order.accountId)
      const next = faults?.next ?? 'none'
      if (faults !== undefined) faults.next = 'none'
      faults?.onOrder()
      const met = await next
      fault = met
      return faulty.carryOut(order, signal)
    },
    lookUp: sandbox.lookUp,
    giveUp: sandbox.giveUp,
  }
}

export function newEntity(
  id: string,
  t: Modelled,
  { parent, isOfLink = false }: { readonly parent?: Entity; readonly isOfLink?: boolean } = {},
): Entity {
  const entity = { id, t, parent, children: [], isOfLink, events: 1 }
  parent?.children.push(entity)
  return entity
}

export function postAs(
  { service, merchant }: ModelledAccount,
  { url, body, key }: Request,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const all = { ...merchant.headers, ...headers, 'idempotency-key': key }
  return call(service.app, 'POST', url, all, body)
}
