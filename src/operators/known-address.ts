// Whether an operator has signed in from an address lately, by password or by link.

import { after, DAY } from '../core/time-units.ts'
import type { World } from '../world.ts'

/** A month: as long as an operator may well be away. */
const KNOWN_MS = 30 * DAY

/** Its index has nothing but sign-ins. */
const SIGNED_IN = `
  SELECT FROM deed WHERE deed = 'signed in' AND address = $1 AND created_at > $2 LIMIT 1`

export async function isKnownAddress({ db, clock }: World, address: string): Promise<boolean> {
  const rows = await db.query(SIGNED_IN, [address, after(clock.now(), -KNOWN_MS)])
  return rows.length > 0
}
