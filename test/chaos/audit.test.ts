// The audit fails when it should: each of its checks gets a database in which just one thing is
// wrong, and reports just that.

import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/app.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { faultyGateway } from '../support/faulty-gateway.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import { audit, type JournalEntry, violationsIn } from './audit.ts'
import { ALL_CHECKS } from './audit-checks.ts'
import { endDays, leaveLongAgo } from './batches.ts'
import { CASES_OF_BATCHES } from './broken-batches.ts'
import { CASES_OF_EVENTS } from './broken-events.ts'
import { CASES_OF_FOLLOW_UPS } from './broken-follow-ups.ts'
import { CASES_OF_INVOICES } from './broken-invoices.ts'
import { type AuditedTransactions, CASES_OF_TRANSACTIONS } from './broken-transactions.ts'
import { chargeForJournal, followUpForJournal, type JournalFollowUp } from './journal.ts'
import { isWorkPending } from './run-figures.ts'
import { makeDue } from './schedules.ts'

const CASES = [
  ...CASES_OF_TRANSACTIONS,
  ...CASES_OF_EVENTS,
  ...CASES_OF_FOLLOW_UPS,
  ...CASES_OF_BATCHES,
  ...CASES_OF_INVOICES,
]

describe('the audit', () => {
  let service: TestService
  let client: pg.Client
  let transactions: AuditedTransactions

  beforeAll(async () => {
    // Slow enough for a caller who does not wait to get PENDING.
    service = await openTestService({
      queues: QUEUE_NAMES,
      withGateway: (gateway) => faultyGateway(gateway, { fault: () => 'slow', slowMs: 300 }),
    })
    client = new pg.Client(service.databaseUrl)
    await client.connect()
    transactions = await makeTransactions(service, client)
    await client.query('RESET ALL')
  })
  afterAll(async () => {
    await client.end()
    await service.close()
  })

  const violations = (journal: readonly JournalEntry[] = Object.values(transactions)) =>
    violationsIn(client, journal, ALL_CHECKS)

  beforeEach(async () => {
    await client.query('BEGIN')
    // Triggers and foreign keys are off, or they would refuse the faults.
    await client.query('SET LOCAL session_replication_role = replica')
  })
  afterEach(() => client.query('ROLLBACK'))

  it('finds nothing if nothing is wrong', async () => {
    expect(await audit(service.databaseUrl, Object.values(transactions), ALL_CHECKS)).toEqual([])
    expect(await violations()).toEqual([])
  })

  it('accepts a charge that failed at its deadline and that the gateway never made', async () => {
    const { id } = transactions.declined
    await client.query(`DELETE FROM sandbox_gateway_payment WHERE key = '${id}'`)
    await client.query(`UPDATE transaction SET deadline_at = updated_at WHERE id = '${id}'`)
    expect(await violations()).toEqual([])
  })

  it('accepts a charge that failed and that the gateway never had, once its link was deleted', async () => {
    const { id } = transactions.declined
    await client.query(`DELETE FROM sandbox_gateway_payment WHERE key = '${id}'`)
    await client.query(`
      UPDATE transaction SET payment_link_id = (SELECT id FROM payment_link) WHERE id = '${id}'`)
    expect(await violations([])).toHaveLength(1)
    await client.query('DROP TABLE journal, ledger')
    await client.query('UPDATE payment_link SET deleted_at = created_at')
    expect(await violations([])).toEqual([])
  })

  it.each(CASES)('reports "$check" if $what', async ({ check, doctor, journal }) => {
    if (doctor !== undefined) await client.query(doctor(transactions))
    expect(await violations(journal?.(transactions))).toEqual([
      expect.stringMatching(new RegExp(`^${check}: `)),
    ])
  })

  it('has no check that is not shown to fail', () => {
    const shown = new Set(CASES.map(({ check }) => check))
    expect(ALL_CHECKS.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
  })
})

/** One transaction of each kind. */
async function makeTransactions(
  service: TestService,
  client: pg.Client,
): Promise<AuditedTransactions> {
  const { app } = service
  const merchant = await service.merchant()
  const link = await call(app, 'POST', '/payment-link', merchant.headers, { common_name: 'Tea' })
  const more = { payment_link_id: link.body.id }
  const card = await service.card(merchant)
  const bad = await service.card(merchant, '4000000000000002')
  const charge = (cents: number) => chargeForJournal(app, merchant, { card, cents, more })
  const [refunded, settled] = await Promise.all([charge(2_000), charge(1_500)])
  await passDays(service, client)
  const [approved, declined, authorised, voided] = await Promise.all([
    chargeForJournal(app, merchant, { card, cents: 1_250 }),
    chargeForJournal(app, merchant, { card: bad, cents: 990 }),
    chargeForJournal(app, merchant, { card, cents: 3_000, more: { ...more, pre_auth: true } }),
    charge(1_000),
  ])
  await bill(service, client, merchant, card)
  const ask = (of: JournalEntry, operation: JournalFollowUp['operation'], cents: number | null) =>
    followUpForJournal(app, merchant, of.id, { operation, cents })
  return {
    settled,
    approved,
    declined,
    announced: await announced(app, merchant, card),
    refund: await ask(refunded, 'refund', 700),
    lastRefund: await ask(refunded, 'void-or-refund', 400),
    capture: await ask(authorised, 'capture', 1_200),
    void: await ask(voided, 'void', null),
  }
}

/** Closes the open batch, and lets its deposit arrive. */
async function passDays(service: TestService, client: pg.Client): Promise<void> {
  await endDays(client)
  await quiet(service)
  await leaveLongAgo(client)
  await quiet(service)
}

/** An invoice that a schedule made and a payment paid, and one that is unpaid. */
async function bill(
  service: TestService,
  client: pg.Client,
  merchant: Merchant,
  card: string,
): Promise<void> {
  const { headers } = merchant
  const { body } = await call(service.app, 'GET', `/payment-method/${card}`, headers)
  const common = { total: 12.34, customer_id: body.customer_id, payment_method_id: card }
  const rule = { rule: 'FREQ=YEARLY', start: `${new Date().getUTCFullYear() + 1}-01-31 09:00:00` }
  await call(service.app, 'POST', '/invoice/schedule', headers, { ...common, ...rule })
  await makeDue(client, 1)
  await call(service.app, 'POST', '/invoice', headers, common)
  await quiet(service)
}

async function quiet({ databaseUrl }: TestService): Promise<void> {
  await soon(async () => expect(await isWorkPending(databaseUrl)).toBe(false))
}

async function announced(app: App, merchant: Merchant, card: string): Promise<JournalEntry> {
  const order = { card, cents: 4_200, key: 'announced' }
  const pending = await chargeForJournal(app, merchant, { ...order, isAtOnce: true })
  expect(pending.status).toBe('PENDING')
  return soon(async () => {
    const charged = await chargeForJournal(app, merchant, order)
    expect(charged.status).toBe('SUCCESS')
    return charged
  })
}
