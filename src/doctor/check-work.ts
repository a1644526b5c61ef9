// Checks the processes and the pending work: whether workers keep up with it, and what needs a
// person.

import { isOff } from '../core/clock-skew.ts'
import { counted } from '../core/counts.ts'
import { after, DAY, HOUR } from '../core/time-units.ts'
import {
  type AttentionKind,
  attentionByKind,
  DUE_NAMES,
  type DueKind,
  dueByKind,
  isLate,
} from '../upkeep/due-by-kind.ts'
import { listProcesses } from '../upkeep/keep-heartbeat.ts'
import { lapse, skewText } from '../upkeep/shown-figures.ts'
import { type Check, fault, warning } from './check.ts'

export const checkProcesses: Check = async (world) => {
  const running = await listProcesses(world)
  const versions = tally(running.map(({ version }) => version))
  const isWorked = running.some(({ role }) => role !== 'api')
  const due = (await dueByKind(world)).reduce((sum, { count }) => sum + count, 0)
  const missing = running.length === 0 ? 'none runs' : 'no worker runs'
  const items = counted(due, 'item is', 'items are')
  const problems = [
    // Without work that is due, a service may be stopped on purpose.
    !isWorked &&
      (due > 0 ? fault : warning)(
        `${missing}, and ${items} due`,
        'lamplighter worker, or start for all in one.',
      ),
    versions.includes(',') &&
      warning(
        `several versions run: ${versions}`,
        'Let the update end. /admin shows the host of each, if one was forgotten.',
      ),
    ...running.map(
      ({ role, host, pid, clockSkewMs }) =>
        isOff(clockSkewMs) &&
        fault(
          `the clock of the ${role} on ${host} (process ${pid}) is ${skewText(clockSkewMs)}`,
          'Mend NTP on that machine: until then it takes no work. No restart is needed.',
        ),
    ),
  ]
  const ok = `${tally(running.map(({ role }) => role))}, of version ${running[0]?.version}`
  return { subject: 'processes', ok, problems }
}

/** `1 × api, 2 × worker` */
function tally(all: readonly string[]): string {
  const countOf = (one: string) => all.filter((other) => other === one).length
  return [...new Set(all)].map((one) => `${countOf(one)} × ${one}`).join(', ')
}

/** The queue of each kind that is not named after its queue. */
const QUEUES: Readonly<Partial<Record<DueKind, string>>> = {
  batch: 'settlement',
  schedule: 'schedules',
  payment_retry: 'schedules',
  replay: 'webhook',
}

const HINTS: Readonly<Partial<Record<DueKind, string>>> = {
  batch: ' Or close batches by hand: lamplighter settle.',
  clock: ' Their log says what keeps it from going on.',
  email: ' EMAIL_PER_SECOND limits how many go out.',
  sms: ' SMS_PER_SECOND limits how many go out.',
}

export const checkOverdue: Check = async (world) => {
  const now = world.clock.now()
  const due = await dueByKind(world)
  const all = due.reduce((sum, { count }) => sum + count, 0)
  const problems = due.map(({ kind, count, oldestDueAt }) => {
    const ageMs = now.getTime() - (oldestDueAt ?? now).getTime()
    if (!isLate(kind, ageMs)) return false
    const [one, many] = DUE_NAMES[kind]
    return fault(
      `${counted(count, one, many.toLowerCase())} due, the oldest for ${lapse(ageMs)}`,
      `Start more workers: lamplighter worker ${QUEUES[kind] ?? kind}.${HINTS[kind] ?? ''}`,
    )
  })
  const ok = all === 0 ? 'nothing is due' : `${all} due, and young`
  return { subject: 'overdue work', ok, problems }
}

/** Only these two reasons can be our fault. For any other the recipient is the cause. */
export const FAILED_BY_REASON = `
  SELECT channel, reason, count(*)::integer AS count,
    channel <> 'webhook' AND reason IN ('out_of_tries', 'expired') AS is_ours
  FROM delivery WHERE status = 'parked' AND closed_at IS NULL
  GROUP BY channel, reason ORDER BY channel, reason`

/** The same rows that the console counts, but for endpoints, which checkWebhooks names. */
export const checkAttention: Check = async (world) => {
  const found = await attentionByKind(world)
  const countOf = (of: AttentionKind) => found.find(({ kind }) => kind === of)?.count ?? 0
  const [payments, schedules] = [countOf('payment'), countOf('schedule')]
  const disputes = countOf('dispute')
  const problems = [
    payments > 0 &&
      fault(
        `${counted(payments, 'payment')} that the gateway could not decide by the deadline`,
        'Look each up at the gateway by the id of its transaction, and decide at /admin/parked.',
      ),
    schedules > 0 &&
      fault(
        `${counted(schedules, 'schedule')} paused, since the next run cannot be planned`,
        'See /admin/schedules?state=parked: give each a simpler rule, then resume it.',
      ),
    disputes > 0 &&
      warning(
        `${counted(disputes, 'dispute')} to answer`,
        'See /admin/disputes: each has a day by which the gateway needs the answer.',
      ),
    ...(await world.db.query(FAILED_BY_REASON)).map(({ channel, reason, count, is_ours: isOurs }) =>
      (isOurs ? fault : warning)(
        `${counted(count, 'failed delivery', 'failed deliveries')} (${channel} ${reason})`,
        isOurs
          ? `lamplighter deliveries retry --channel ${channel} --reason ${reason}; or dismiss them.`
          : 'lamplighter deliveries lists them and shows why: retry or dismiss them.',
      ),
    ),
  ]
  return { subject: 'needs attention', ok: 'nothing', problems }
}

/** A feed is read every half hour: four readings were missed. */
const FEED_BEHIND_MS = 2 * HOUR

const BEHIND = `
  SELECT gateway_name, place, greatest(read_at, read_through) AS read_at FROM gateway_feed
  WHERE gateway_name = ANY($1) AND greatest(read_at, read_through) < $2
  ORDER BY 2`

/** A merchant who has been paid in another way since is not named for ever. */
const FAILED_LATELY_MS = 30 * DAY

/** A later payout brings the money again, and with it the date of the deposit. */
const NOT_PAID_OUT = `
  SELECT count(DISTINCT (b.account_id, b.id))::integer AS count
  FROM batch_payout p
  JOIN batch b ON b.account_id = p.account_id AND b.id = p.batch_id
  WHERE p.status = 'failed' AND p.updated_at >= $1 AND b.deposit_at IS NULL`

export const checkGatewayNews: Check = async ({ clock, db, gateways }) => {
  const now = clock.now()
  const names = gateways.reporting.map(({ name }) => name)
  const rows = await db.query(BEHIND, [names, after(now, -FEED_BEHIND_MS)])
  const [failed] = await db.query(NOT_PAID_OUT, [after(now, -FAILED_LATELY_MS)])
  const notPaidOut = failed?.count ?? 0
  const unread = rows.map(({ gateway_name: name, place, read_at: readAt }) => {
    const age = lapse(now.getTime() - readAt.getTime())
    return fault(
      `of ${place === '' ? `the platform at ${name}` : `account ${place}`} not read for ${age}`,
      'The log says why: the key may lack access to it. Or: lamplighter worker gateway_feed.',
    )
  })
  const problems = [
    ...unread,
    notPaidOut > 0 &&
      warning(
        `${counted(notPaidOut, 'batch', 'batches')} not deposited, since a payout has failed`,
        'See /admin/batches for the reason. The gateway pays out again once it has a right bank account.',
      ),
  ]
  return { subject: 'disputes and payouts', problems }
}
