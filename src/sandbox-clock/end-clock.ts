// Returns a sandbox account to real time, at once or after its clock has reached it.

import type { Caller } from '../accounts/find-caller.ts'
import { ERROR_CATALOGUE, Refusal } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import { isUnderWay } from '../payments/transaction/under-way.ts'
import type { World } from '../world.ts'
import { findDues, isAnythingDueBy } from './next-instant.ts'
import { refuseTooManyRuns } from './refuse-too-many-runs.ts'
import {
  type ClockView,
  lockClock,
  refuseChangeWhileAdvancing,
  refuseLive,
  type SandboxClock,
  startedView,
} from './sandbox-clock.ts'
import { returnToRealTime, startAdvance, stopAt } from './write-clock.ts'

export async function endClock(
  world: World,
  caller: Caller,
  requestId: string,
): Promise<ClockView> {
  refuseLive(caller)
  const { accountId } = caller
  const realNow = world.clock.now()
  await refuseTooManyRuns(world, caller, realNow)
  const clock = await world.db.commit(`clock ${accountId}`, async (query) => {
    const before = await lockClock(query, accountId)
    refuseChangeWhileAdvancing(before)
    if (before.at === null) return before
    if (before.at > realNow) await refuseWhileWorkIsDue(query, accountId)
    else if (isAnythingDueBy(await findDues(query, accountId), realNow)) {
      const advance = { from: before.at, target: realNow, ends: true }
      return startAdvance(query, accountId, advance, realNow)
    }
    return backToRealTime(query, accountId)
  })
  return startedView(world, caller, requestId, clock)
}

async function backToRealTime(query: Query, accountId: string): Promise<SandboxClock> {
  await returnToRealTime(query, accountId)
  return stopAt(query, accountId, null)
}

/** Work that waits for an instant of the clock would otherwise wait until real time reaches it. */
const PENDING_WORK = `
  SELECT EXISTS (
      SELECT FROM transaction
      WHERE account_id = $1 AND ${isUnderWay('transaction')}
    ) AS payment,
    EXISTS (SELECT FROM batch WHERE account_id = $1 AND deposited_at IS NULL) AS batch,
    EXISTS (SELECT FROM schedule WHERE account_id = $1 AND next_run_at IS NOT NULL) AS schedule,
    EXISTS (SELECT FROM invoice WHERE account_id = $1 AND retry_at IS NOT NULL) AS invoice`

const WORDS = {
  payment: 'a payment that is under way',
  batch: 'a batch that is not deposited',
  schedule: 'a scheduled invoice that will run',
  invoice: 'an invoice that will be charged again',
} as const

async function refuseWhileWorkIsDue(query: Query, accountId: string): Promise<void> {
  const [row] = await query(PENDING_WORK, [accountId])
  const pending = Object.entries(WORDS).filter(([kind]) => row?.[kind] === true)
  if (pending.length === 0) return
  const { message } = ERROR_CATALOGUE.clock_ahead
  const what = pending.map(([, words]) => words).join(', ')
  throw new Refusal('clock_ahead', { message: `${message}: ${what}` })
}
