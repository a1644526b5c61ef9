// Records what a provider reports about a message after accepting it. A report may come late,
// twice, out of order, or before the sender has recorded that the message was accepted. Then the
// report stands, and the sender's record is ignored.
//
//   delivered  final, whatever was recorded before: the recipient has it and must not get it again
//   failed     parked, if the report is about the message that was accepted last
//   taken      ends a silence: the message was accepted after all; else no change

import type { World } from '../world.ts'
import { historyWith } from './record-attempt.ts'

export type ProviderReport =
  | { readonly kind: 'taken' }
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed'
      readonly reason: 'undelivered' | 'opted_out'
      readonly detail: string
    }

export interface MessageReport {
  readonly accountId: string
  readonly id: string
  readonly providerId: string
  readonly report: ProviderReport
}

/** $3 is the provider's id, $4 the instant, $5 the entry of the history, $6 and $7 why it failed. */
const WRITE = `
  UPDATE delivery d SET due_at = NULL, leased_until = NULL, closed_at = NULL, updated_at = $4,
    provider_id = $3, tries = greatest(tries, 1), sent_at = coalesce(sent_at, $4),
    history = ${historyWith('$5::jsonb')}`

const WHOSE = "WHERE account_id = $1 AND id = $2 AND channel = 'sms'"

const DELIVERED = `
  ${WRITE}, status = 'delivered', delivered_at = $4, reason = NULL, last_error = NULL
  ${WHOSE} AND status <> 'delivered'
  RETURNING status`

/** A delivery that an operator has retried is not parked because of its earlier message. */
const FAILED = `
  ${WRITE}, status = 'parked', reason = $6, last_error = $7
  ${WHOSE} AND (
    (status = 'sent' AND coalesce(provider_id, $3) = $3)
    OR (status = 'pending' AND attempt > 0 AND provider_id IS DISTINCT FROM $3))
  RETURNING status`

const TAKEN = `
  ${WRITE}, status = 'sent', last_error = NULL
  ${WHOSE} AND status = 'pending'
    AND (history -> -1 ->> 'answer' = 'silent' OR leased_until > $4)
    AND provider_id IS DISTINCT FROM $3
  RETURNING status`

const STATEMENTS = { delivered: DELIVERED, failed: FAILED, taken: TAKEN }

/** Returns true if the report changed anything. */
export async function recordProviderReport(
  world: World,
  reported: MessageReport,
): Promise<boolean> {
  const { accountId, id, providerId, report } = reported
  const at = world.clock.now()
  const entry = JSON.stringify(entryOf(report, at))
  const why = report.kind === 'failed' ? [report.reason, report.detail] : []
  const values = [accountId, id, providerId, at, entry, ...why]
  return (await world.db.query(STATEMENTS[report.kind], values)).length > 0
}

function entryOf(report: ProviderReport, at: Date) {
  const answer = report.kind === 'failed' ? 'undelivered' : report.kind
  const detail = report.kind === 'failed' ? report.detail : 'reported by the provider'
  return { at, ms: 0, answer, detail }
}
