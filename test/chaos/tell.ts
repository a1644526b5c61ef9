// A charge, and what its caller was told, as a line for the audit's journal.

import { randomUUID } from 'node:crypto'
import type { App } from '../../src/http/app.ts'
import { call, type Merchant } from '../support/house.ts'
import type { Told } from './audit.ts'

export interface Ordered {
  readonly card: string
  readonly cents: number
  readonly key?: string
  /** Answered before it is decided. */
  readonly isAtOnce?: boolean
}

export async function chargeAndTell(
  app: App,
  merchant: Merchant,
  { card, cents, key = randomUUID(), isAtOnce = false }: Ordered,
): Promise<Told> {
  const headers = {
    ...merchant.headers,
    'idempotency-key': key,
    ...(isAtOnce ? { prefer: 'respond-async' } : {}),
  }
  const order = { total: (cents / 100).toFixed(2), payment_method_id: card }
  const { body, text } = await call(app, 'POST', '/charge', headers, order)
  if (typeof body.id !== 'string') throw new Error(`not accepted: ${text}`)
  return { id: body.id, key, cents, status: body.status, body: text }
}
