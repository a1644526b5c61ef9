// The jobs `email`, `sms` and `webhook` (through src/webhooks/webhook-channel.ts) send the due
// deliveries of a channel. Each process has one dispatcher for each channel; a job that finds it
// running wakes it and ends.
//
// A job names no row, unlike the jobs of payments. BullMQ serves jobs in their order, so the 50,000
// deliveries of one team would stand before the single one of another; claim-due-deliveries.ts
// takes turns instead. And BullMQ's limiter counts jobs that begin, not messages that are sent: a
// process that stands still for a moment between the two sends too many in one second
// (send-slots.ts).
//
// Claim: the row is leased and its attempt counted. Send: the provider is asked. Record: the answer
// is written. A process that dies before the provider took the delivery leaves a lease that ends;
// then another sends it. A process that dies after that and before recording causes a second send
// under the same id. There is no other way to get the same delivery twice.

import type { DeliveryChannel } from '../core/delivery.ts'
import type { World } from '../world.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import { Dispatcher } from './dispatcher.ts'

const dispatchers = new WeakMap<World, Map<DeliveryChannel, Dispatcher>>()

/** Returns how many it began to send. */
export function deliverDue(world: World, adapter: ChannelAdapter): Promise<number> {
  return dispatcherOf(world, adapter).run()
}

function dispatcherOf(world: World, adapter: ChannelAdapter): Dispatcher {
  const ofWorld = dispatchers.get(world) ?? new Map<DeliveryChannel, Dispatcher>()
  dispatchers.set(world, ofWorld)
  const dispatcher = ofWorld.get(adapter.channel) ?? new Dispatcher(world, adapter)
  ofWorld.set(adapter.channel, dispatcher)
  return dispatcher
}
