// The jobs `email`, `sms` and `webhook`: send what is due of a channel. However many jobs ask, each
// process has one pump a channel; a job that finds it running wakes it and is done.
//
// take: the delivery is leased, its attempt counted. send: its provider is asked. record: what
// became of it. Who dies before the provider took it leaves a lease that ends: it is sent then. Who
// dies after that and before recording sends it once more, under the same id. That is the one
// window in which anybody can get the same thing twice.

import type { DeliveryChannel } from '../core/delivery.ts'
import type { World } from '../world.ts'
import type { Carrier } from './carrier.ts'
import { Pump } from './pump.ts'

const pumps = new WeakMap<World, Map<DeliveryChannel, Pump>>()

/** One round; answers how many it sent on their way. */
export function deliverDue(world: World, carrier: Carrier): Promise<number> {
  return pumpOf(world, carrier).run()
}

function pumpOf(world: World, carrier: Carrier): Pump {
  const ofWorld = pumps.get(world) ?? new Map<DeliveryChannel, Pump>()
  pumps.set(world, ofWorld)
  const pump = ofWorld.get(carrier.channel) ?? new Pump(world, carrier)
  ofWorld.set(carrier.channel, pump)
  return pump
}
