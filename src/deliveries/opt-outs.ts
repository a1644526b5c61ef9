// Phone numbers that opted out of text messages. All accounts share one sender, so an opt-out is
// valid for all of them.

import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'

const findOptOut = gatheredStatement({
  name: 'find-opt-out',
  columns: { phone: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord FROM input i JOIN sms_opt_out o ON o.phone = i.phone`,
  read: () => true,
})

export async function hasOptedOut(world: World, phone: string): Promise<boolean> {
  return (await world.db.ask(findOptOut, { phone })) ?? false
}

const OPT_OUT = `
  INSERT INTO sms_opt_out (phone, created_at) VALUES ($1, $2) ON CONFLICT (phone) DO NOTHING`

export async function optOut(world: World, phone: string): Promise<void> {
  await world.db.query(OPT_OUT, [phone, world.clock.now()])
}

/** Messages that were parked meanwhile stay parked; a person may retry them. */
async function optIn(world: World, phone: string): Promise<void> {
  await world.db.query('DELETE FROM sms_opt_out WHERE phone = $1', [phone])
}

export interface Reply {
  readonly from: string
  readonly text: string
  /** How the provider classified it, if it did, by its own settings. */
  readonly kind: string | undefined
}

const STOP: ReadonlySet<string> = new Set([
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'OPTOUT',
  'REVOKE',
])

const START: ReadonlySet<string> = new Set(['START', 'YES', 'UNSTOP'])

const PHONE = /^\+[1-9]\d{6,14}$/

/** Only a keyword that is the whole message counts, as at the providers. */
export async function handleReply(world: World, { from, text, kind }: Reply): Promise<void> {
  // Other channels of the provider have a prefix before the number.
  if (!PHONE.test(from)) return
  const word = (kind ?? text).trim().toUpperCase()
  if (STOP.has(word)) await optOut(world, from)
  if (START.has(word)) await optIn(world, from)
}
