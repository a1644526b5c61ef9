// A second model of a transaction and its follow-ups: from the documentation and not from the code,
// and small enough to be obviously right.

export interface Modelled {
  readonly type: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED'
  readonly isManual: boolean
  readonly isLinkDeleted: boolean
  /** In cents. */
  readonly total: number
  /** The captured amount of a pre_auth, or the refunded amount of a charge or a capture. */
  readonly taken: number
  /** The amount that is in progress. */
  readonly underWay: number
  readonly voiding: 'no' | 'under way' | 'done'
  readonly batch: 'no' | 'before midnight' | 'yes'
}

export type ModelOperation = 'void' | 'refund' | 'void-or-refund' | 'capture'

export interface ModelRequest {
  readonly operation: ModelOperation
  /** By default everything, or everything that is left. */
  readonly total?: number
  /** The amount that the caller believes refunded so far. */
  readonly previously?: number
}

export interface ModelChild {
  readonly type: 'void' | 'refund' | 'capture'
  readonly total: number
}

export const NEW: Omit<Modelled, 'type' | 'total'> = {
  status: 'SUCCESS',
  isManual: false,
  isLinkDeleted: false,
  taken: 0,
  underWay: 0,
  voiding: 'no',
  batch: 'no',
}

/** Every code with which it may be refused; empty if it must be granted. */
export function refusals(
  t: Modelled,
  { operation, total, previously }: ModelRequest,
): readonly string[] {
  const type = typeOf(t, operation)
  const left = leftOf(t)
  const isTaker = type !== 'void'
  const exceeds = type === 'capture' ? 'capture_exceeds_remaining' : 'refund_exceeds_remaining'
  return codes({
    payment_link_deleted: t.isLinkDeleted,
    wrong_state:
      t.isManual ||
      t.status !== 'SUCCESS' ||
      !ASKED_OF[type].includes(t.type) ||
      t.voiding === 'under way' ||
      (type === 'void' && t.type === 'pre_auth' && t.taken + t.underWay > 0),
    already_voided: t.voiding === 'done',
    already_batched: type === 'void' && t.batch !== 'no',
    partial_void_not_supported: type === 'void' && total !== undefined && total !== t.total,
    not_batched_yet: type === 'refund' && t.batch === 'no',
    not_refundable_yet: type === 'refund' && t.batch === 'before midnight',
    refund_mismatch:
      previously !== undefined &&
      (type === 'refund' ? previously !== t.taken + t.underWay : type === 'void' && previously > 0),
    invalid_request: isTaker && (total ?? 0) > t.total,
    [exceeds]: isTaker && (left === 0 || (total ?? 0) > left),
  })
}

export function flags(t: Modelled) {
  const isAlive = t.status === 'SUCCESS' && t.voiding === 'no' && !t.isManual && !t.isLinkDeleted
  const isSale = t.type === 'charge' || t.type === 'capture'
  const isUntouched = t.type === 'pre_auth' && t.taken + t.underWay === 0
  return {
    is_voidable: isAlive && ((isSale && t.batch === 'no') || isUntouched),
    is_refundable: isAlive && isSale && t.batch === 'yes' && leftOf(t) > 0,
    is_voided: t.voiding === 'done',
    total_refunded: t.type === 'pre_auth' ? 0 : t.taken / 100,
  }
}

/** The child of a granted operation. */
export function begunBy(t: Modelled, { operation, total }: ModelRequest): ModelChild {
  const type = typeOf(t, operation)
  return { type, total: type === 'void' ? t.total : (total ?? leftOf(t)) }
}

export function begin(t: Modelled, { type, total }: ModelChild): Modelled {
  return type === 'void' ? { ...t, voiding: 'under way' } : { ...t, underWay: t.underWay + total }
}

export function end(t: Modelled, { type, total }: ModelChild, isDone: boolean): Modelled {
  if (type === 'void') return { ...t, voiding: isDone ? 'done' : 'no' }
  return { ...t, underWay: t.underWay - total, taken: t.taken + (isDone ? total : 0) }
}

/** Whether a batch may take it now. */
export function isForBatch(t: Modelled): boolean {
  const isAlive = t.status === 'SUCCESS' && !t.isManual && t.voiding === 'no' && t.batch === 'no'
  return isAlive && ['charge', 'capture', 'refund'].includes(t.type)
}

const ASKED_OF: Readonly<Record<ModelChild['type'], readonly Modelled['type'][]>> = {
  void: ['charge', 'capture', 'pre_auth'],
  refund: ['charge', 'capture'],
  capture: ['pre_auth'],
}

function typeOf(t: Modelled, operation: ModelOperation): ModelChild['type'] {
  if (operation !== 'void-or-refund') return operation
  return t.batch === 'no' ? 'void' : 'refund'
}

export function leftOf({ total, taken, underWay }: Modelled): number {
  return total - taken - underWay
}

function codes(reasons: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(reasons).filter((code) => reasons[code])
}
