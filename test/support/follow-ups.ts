// The effect of a void, a refund and a capture on a transaction of 10.00.

import { expect } from 'vitest'
import { takeIntoBatch } from './batch.ts'
import type { PaymentsApi } from './payments-api.ts'

export const FOLLOW_UPS = ['void', 'refund', 'capture'] as const

export type FollowUp = (typeof FOLLOW_UPS)[number]

export interface State {
  readonly voidable: boolean
  readonly voided: boolean
  readonly refundable: boolean
  readonly refunded: number
  readonly captured: boolean
}

const OPEN: State = {
  voidable: false,
  voided: false,
  refundable: false,
  refunded: 0,
  captured: true,
}

export const DONE: Readonly<Record<FollowUp, State>> = {
  void: { ...OPEN, voided: true },
  refund: { ...OPEN, refunded: 10 },
  capture: OPEN,
}

/** The state while the whole amount is in progress, and nothing is done. */
export const HELD: Readonly<Record<FollowUp, State>> = {
  void: OPEN,
  refund: OPEN,
  capture: { ...OPEN, captured: false },
}

/** The refusal of a second one of the whole amount while the first is in progress. */
export const BESIDE: Readonly<Record<FollowUp, string>> = {
  void: 'wrong_state',
  refund: 'refund_exceeds_remaining',
  capture: 'capture_exceeds_remaining',
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as a client without types sees it
export function stateOf(body: any): State {
  return {
    voidable: body.is_voidable,
    voided: body.is_voided,
    refundable: body.is_refundable,
    refunded: body.total_refunded,
    captured: body.is_captured,
  }
}

/** A transaction of 10.00 for which the operation is possible; the gateway is well meanwhile. */
export async function ready(api: PaymentsApi, operation: FollowUp): Promise<string> {
  if (operation === 'capture') return api.authorised()
  const id = await api.paid()
  if (operation === 'refund') await takeIntoBatch(api.service, [id])
  return id
}

export async function outcomeOf(api: PaymentsApi, id: string, operation: FollowUp) {
  await expect.poll(async () => (await api.childOf(id, operation)).status).toMatch(/SUCCESS|FAILED/)
  return api.childOf(id, operation)
}
