// Schedules of a merchant with a customer and a card, in a service whose clock the test sets.

import { expect } from 'vitest'
import { CARD } from './sandbox-cards.ts'
import {
  type Answer,
  call,
  GOOD_CARD,
  type Merchant,
  openTestService,
  type ServiceOptions,
  type TestService,
} from './test-service.ts'

export interface SettableClock {
  at: Date
  now(): Date
}

export interface TestSchedules extends AsyncDisposable {
  readonly service: TestService
  readonly merchant: Merchant
  readonly customer: string
  readonly card: string
  readonly clock: SettableClock
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<Answer>
  /** Makes a schedule for that customer, 12.50, with the card, and expects success. */
  made(fields?: object): Promise<Answer['body']>
  get(id: string): Promise<Answer['body']>
  put(id: string, body: object): Promise<Answer>
  close(): Promise<void>
}

export const PATH = '/invoice/schedule'

/** It is a Saturday at seven in the morning in New York, in winter. */
export const MORNING = '2026-01-17T12:00:00.000Z'

export function settableClock(at: string): SettableClock {
  const clock = { at: new Date(at), now: () => clock.at }
  return clock
}

export async function openSchedules(
  options: ServiceOptions & { readonly at?: string; readonly cardNumber?: string } = {},
): Promise<TestSchedules> {
  const { at = MORNING, cardNumber = GOOD_CARD, ...more } = options
  const clock = settableClock(at)
  const service = await openTestService({ queues: [], clock, ...more })
  return schedulesOfAnother({ service, clock }, cardNumber)
}

/** Those of a new merchant of the service. */
export async function schedulesOfAnother(
  { service, clock }: Pick<TestSchedules, 'service' | 'clock'>,
  cardNumber = GOOD_CARD,
): Promise<TestSchedules> {
  const merchant = await service.merchant()
  const ask: TestSchedules['ask'] = (method, url, body) =>
    call(service.app, method, url, merchant.headers, body)
  const taken = async (url: string, body: object): Promise<Answer['body']> => {
    const answer = await ask('POST', url, body)
    expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
    return answer.body
  }
  const { id: customer } = await taken('/customer', { firstname: 'Ada' })
  const own = { ...CARD, card_number: cardNumber, customer_id: customer }
  const { id: card } = await taken('/payment-method', own)
  return {
    service,
    merchant,
    customer,
    card,
    clock,
    ask,
    made: (fields = {}) =>
      taken(PATH, {
        total: 12.5,
        rule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0',
        customer_id: customer,
        payment_method_id: card,
        ...fields,
      }),
    get: async (id) => (await ask('GET', `${PATH}/${id}`)).body,
    put: (id, body) => ask('PUT', `${PATH}/${id}`, body),
    close: () => service.close(),
    [Symbol.asyncDispose]: () => service.close(),
  }
}

/** The handled occurrences, in order, each with whether it made an invoice. */
export async function runsOf(
  { service }: Pick<TestSchedules, 'service'>,
  id: string,
): Promise<readonly (readonly [at: string, isRun: boolean])[]> {
  const rows = await service.world.db.query(
    'SELECT occurs_at, invoice_id FROM schedule_run WHERE schedule_id = $1 ORDER BY occurs_at',
    [id],
  )
  return rows.map((row) => [row.occurs_at.toISOString(), row.invoice_id !== null])
}

/** The events from the first on, each with whether it was written in the row's commit. */
export function scheduleEvents({ service }: Pick<TestSchedules, 'service'>, id: string) {
  return service.world.db.query(
    `SELECT e.type, e.sequence, e.snapshot, e.xmin = s.xmin AS same_commit
     FROM event e JOIN schedule s ON s.account_id = e.account_id AND s.id::text = e.resource_id
     WHERE e.resource_id = $1 ORDER BY e.sequence`,
    [id],
  )
}

const COPIES = `
  INSERT INTO schedule SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
  FROM schedule s, generate_series(1, $2) WHERE s.id = $1`

/** Adds so many schedules that differ from it by their ids alone. */
export async function copySchedule(
  { service }: Pick<TestSchedules, 'service'>,
  id: string,
  copies: number,
): Promise<void> {
  await service.world.db.query(COPIES, [id, copies])
}
