// Records the result of an attempt, or renews its lease. One statement does so for all attempts of
// the same moment.

import { type Columns, gatheredStatement, type InputOf } from '../db/gathered.ts'

const CLAIM = {
  accountId: 'uuid',
  id: 'uuid',
  /** The number of the claim that made this attempt. Only the last claim may record an answer. */
  attempt: 'integer',
} as const

const ATTEMPT = {
  ...CLAIM,
  status: 'delivery_status',
  tries: 'integer',
  dueAt: 'timestamptz?',
  reason: 'parked_reason?',
  at: 'timestamptz',
  providerId: 'text?',
  lastError: 'text?',
  /** The line of the history for this attempt. */
  entry: 'jsonb',
} as const

export type DeliveryAttempt = InputOf<typeof ATTEMPT>

/** Enough for fourteen tries and some by hand. */
const LONGEST_HISTORY = 40

/** The history of a delivery `d` with one more line. If it is full, the oldest is dropped. */
export function historyWith(line: string): string {
  return `CASE WHEN jsonb_array_length(d.history) >= ${LONGEST_HISTORY}
    THEN d.history - 0 ELSE d.history END || ${line}`
}

/** Changes a delivery `d`, by an input `i`, unless a later claim has it or it is not pending. */
function updateOfClaim<const C extends Columns>(definition: {
  readonly name: string
  readonly columns: C
  readonly set: string
  readonly where?: string
}) {
  const { name, columns, set, where = 'true' } = definition
  return gatheredStatement({
    name,
    columns,
    text: (input) => `
    WITH ${input}
    UPDATE delivery d SET ${set}
    FROM input i
    WHERE d.account_id = i.account_id AND d.id = i.id
      AND d.attempt = i.attempt AND d.status = 'pending' AND ${where}
    RETURNING i.ord`,
    read: () => true as const,
    isPatient: true,
  })
}

/**
 * A scheduled message to a recipient that opted out is dismissed at once, because each run of the
 * schedule would need attention again. So is a message of a sandbox account that is beyond its
 * limit or goes to a stopped address: nothing is sent, so nothing limits how many there are.
 */
export const recordAttempt = updateOfClaim({
  name: 'record-attempt',
  columns: ATTEMPT,
  set: `status = i.status, tries = i.tries, due_at = i.due_at,
      leased_until = NULL, reason = i.reason,
      closed_at = CASE WHEN d.is_scheduled AND i.reason = 'opted_out' THEN i.at
        WHEN i.reason = 'sandbox_limit' THEN i.at
        WHEN i.reason IN ('suppressed', 'opted_out')
          AND (SELECT mode FROM account WHERE id = i.account_id) = 'sandbox' THEN i.at
        ELSE d.closed_at END,
      updated_at = i.at, provider_id = coalesce(i.provider_id, d.provider_id),
      last_error = i.last_error,
      sent_at = CASE i.status WHEN 'sent' THEN i.at ELSE d.sent_at END,
      history = ${historyWith('i.entry')}`,
})

/** A claimed delivery that was not sent can be claimed again. A null `dueAt` leaves it as due. */
export const releaseDelivery = updateOfClaim({
  name: 'release-delivery',
  columns: { ...CLAIM, dueAt: 'timestamptz?' },
  set: 'leased_until = NULL, due_at = coalesce(i.due_at, d.due_at)',
})

export const renewDelivery = updateOfClaim({
  name: 'renew-delivery',
  columns: { ...CLAIM, leasedUntil: 'timestamptz' },
  set: 'leased_until = i.leased_until',
  // Not one that was released meanwhile.
  where: 'd.leased_until IS NOT NULL',
})
