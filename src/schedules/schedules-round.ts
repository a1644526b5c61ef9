// The job `schedules`: runs due schedules and retries failed payments of invoices. Work that it
// does not finish stays due.

import { DELIVERY_CHANNELS } from '../core/delivery.ts'
import type { World } from '../world.ts'
import { retryDueInvoices } from './retry-due-invoices.ts'
import { runDueSchedules } from './run-due-schedules.ts'

export async function schedulesRound(world: World): Promise<number> {
  const runs = await runDueSchedules(world)
  const retries = await retryDueInvoices(world)
  // The runs may belong to any account, so rounds of all channels are started. A channel without
  // due work ends its round at once.
  if (runs + retries > 0) for (const channel of DELIVERY_CHANNELS) world.queues.startRound(channel)
  return runs + retries
}
