// The job `schedules`: runs the schedules that are due, and tries failed payments of invoices again
// whose time has come. What it could not finish is due as before.

import { DELIVERY_CHANNELS } from '../core/delivery.ts'
import { retryDueInvoices } from '../schedules/retry-due-invoices.ts'
import { runDueSchedules } from '../schedules/run-due-schedules.ts'
import type { World } from '../world.ts'

export async function runSchedules(world: World): Promise<number> {
  const runs = await runDueSchedules(world)
  const retries = await retryDueInvoices(world)
  // Whose they are is all the same: whoever has nothing due is not disturbed.
  if (runs + retries > 0) for (const channel of DELIVERY_CHANNELS) world.queues.prompt(channel)
  return runs + retries
}
