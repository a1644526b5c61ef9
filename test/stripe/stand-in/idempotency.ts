// Stripe's idempotency layer: the result for a key is kept for 24 hours, once its execution began.

import type { StripeAccount } from './account.ts'
import { invalid, keyInUse, keyReused } from './refusals.ts'

export interface StripeReply {
  readonly status: number
  readonly body: string
  readonly requestId: string
  /** The request whose execution made this answer, if it was an earlier one. */
  readonly originalRequestId?: string
  /** False for a refusal before any execution. */
  readonly isKept: boolean
}

export interface KeptResult {
  readonly endpoint: string
  readonly fingerprint: string
  readonly keptSince: number
  /** Undefined while the first request is being executed. */
  reply?: StripeReply
}

export interface KeyedRequest {
  readonly key: string | undefined
  readonly endpoint: string
  readonly fingerprint: string
  readonly requestId: string
}

const KEYS_ARE_KEPT_MS = 24 * 60 * 60 * 1000

/** Executes a request, or repeats the answer to an earlier one with its key. */
export async function executeOnce(
  account: StripeAccount,
  request: KeyedRequest,
  execute: () => Promise<StripeReply>,
): Promise<StripeReply> {
  const { key, endpoint, fingerprint, requestId } = request
  if (key === undefined) return execute()
  if (key.length > 255) throw invalid('Idempotency keys are up to 255 characters long.')
  const now = account.clock.now().getTime()
  const kept = account.keptResults.get(key)
  if (kept !== undefined && now - kept.keptSince < KEYS_ARE_KEPT_MS) {
    if (kept.endpoint !== endpoint) throw keyReused(key, 'endpoint')
    if (kept.fingerprint !== fingerprint) throw keyReused(key, 'parameters')
    if (kept.reply === undefined) throw keyInUse(key)
    return { ...kept.reply, requestId, originalRequestId: kept.reply.requestId }
  }
  const result: KeptResult = { endpoint, fingerprint, keptSince: now }
  account.keptResults.set(key, result)
  try {
    const reply = await execute()
    if (reply.isKept) result.reply = reply
    return reply
  } finally {
    if (result.reply === undefined) account.keptResults.delete(key)
  }
}
