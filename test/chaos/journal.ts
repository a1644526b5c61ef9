// Makes a charge or a follow-up, and records the caller's answer as a line of the audit's journal.

import { randomUUID } from 'node:crypto'
import type { App } from '../../src/http/app.ts'
import { call, type Merchant } from '../support/test-service.ts'
import type { JournalEntry } from './audit.ts'

export interface JournalCharge {
  readonly card: string
  readonly cents: number
  /** Further fields of the charge. */
  readonly more?: object
  readonly key?: string
  /** The caller is answered before it is decided. */
  readonly isAtOnce?: boolean
}

export async function chargeForJournal(
  app: App,
  merchant: Merchant,
  { card, cents, more, key = randomUUID(), isAtOnce = false }: JournalCharge,
): Promise<JournalEntry> {
  const headers = {
    ...merchant.headers,
    'idempotency-key': key,
    ...(isAtOnce ? { prefer: 'respond-async' } : {}),
  }
  const order = { total: (cents / 100).toFixed(2), payment_method_id: card, ...more }
  const { body, text } = await call(app, 'POST', '/charge', headers, order)
  if (typeof body.id !== 'string') throw new Error(`not accepted: ${text}`)
  return { id: body.id, key, cents, status: body.status, body: text }
}

export interface JournalFollowUp {
  readonly operation: 'void' | 'refund' | 'void-or-refund' | 'capture'
  /** null for everything that is left. */
  readonly cents: number | null
}

/** The row of a follow-up: it is the child of the answered parent that has the key. */
export async function followUpForJournal(
  app: App,
  merchant: Merchant,
  parentId: string,
  { operation, cents }: JournalFollowUp,
): Promise<JournalEntry> {
  const key = randomUUID()
  const headers = { ...merchant.headers, 'idempotency-key': key }
  const order = cents === null ? {} : { total: (cents / 100).toFixed(2) }
  const url = `/transaction/${parentId}/${operation}`
  const { body, text } = await call(app, 'POST', url, headers, order)
  const child = childWith(body, key)
  if (child === undefined) throw new Error(`not accepted: ${text}`)
  return { id: child.id, key, cents, status: child.status, body: text }
}

/** A capture, a void or a refund, as the answer with its parent shows it. */
export interface ChildInAnswer {
  readonly id: string
  readonly type: string
  readonly status: JournalEntry['status']
  readonly total: number
  readonly idempotency_id: string | null
}

export function childWith(
  parent: {
    readonly child_transactions?: ChildInAnswer[]
    readonly child_captures?: ChildInAnswer[]
  },
  key: string,
): ChildInAnswer | undefined {
  const children = [...(parent.child_transactions ?? []), ...(parent.child_captures ?? [])]
  return children.find((child) => child.idempotency_id === key)
}
