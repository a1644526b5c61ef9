// Runs the schedules that are due. A round over all of them; each chunk of it is one commit:
//
//   claim    schedules; what somebody else holds is left to him
//   write    a run for each occurrence, once and for all, its invoice, the payment that it owes,
//            and the schedule with its next run
//   nudge    died before: the sweep finds what is owed
//
// Whoever dies before the commit has done nothing. The database alone keeps two rounds apart: a run
// is a row, unique for its schedule and its occurrence.

import type { Scope } from '../accounts/scope.ts'
import { after, MINUTE } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import { type Claimed, claimDue, mustWait } from './claim-due.ts'
import { type Plan, planRuns } from './plan-runs.ts'
import { writeRuns } from './write-runs.ts'

/** A team that may not charge, or has no gateway, is looked at again after this long. */
const LOOK_AGAIN_MS = 5 * MINUTE

/** While the database writes one chunk, another is worked out. */
const CHUNKS_AT_ONCE = 2

/** Of one commit: those who have much to make up for come to far more than one run each. */
const MOST_RUNS = 1_000

/** Answers how many schedules it has run; what must wait is none of them. */
export async function runDueSchedules(world: World, scope?: Scope): Promise<number> {
  const lines = Array.from({ length: CHUNKS_AT_ONCE }, (_, line) => runChunks(world, scope, line))
  const [first = 0, second = 0] = await Promise.all(lines)
  return first + second
}

async function runChunks(world: World, scope: Scope | undefined, line: number): Promise<number> {
  let seenTo = 0
  for (;;) {
    const { isDone, plans } = await runChunk(world, scope, line)
    seenTo += plans.length
    nudge(world, plans)
    for (const plan of plans) if (plan.isRunaway) complain(world, plan)
    if (isDone) return seenTo
  }
}

interface Chunk {
  readonly plans: readonly Plan[]
  readonly isDone: boolean
}

function runChunk(world: World, scope: Scope | undefined, line: number): Promise<Chunk> {
  return world.db.commit(`due schedules ${line}`, async (query) => {
    const claimed = await claimDue(world, query, scope)
    const now = scope?.now ?? world.clock.now()
    const { plans, waiting } = sorted(world, claimed, scope, now)
    await writeRuns(world, query, plans, now)
    if (scope === undefined) await putOff(world, query, waiting)
    // Of a scope what waits stays where it is, and would be found again for ever.
    const isDone = claimed.length === 0 || (scope !== undefined && plans.length === 0)
    return { plans, isDone }
  })
}

/** Those that are neither run nor wait are left to the next chunk. */
function sorted(
  world: World,
  claimed: readonly Claimed[],
  scope: Scope | undefined,
  now: Date,
): { readonly plans: readonly Plan[]; readonly waiting: readonly Claimed[] } {
  const plans: Plan[] = []
  const waiting: Claimed[] = []
  let runs = 0
  for (const one of claimed) {
    if (runs >= MOST_RUNS) break
    const plan = isLeft(one, scope) ? undefined : planOrComplain(world, one, now)
    if (plan === undefined) waiting.push(one)
    else plans.push(plan)
    runs += plan?.runs.length ?? 0
  }
  return { plans, waiting }
}

/** One that nobody can make sense of must not keep all others waiting. */
function planOrComplain(world: World, claimed: Claimed, now: Date): Plan | undefined {
  try {
    return planRuns(world, claimed, now)
  } catch (err) {
    world.log.error({ ...aboutSchedule(claimed), err }, 'a schedule cannot be run')
    return undefined
  }
}

/** What has a clock of its own by now is not due by ours. */
function isLeft(claimed: Claimed, scope: Scope | undefined): boolean {
  return mustWait(claimed) || (scope === undefined && claimed.account.clockAt !== null)
}

const PUT_OFF = `
  UPDATE schedule s SET due_at = i.due_at
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS i (account_id, id, due_at)
  WHERE s.account_id = i.account_id AND s.id = i.id`

/** It stays due, and is seen to when it may be. */
async function putOff(world: World, query: Query, waiting: readonly Claimed[]): Promise<void> {
  if (waiting.length === 0) return
  const again = after(world.clock.now(), LOOK_AGAIN_MS)
  await query(PUT_OFF, [
    waiting.map(({ accountId }) => accountId),
    waiting.map(({ id }) => id),
    waiting.map(({ account }) => (account.clockAt === null ? again : null)),
  ])
}

function nudge(world: World, plans: readonly Plan[]): void {
  for (const { before, runs } of plans) {
    const { accountId, requestId } = before
    for (const { invoice } of runs) {
      if (invoice === undefined || invoice.paymentId === null) continue
      world.queues.nudge('charge', { accountId, id: invoice.paymentId, requestId })
    }
  }
}

function aboutSchedule({ accountId, id, requestId }: Claimed | Plan['next']) {
  return { request_id: requestId, account_id: accountId, schedule_id: id }
}

function complain(world: World, { next }: Plan): void {
  world.log.error(
    aboutSchedule(next),
    'a schedule ran more often in a day than any rule says: it is paused',
  )
}
