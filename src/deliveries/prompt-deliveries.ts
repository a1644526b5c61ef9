// Makes what an account has just come to owe prompt. Called after every request that may have
// changed something and after every piece of work, so that nobody who writes an event or a receipt
// has to think of it; who forgets has the sweep.

import type { DeliveryChannel } from '../core/delivery.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'

/** Endpoints are few, and their deliveries of many lanes: whoever has one is prompted. */
export const dueChannels = gatheredStatement<
  { readonly accountId: string; readonly now: Date },
  readonly DeliveryChannel[]
>({
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
  read: (row) => CHANNELS.filter((channel) => row[channel]),
})

const UNPROMPTED = 'receipts and webhooks wait for the sweep: they could not be prompted'

export const CHANNELS: readonly DeliveryChannel[] = ['email', 'sms', 'webhook']

/** Nobody need wait for it, and it never throws. */
export function promptDeliveries(world: World, accountId: string): void {
  world.db
    .ask(dueChannels, { accountId, now: world.clock.now() })
    .then((channels = []) => {
      for (const channel of channels) world.queues.prompt(channel)
    })
    .catch((err) => world.outages.tell(UNPROMPTED, { err }))
}
