// A merchant whose days end at the test's choice: the service has a clock that can be moved.

import assert from 'node:assert'
import { expect } from 'vitest'
import { BATCH_COLUMNS, type BatchRow, readBatch } from '../../src/settlement/batch.ts'
import type { World } from '../../src/world.ts'
import { type MovableClock, movableClock } from './end-windows.ts'
import { type FaultyGateway, faultyGateway, type Plan } from './faulty-gateway.ts'
import { type PaymentsApi, paymentsApiOf } from './payments-api.ts'
import { openTestService, type ServiceOptions } from './test-service.ts'

export interface DayEnd extends PaymentsApi {
  readonly world: World
  readonly clock: MovableClock
  readonly gateway: FaultyGateway
  plan: Plan
  /** The batches of the merchant, by day. */
  batches(): Promise<readonly BatchRow[]>
  /** Moves the clock a second past the next cutoff; answers that batch. */
  passCutoff(): Promise<BatchRow>
  /** Moves the clock to that instant, or a little later. */
  moveTo(instant: Date): void
  /** The events of a batch. */
  eventsOfBatch(
    batchId: string,
  ): Promise<readonly { readonly type: string; readonly snapshot: object }[]>
  close(): Promise<void>
}

/** No process dies here, and a busy machine is not a silent gateway. */
const TIMINGS = { gatewayTimeoutMs: 15_000, leaseMs: 20_000 }

export async function openDayEnd(options: ServiceOptions = {}): Promise<DayEnd> {
  const clock = movableClock()
  const state: { plan: Plan; gateway?: FaultyGateway } = { plan: { fault: () => 'none' } }
  const service = await openTestService({
    timings: TIMINGS,
    clock,
    withGateway(gateway) {
      state.gateway = faultyGateway(gateway, { fault: (call) => state.plan.fault(call) })
      return state.gateway
    },
    ...options,
  })
  const { world } = service
  const merchant = await service.merchant()
  const api = paymentsApiOf(service, merchant, await service.card(merchant))

  const moveTo = (instant: Date) => clock.move(instant.getTime() - clock.now().getTime())

  async function batches(): Promise<readonly BatchRow[]> {
    const sql = `SELECT ${BATCH_COLUMNS} FROM batch b WHERE account_id = $1 ORDER BY business_date`
    return (await world.db.query(sql, [merchant.accountId])).map(readBatch)
  }

  async function passCutoff(): Promise<BatchRow> {
    const next = (await batches()).find(({ cutoffAt }) => cutoffAt > clock.now())
    assert(next !== undefined, 'there is a batch whose cutoff is to come')
    moveTo(new Date(next.cutoffAt.getTime() + 1_000))
    return next
  }

  async function eventsOfBatch(batchId: string) {
    const sql = 'SELECT type, snapshot FROM event WHERE resource_id = $1 ORDER BY sequence'
    return (await world.db.query(sql, [batchId])) as never
  }

  const rest = {
    ...api,
    world,
    clock,
    batches,
    passCutoff,
    moveTo,
    eventsOfBatch,
    close: service.close,
  }
  return Object.assign(state, rest) as DayEnd
}

/** Each transaction of the batch has an event with the present answer of its GET. */
export async function expectEventsAsShown(dayEnd: DayEnd, batchId: string): Promise<void> {
  const sql = `SELECT resource_id, snapshot FROM event
    WHERE account_id = $1 AND type = 'update_transaction_settled' AND snapshot->>'batch_id' = $2`
  const { world, merchant } = dayEnd
  const rows = await world.db.query(sql, [merchant.accountId, batchId])
  expect(rows.length).toBe((await dayEnd.batches()).find(({ id }) => id === batchId)?.count)
  for (const { resource_id, snapshot } of rows) {
    expect((await dayEnd.get(resource_id)).body).toEqual(snapshot)
  }
}
