// A process that sends deliveries of one channel to a provider that takes them all, and reports to
// its parent when each began. Its settings come as JSON on the command line.

import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { openLog } from '../../src/log.ts'
import { openWorld } from '../../src/world.ts'
import { adapterOf, TAKEN } from './deliveries.ts'

export interface DeliveryOrder {
  readonly databaseUrl: string
  readonly channel: 'email' | 'sms'
  readonly perSecond: number
  /** How long the provider takes. */
  readonly takesMs: number
}

/** From now on it stands still for this long again and again; 0 for never. */
export interface Stalling {
  readonly stallMs: number
}

/** A send; the time is that of the machine, which all processes share. */
export interface DeliveryBegun {
  readonly id: string
  readonly lane: string
  readonly atMs: number
}

/** The interval of the prompts. */
const ROUNDS_EVERY_MS = 25

/** A period that is not in step with any other. */
const STALLS_EVERY_MS = 730

const order: DeliveryOrder = JSON.parse(process.argv[2] ?? '')
let stallMs = 0
process.on('message', (message: Stalling) => {
  stallMs = message.stallMs
})
// The process must not outlive its parent.
process.on('disconnect', () => process.exit())

const world = openWorld({
  config: readConfig({}),
  databaseUrl: order.databaseUrl,
  log: openLog('silent'),
})
const adapter = adapterOf(
  async ({ id, lane }) => {
    const begun: DeliveryBegun = { id, lane, atMs: machineMs() }
    process.send?.(begun)
    await delay(order.takesMs)
    return TAKEN
  },
  { channel: order.channel, perSecond: order.perSecond, atOnce: 32 },
)
await world.db.query('SELECT 1')
setInterval(stall, STALLS_EVERY_MS)
process.send?.('ready')
while (process.connected) {
  await deliverDue(world, adapter)
  await delay(ROUNDS_EVERY_MS)
}

function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function stall(): void {
  const untilMs = performance.now() + stallMs
  while (performance.now() < untilMs);
}
