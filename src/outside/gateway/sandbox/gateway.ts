// The gateway of sandbox accounts. It moves no money, but keeps a ledger like a real one.

import assert from 'node:assert'
import type { Decline } from '../../../core/decline.ts'
import type { Database } from '../../../db/database.ts'
import type { Answer, Gateway, Order, OrderState } from '../port.ts'
import { bookFollowUp } from './book-follow-up.ts'
import {
  ASKED_AFTER,
  type Booked,
  type BookedOutcome,
  bookPayment,
  INSERT_ORDER,
  lookUpPayment,
  orderValues,
  type SandboxOrder,
} from './sandbox-ledger.ts'
import { sandboxEntries, sandboxEntriesBetween } from './settlement-ledger.ts'
import {
  forgetUnusedTokens,
  keepSandboxToken,
  redeemSandboxToken,
  type SandboxNeeds,
  tokeniseInSandbox,
} from './tokens.ts'

/** The amounts 763.64 and 763.63 let merchants test a silent gateway. */
const AMOUNTS: ReadonlyMap<bigint, BookedOutcome> = new Map([
  [763_64n, 'slow'],
  [763_63n, 'lost'],
])

export function sandboxGateway(needs: SandboxNeeds): Gateway {
  return {
    name: 'sandbox',
    // Its ledger is in our own database: an order is in it, or its statement has failed.
    ordersArriveWithinMs: 0,
    capturesOnce: false,
    browserTokens: { kind: 'own form', url: '/sandbox-gateway/token' },
    carryOut: (order) => carryOut(needs, order),
    lookUp: (order) => lookUp(needs, order),
    giveUp: (order) => giveUp(needs, order),
    entriesOf: (accountId, orders) => sandboxEntries(needs.db, accountId, orders),
    entriesBetween: (window) => sandboxEntriesBetween(needs.db, window),
    redeemToken: (accountId, brought) => redeemSandboxToken(needs, accountId, brought),
    keepMethod: (accountId, method) => keepSandboxToken(needs, accountId, method),
    forgetUnusedTokens: (now, most) => forgetUnusedTokens(needs.db, now, most),
    tokenise: (accountId, method, instrument, now, page) =>
      tokeniseInSandbox(needs, accountId, method, instrument, now, page),
  }
}

async function carryOut({ db, clock, newId }: SandboxNeeds, order: Order): Promise<Answer> {
  const { parent, token, amount } = order
  const entry = entryOf({ clock, newId }, order)
  const booked =
    parent === undefined
      ? await db.ask(bookPayment, { ...entry, token, outcome: AMOUNTS.get(amount) ?? null })
      : await bookFollowUp(db, { ...entry, parentKey: parent.key })
  if (booked === undefined) return { kind: 'undecided', gatewayId: null }
  const answer = stateOf(booked, order)
  if (answer.kind !== 'never_made') return answer
  return { kind: 'declined', gatewayId: null, message: 'Given up before it came' }
}

function entryOf({ clock, newId }: Pick<SandboxNeeds, 'clock' | 'newId'>, order: Order) {
  return {
    accountId: order.accountId,
    key: order.key,
    gatewayId: `sbx_${newId()}`,
    operation: order.operation,
    amount: order.amount,
    silentUntil: order.deadlineAt,
    createdAt: clock.now(),
    bookedAt: order.now,
  }
}

async function giveUp({ db, clock, newId }: SandboxNeeds, order: Order): Promise<OrderState> {
  const entry = entryOf({ clock, newId }, order)
  const barred = { ...entry, parentKey: order.parent?.key ?? null }
  return stateOf(await barOrder(db, barred), order)
}

async function lookUp({ db }: SandboxNeeds, order: Order): Promise<OrderState> {
  const { accountId, key, now } = order
  const found = await db.ask(lookUpPayment, { accountId, key })
  if (found === undefined) return { kind: 'never_made' }
  if (found.outcome === 'lost' && found.silentUntil <= now) return { kind: 'never_made' }
  return stateOf(found, order)
}

const DECLINED = 'Declined by the sandbox gateway'

/** A follow-up is declined only if its parent has nothing left for it. */
function declineOf(operation: Order['operation']): Decline {
  const isFirst = operation === 'charge' || operation === 'pre_auth'
  return isFirst
    ? { code: 'card_declined', retry: 'later', gatewayCode: null }
    : { code: 'nothing_left', retry: 'never', gatewayCode: null }
}

function stateOf({ gatewayId, outcome }: Booked, { operation }: Order): OrderState {
  switch (outcome) {
    case 'approved':
      return { kind: 'approved', gatewayId, message: 'Approved' }
    case 'declined':
      return { kind: 'declined', gatewayId, message: DECLINED, decline: declineOf(operation) }
    case 'slow':
    case 'lost':
      return { kind: 'undecided', gatewayId }
    case 'given_up':
      return { kind: 'never_made' }
  }
}

/**
 * An existing order keeps its state, and this counts as one more look-up. A lost order is given up
 * once its silence has ended.
 */
const BAR = `${INSERT_ORDER}
  ON CONFLICT (account_id, key) DO UPDATE SET look_ups = p.look_ups + 1,
    outcome = CASE WHEN p.outcome = 'lost' AND p.silent_until <= excluded.booked_at
      THEN 'given_up' ELSE ${ASKED_AFTER} END
  RETURNING gateway_id, outcome`

/**
 * How the sandbox gateway gives up an order: it writes the key into its ledger, so that an order
 * that comes later finds that it was given up, as it would find an outcome.
 */
async function barOrder(db: Database, order: SandboxOrder): Promise<Booked> {
  const [row] = await db.query(BAR, orderValues(order, 'given_up'))
  assert(row !== undefined, 'it is inserted, or updated')
  return { gatewayId: row.gateway_id, outcome: row.outcome }
}
