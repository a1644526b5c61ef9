// Starts the delivery jobs of the channels for which an account has due deliveries. Called after
// every request that may have changed something and after every row of work, so that the code that
// writes events and receipts need not call it. The sweep finds what is missed.

import { DELIVERY_CHANNELS } from '../core/delivery.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'

/** Any active endpoint counts as due: to look for due rows of each would cost more. */
const dueChannels = gatheredStatement({
  name: 'due-channels',
  columns: { accountId: 'uuid', now: 'timestamptz' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord,
      EXISTS (
        SELECT FROM delivery
        WHERE channel = 'email' AND lane = i.account_id AND due_at <= i.now
      ) AS email,
      EXISTS (
        SELECT FROM delivery
        WHERE channel = 'sms' AND lane = i.account_id AND due_at <= i.now
      ) AS sms,
      EXISTS (
        SELECT FROM webhook
        WHERE account_id = i.account_id AND status = 'active' AND deleted_at IS NULL
      ) AS webhook
    FROM input i`,
  read: (row) => DELIVERY_CHANNELS.filter((channel) => row[channel]),
})

const NOT_STARTED = 'receipts and webhooks wait for the sweep: their jobs could not be started'

/** The caller need not wait for it, and it never throws. */
export function startDueDeliveries(world: World, accountId: string): void {
  world.db
    .ask(dueChannels, { accountId, now: world.clock.now() })
    .then((channels = []) => {
      for (const channel of channels) world.queues.startRound(channel)
    })
    .catch((err) => world.outages.report(NOT_STARTED, { err }))
}
