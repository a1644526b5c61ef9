// Checkout.com's side of reconciliation: its payments that carry our keys, and their actions, also
// those that were made without us, as in its dashboard.

import { isId } from '../../../core/id.ts'
import { after } from '../../../core/time-units.ts'
import { bookedAt, HOLDS_LAST_MS, OUR_ACCOUNT, OUR_OPERATION } from '../order-marks.ts'
import { newCursors } from '../page-cursors.ts'
import type { GatewayEntry, OrderName, Window } from '../port.ts'
import { answerOfAction, answerOfRecord } from './answers.ts'
import {
  acceptedBody,
  actionsOf,
  askOrAlarm,
  type CheckoutAction,
  type CheckoutNeeds,
  type CheckoutPayment,
  type CheckoutRecord,
  recordOf,
} from './records.ts'

const PAGE = 100

export async function entriesAtCheckout(
  needs: CheckoutNeeds,
  accountId: string,
  orders: readonly OrderName[],
): Promise<readonly GatewayEntry[]> {
  const keys = new Set(orders.map(({ key }) => key))
  const ids = new Set(orders.flatMap(({ gatewayId }) => gatewayId ?? []))
  const found: GatewayEntry[] = []
  for (const id of ids) {
    const record = await recordOf(needs, id)
    if (record !== undefined) found.push(...entriesOfRecord(accountId, record))
  }
  return found.filter(({ key }) => keys.has(key))
}

/** A refund of an older payment than a hold lasts is found by `entriesAtCheckout` only. */
export async function* entriesAtCheckoutBetween(
  needs: CheckoutNeeds,
  { accountId, from, before, madeUntil }: Window,
): AsyncGenerator<readonly GatewayEntry[]> {
  const since = after(from, -HOLDS_LAST_MS)
  const isInside = ({ bookedAt }: GatewayEntry) => bookedAt >= from && bookedAt < before
  for await (const payments of pagesBetween(needs, since, madeUntil)) {
    const entries: GatewayEntry[] = []
    for (const payment of payments.filter((one) => isOurs(accountId, one))) {
      const actions = await actionsOf(needs, payment.id)
      entries.push(...entriesOfRecord(accountId, { payment, actions }))
    }
    yield entries.filter(isInside)
  }
}

interface SearchPage {
  readonly data: readonly CheckoutPayment[]
  readonly _links?: { readonly next?: { readonly href: string } }
}

async function* pagesBetween(
  needs: CheckoutNeeds,
  from: Date,
  before: Date,
): AsyncGenerator<readonly CheckoutPayment[]> {
  const body = { from: from.toISOString(), to: before.toISOString(), limit: PAGE }
  const check = newCursors()
  let query = ''
  do {
    check(query)
    const request = { method: 'POST', path: `/payments/search${query}`, body } as const
    const page = acceptedBody<SearchPage>(await askOrAlarm(needs, request))
    const { data, _links: links } = page
    yield data
    query = links?.next === undefined ? '' : new URL(links.next.href).search
  } while (query !== '')
}

function isOurs(accountId: string, { metadata, reference = '' }: CheckoutPayment): boolean {
  return metadata?.[OUR_ACCOUNT] === accountId && isId(reference)
}

/** The payment's own entry, and those of the captures, voids and refunds that followed. */
function entriesOfRecord(accountId: string, record: CheckoutRecord): readonly GatewayEntry[] {
  const { actions, payment } = record
  if (!isOurs(accountId, payment)) return []
  const key = payment.reference ?? ''
  const operation = operationOf(payment)
  const isVoided = actions.some(
    (action) => operationOf(action) === 'void' && action.approved === true,
  )
  const own = {
    key,
    gatewayId: payment.id,
    operation,
    amount: BigInt(payment.amount),
    state: answerOfRecord({ operation }, record).kind,
    isVoided: isVoided && isVoidedWhole(operation, actions),
    bookedAt: bookedAt(key),
    paidWith: { lastFour: payment.source?.last4, method: payment.source?.id },
  }
  const later = actions.flatMap((action) => {
    const { reference = '' } = action
    const isOrdered = isId(reference) && reference !== key
    return isOrdered ? entryOfAction(payment.id, action, isVoided) : madeElsewhere(record, action)
  })
  return [own, ...later.map((entry) => ({ ...entry, paidWith: own.paidWith }))]
}

/** A refund, or the capture of a hold, without us. A charge is captured by itself. */
function madeElsewhere(
  { payment }: CheckoutRecord,
  action: CheckoutAction,
): readonly GatewayEntry[] {
  const { amount, id: key, processed_on: at, type } = action
  const isHold = operationOf(payment) === 'pre_auth'
  if (at === undefined || !(type === 'Refund' || (type === 'Capture' && isHold))) return []
  return [
    {
      key,
      gatewayId: payment.id,
      operation: type === 'Refund' ? 'refund' : 'capture',
      amount: BigInt(amount),
      state: answerOfAction(payment.id, action).kind,
      isVoided: false,
      bookedAt: new Date(at),
    },
  ]
}

/** A void after a capture voids the capture, not the hold. */
function isVoidedWhole(operation: Operation, actions: readonly CheckoutAction[]): boolean {
  return operation === 'charge' || actions.some(({ type }) => type === 'Void')
}

function entryOfAction(
  gatewayId: string,
  action: CheckoutAction,
  isParentVoided: boolean,
): GatewayEntry {
  const key = action.reference ?? ''
  const operation = operationOf(action)
  return {
    key,
    gatewayId,
    operation,
    amount: BigInt(action.amount),
    state: answerOfAction(gatewayId, action).kind,
    isVoided: operation === 'capture' && isParentVoided,
    bookedAt: bookedAt(key),
  }
}

type Operation = GatewayEntry['operation']

function operationOf({ metadata }: CheckoutAction | CheckoutPayment): Operation {
  return metadata?.[OUR_OPERATION] as Operation
}
