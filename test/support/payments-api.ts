// The API of payments as one merchant uses it in a test: a service, a key, a card and the requests
// about a transaction.

import { expect } from 'vitest'
import type { TransactionType } from '../../src/core/transaction.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type ServiceOptions,
  type TestService,
} from './test-service.ts'

export type Operation = 'void' | 'refund' | 'void-or-refund' | 'capture'

type Headers = Readonly<Record<string, string>>

/** An event of a transaction, as a webhook would carry it. */
interface TransactionEvent {
  readonly type: string
  readonly sequence: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into snapshots as a client without types does
  readonly snapshot: any
}

export interface PaymentsApi {
  readonly service: TestService
  readonly merchant: Merchant
  readonly card: string
  /** POST /charge of 10.00, unless the body says otherwise; returns the answer. */
  charge(body?: object, headers?: Headers): Promise<Answer>
  /** The id of a successful charge. */
  paid(body?: object): Promise<string>
  /** The id of a successful authorisation. */
  authorised(body?: object): Promise<string>
  ask(id: string, operation: Operation, body?: object, headers?: Headers): Promise<Answer>
  get(id: string): Promise<Answer>
  related(id: string): Promise<Answer>
  /** The newest child of that type, as the parent shows it. */
  childOf(id: string, type: TransactionType): Promise<Answer['body']>
  /** The events of a transaction, from the first on. */
  events(id: string): Promise<readonly TransactionEvent[]>
}

export async function openPaymentsApi(options: ServiceOptions = {}): Promise<PaymentsApi> {
  return newPaymentsApi(await openTestService(options))
}

/** That of a new merchant, with a card of this number, or one that is approved. */
export async function newPaymentsApi(service: TestService, number?: string): Promise<PaymentsApi> {
  const merchant = await service.merchant()
  return paymentsApiOf(service, merchant, await service.card(merchant, number))
}

export function paymentsApiOf(service: TestService, merchant: Merchant, card: string): PaymentsApi {
  const get = (id: string) => call(service.app, 'GET', `/transaction/${id}`, merchant.headers)
  const charge = (body: object = {}, headers: Headers = {}) =>
    service.charge(merchant, { total: 10, payment_method_id: card, ...body }, headers)
  const paid = async (body: object = {}) => {
    const { id } = (await charge(body)).body
    // If callers do not wait long, it may still be in progress.
    await expect.poll(async () => (await get(id)).body).toMatchObject({ status: 'SUCCESS' })
    return id as string
  }
  return {
    service,
    merchant,
    card,
    charge,
    paid,
    authorised: (body = {}) => paid({ ...body, pre_auth: true }),
    ask: (id, operation, body, headers = {}) =>
      call(
        service.app,
        'POST',
        `/transaction/${id}/${operation}`,
        { ...merchant.headers, ...headers },
        body,
      ),
    get,
    related: (id) => call(service.app, 'GET', `/transaction/${id}/related`, merchant.headers),
    async childOf(id, type) {
      const { body } = await get(id)
      const children = [...body.child_transactions, ...body.child_captures]
      return children.filter((child: { type: string }) => child.type === type).at(-1)
    },
    events: (id) => eventsOf(service, id),
  }
}

async function eventsOf(service: TestService, id: string): Promise<readonly TransactionEvent[]> {
  const rows = await service.world.db.query(
    'SELECT type, sequence, snapshot FROM event WHERE resource_id = $1 ORDER BY sequence',
    [id],
  )
  return rows as unknown as readonly TransactionEvent[]
}

/** The sandbox gateway's ledger entries for our orders, without those that it gave up. */
export async function booked(service: TestService, parentId: string) {
  const rows = await service.world.db.query(
    `SELECT operation, amount::integer AS cents, outcome FROM sandbox_gateway_payment
     WHERE parent_key = $1 AND outcome <> 'given_up' ORDER BY created_at, key`,
    [parentId],
  )
  return rows.map(({ operation, cents, outcome }) => `${operation} ${cents} ${outcome}`)
}

/** From now on the gateway declines every order about the transaction. */
export async function forgetAtGateway(service: TestService, id: string): Promise<void> {
  await service.world.db.query(
    `UPDATE sandbox_gateway_payment SET outcome = 'declined' WHERE key = $1`,
    [id],
  )
}
