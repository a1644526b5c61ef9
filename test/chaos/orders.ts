// The orders of callers: charges and pre_auths, some through a payment link, captures, voids and
// refunds of earlier transactions, and invoices and payments of them, whether or not they are still
// possible.

import { randomUUID } from 'node:crypto'
import type { JournalEntry } from './audit.ts'
import { childWith } from './journal.ts'
import { between, pick, type Random } from './random.ts'
import type { Introduced } from './setting.ts'

export interface Order {
  readonly key: string
  readonly path: string
  readonly body: object
  /** null for everything that is left. */
  readonly cents: number | null
  /** A child belongs to an earlier transaction, and the answer is that parent. */
  readonly makes: 'transaction' | 'child' | 'invoice'
  /** The refusals that it must expect: nothing is made then. */
  readonly refusals: ReadonlySet<string>
  isFinal: boolean
}

/** A transaction that can have follow-ups. */
export interface Made {
  readonly id: string
  readonly type: 'charge' | 'pre_auth' | 'capture'
  readonly cents: number
}

/** An invoice that many callers want to pay. */
export interface Bill {
  readonly id: string
  readonly cents: number
}

const BILLS = 0.06
const PAYMENTS_OF_BILLS = 0.14
const FOLLOW_UPS = 0.5
const PRE_AUTHS = 0.35
const THROUGH_A_LINK = 0.3
const THROUGH_ITS_OWN_WAY = 0.7
const DECLINED = 0.15
const SLOW = 0.03
const IN_PARTS = 0.6

/** The sandbox decides this amount at the third question. */
const SLOW_CENTS = 763_64

/** The sandbox never decides this amount, and it would stay pending for hours. */
const LOST_CENTS = 763_63

/** How many transactions are remembered: few enough for several orders to meet at one. */
const MEMORY = 25
const MEMORY_OF_BILLS = 3

const NOTHING: ReadonlySet<string> = new Set()

const PAID: ReadonlySet<string> = new Set(['invoice_already_paid', 'payment_under_way'])

/** Refusals of an order that has become impossible meanwhile. */
const TOO_LATE: ReadonlySet<string> = new Set([
  'already_batched',
  'already_voided',
  'capture_exceeds_remaining',
  'not_batched_yet',
  'not_refundable_yet',
  'partial_void_not_supported',
  'refund_exceeds_remaining',
  'wrong_state',
])

export interface OrderNeeds extends Introduced {
  readonly random: Random
}

export function newOrder(needs: OrderNeeds, made: readonly Made[], bills: readonly Bill[]): Order {
  // The key is not part of the plan: two runs with one seed must not meet in one database.
  return { ...draw(needs, made, bills), key: randomUUID(), isFinal: false }
}

type Asked = Omit<Order, 'key' | 'isFinal'>

function draw(needs: OrderNeeds, made: readonly Made[], bills: readonly Bill[]): Asked {
  const { random } = needs
  const drawn = random()
  if (drawn < BILLS) return bill(needs)
  if (drawn < BILLS + PAYMENTS_OF_BILLS && bills.length > 0) {
    return paymentOf(needs, pick(random, bills.slice(-MEMORY_OF_BILLS)))
  }
  const isFollowUp = made.length > 0 && random() < FOLLOW_UPS
  return isFollowUp ? followUp(random, pick(random, made.slice(-MEMORY))) : charge(needs)
}

function bill({ random, good }: OrderNeeds): Asked {
  const cents = between(random, 1, 50_000)
  const body = { total: money(cents), customer_id: good.customerId, payment_method_id: good.id }
  return { path: '/invoice', body, cents, makes: 'invoice', refusals: NOTHING }
}

/** Pays through the invoice's own route, or by a charge that names it. */
function paymentOf({ random, good }: OrderNeeds, { id, cents }: Bill): Asked {
  const common = { cents, makes: 'transaction', refusals: PAID } as const
  if (random() < THROUGH_ITS_OWN_WAY) return { ...common, path: `/invoice/${id}/pay`, body: {} }
  const body = { total: money(cents), payment_method_id: good.id, invoice_id: id }
  return { ...common, path: '/charge', body }
}

function charge({ random, good, bad, links }: OrderNeeds): Asked {
  const drawn = random() < SLOW ? SLOW_CENTS : between(random, 1, 99_999)
  const cents = drawn === LOST_CENTS ? SLOW_CENTS : drawn
  const body = {
    total: money(cents),
    payment_method_id: (random() < DECLINED ? bad : good).id,
    ...(random() < PRE_AUTHS ? { pre_auth: true } : {}),
    ...(random() < THROUGH_A_LINK ? { payment_link_id: pick(random, links) } : {}),
  }
  return { path: '/charge', body, cents, makes: 'transaction', refusals: NOTHING }
}

function followUp(random: Random, { id, type, cents }: Made): Asked {
  const operation =
    type === 'pre_auth'
      ? pick(random, ['capture', 'capture', 'capture', 'void'])
      : pick(random, ['void', 'refund', 'refund', 'void-or-refund'])
  const isPart = operation !== 'void' && random() < IN_PARTS
  const part = isPart ? between(random, 1, cents) : null
  return {
    path: `/transaction/${id}/${operation}`,
    body: part === null ? {} : { total: money(part) },
    cents: part,
    makes: 'child',
    refusals: TOO_LATE,
  }
}

/** The journal's line for an answer about the order; undefined if it is about something else. */
export function journalEntryOf(order: Order, text: string): JournalEntry | undefined {
  const body = JSON.parse(text)
  const made = order.makes === 'child' ? childWith(body, order.key) : body
  if (typeof made?.id !== 'string') return undefined
  const { key, cents } = order
  return { id: made.id, key, cents, status: made.status, body: text }
}

/** A refusal that the order must expect; nothing was made. */
export function isTooLate(order: Order, status: number, body: { error?: string }): boolean {
  return status === 409 && order.refusals.has(body.error ?? '')
}

/** The part of it that can have follow-ups. */
export function madeBy({ key }: Order, { id, status, body: text }: JournalEntry): Made | undefined {
  if (status !== 'SUCCESS') return undefined
  const body = JSON.parse(text)
  const made = body.id === id ? body : childWith(body, key)
  const isAskable = ['charge', 'pre_auth', 'capture'].includes(made?.type)
  return isAskable ? { id, type: made.type, cents: Math.round(made.total * 100) } : undefined
}

function money(cents: number): string {
  return (cents / 100).toFixed(2)
}
