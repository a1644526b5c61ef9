// Deletes a schedule for good. It waits for a run that is under way, and no later round finds the
// schedule due. So after the answer no invoice appears. Payments of its invoices are not retried
// any more either.

import type { RequestContext } from '../accounts/acting-account.ts'
import { holdReadyClock } from '../accounts/hold-clock.ts'
import type { Query } from '../db/database.ts'
import type { InCommit } from '../db/queries.ts'
import { INVOICE_COLUMNS, readInvoice } from '../invoices/invoice.ts'
import { writeInvoices } from '../invoices/write-invoices.ts'
import type { World } from '../world.ts'
import { holdSchedule, type ScheduleRow, scheduleTurn } from './schedule.ts'
import { shownOutlook, withOutlook } from './schedule-outlook.ts'
import { schedules } from './schedule-view.ts'

const HOLD_TRIED_AGAIN = `
  SELECT ${INVOICE_COLUMNS} FROM invoice v
  WHERE v.account_id = $1 AND v.schedule_id = $2 AND v.retry_at IS NOT NULL
  ORDER BY v.id
  FOR NO KEY UPDATE`

/** Returns the schedule, also if it is already deleted. */
export function deleteSchedule(
  world: World,
  context: RequestContext,
  id: string,
  record?: InCommit,
): Promise<ScheduleRow> {
  const key = { accountId: context.accountId, id }
  return world.db.commit(scheduleTurn(key), async (query) => {
    const timed = await holdReadyClock(query, context)
    const row = await holdSchedule(query, key)
    if (row.status === 'deleted') return row
    const now = world.accountNow(timed)
    const gone: ScheduleRow = {
      ...row,
      status: 'deleted',
      nextRunAt: null,
      dueAt: null,
      parkedReason: null,
      version: row.version + 1,
      updatedAt: now,
      deletedAt: now,
    }
    const deleted = withOutlook(gone, shownOutlook(row))
    await schedules.delete(world, query, context, deleted)
    await stopRetries(world, query, context, deleted)
    await record?.(query)
    return deleted
  })
}

async function stopRetries(
  world: World,
  query: Query,
  { requestId }: RequestContext,
  { accountId, id, updatedAt: at }: ScheduleRow,
): Promise<void> {
  const held = (await query(HOLD_TRIED_AGAIN, [accountId, id])).map(readInvoice)
  const change = { retryAt: null, dueAt: null }
  await writeInvoices(
    world,
    query,
    held.map((one) => ({ held: one, change, requestId, at })),
  )
}
