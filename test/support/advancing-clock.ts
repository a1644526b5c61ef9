// A sandbox account whose clock is advancing to another instant, and stays so until it is stopped.

import { after, MINUTE } from '../../src/core/time-units.ts'
import type { Merchant, TestService } from './test-service.ts'

const SET =
  'UPDATE account SET clock_at = $2, clock_from = $2, clock_target = $3, clock_due_at = $4'

/** Only the clock's own state is set: for this long no worker is asked to advance it. */
export async function keepAdvancing(service: TestService, { accountId }: Merchant): Promise<void> {
  const [at, target] = ['2030-01-01', '2031-01-01'].map((day) => new Date(day))
  const due = after(service.world.clock.now(), MINUTE)
  await service.world.db.query(`${SET} WHERE id = $1`, [accountId, at, target, due])
}

/** The account is back in real time. */
export async function stopAdvancing(service: TestService, { accountId }: Merchant): Promise<void> {
  await service.world.db.query(`${SET} WHERE id = $1`, [accountId, null, null, null])
}
