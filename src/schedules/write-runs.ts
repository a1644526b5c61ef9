// Writes the runs of schedules: the runs, their invoices, their payments, and the schedules as they
// are then, each with its event.

import type { Query } from '../db/database.ts'
import { type NewDeliveries, writeDeliveries } from '../deliveries/write-deliveries.ts'
import { changeOf, writeWithEvents } from '../events/insert-event.ts'
import type { Transaction } from '../generated/client.ts'
import { insertInvoices } from '../invoices/write-invoices.ts'
import { newInvoicePayment } from '../payments/accept/accept-invoice-payment.ts'
import { insertOwn } from '../payments/transaction/transaction-row.ts'
import type { World } from '../world.ts'
import { notifiedOf, type Plan } from './plan-runs.ts'
import { scheduleColumns, scheduleView } from './schedule-view.ts'

const INSERT_RUNS = `
  INSERT INTO schedule_run (account_id, schedule_id, occurs_at, invoice_id, created_at)
  SELECT run.*, $5::timestamptz
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[]) AS run`

export async function writeRuns(
  world: World,
  query: Query,
  plans: readonly Plan[],
  now: Date,
): Promise<void> {
  if (plans.length === 0) return
  const runs = plans.flatMap(({ before, runs }) => runs.map((run) => ({ ...run, before })))
  const invoices = runs.flatMap(({ invoice }) => invoice ?? [])
  await insertInvoices(world, query, ...invoices)
  await query(INSERT_RUNS, [
    runs.map(({ before }) => before.accountId),
    runs.map(({ before }) => before.id),
    runs.map(({ occursAt }) => occursAt),
    runs.map(({ invoice }) => invoice?.id ?? null),
    now,
  ])
  await insertOwn(query, ...plans.flatMap((plan) => paymentsOf(world, plan, now)))
  await writeDeliveries(world, query, ...plans.flatMap(billsOf))
  const rows = plans.map(({ next }) => next)
  const changes = rows.map((row) =>
    changeOf('update_scheduled_invoice', row, scheduleView(row), row),
  )
  await writeWithEvents(world, query, scheduleColumns.change, rows, changes)
}

function paymentsOf(
  world: World,
  { before: { paymentMethod }, runs }: Plan,
  now: Date,
): readonly Transaction[] {
  return runs.flatMap(({ invoice }) => {
    if (paymentMethod === null || invoice === undefined || invoice.paymentId === null) return []
    const own = { id: invoice.paymentId, invoiceTry: 1 }
    return [newInvoicePayment(world, invoice, paymentMethod, now, own)]
  })
}

/** Sends the bill if the customer pays by hand. An automatic payment gets a receipt instead. */
function billsOf({ before, runs }: Plan): readonly NewDeliveries[] {
  const { accountId, requestId } = before
  const bills = runs.flatMap(({ invoice }) => (invoice?.paymentId === null ? [invoice] : []))
  return bills.flatMap(({ id }) =>
    notifiedOf(before).map(({ channel, recipients }) => ({
      accountId,
      channel,
      recipients,
      subject: 'invoice' as const,
      subjectId: id,
      request: 'run',
      requestId,
      isScheduled: true,
    })),
  )
}
