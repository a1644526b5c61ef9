// The gateway of sandbox accounts: moves no money, keeps books as a real one does.

import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../clock.ts'
import type { Answer, Gateway, Order, Question, Trace } from '../port.ts'
import { bookFollowUp } from './book-follow-up.ts'
import { type Booked, type BookedOutcome, bookPayment, lookUpPayment } from './books.ts'
import { entriesBetween, entriesOf, keepBatch } from './settlement-books.ts'
import { knownToken, tokenise } from './tokens.ts'

/** 763.64 and 763.63: the amounts with which a merchant tries what silence does. */
const AMOUNTS: ReadonlyMap<bigint, BookedOutcome> = new Map([
  [763_64n, 'slow'],
  [763_63n, 'lost'],
])

export interface SandboxNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly newId: () => string
}

export function sandboxGateway(needs: SandboxNeeds): Gateway {
  return {
    name: 'sandbox',
    browserTokens: { kind: 'own form', url: '/sandbox-gateway/token' },
    carryOut: (order) => carryOut(needs, order),
    lookUp: (question) => lookUp(needs, question),
    closeBatch: (totals) => keepBatch(needs, totals),
    entriesOf: (accountId, keys) => entriesOf(needs.db, accountId, keys),
    entriesBetween: (window, after, most) => entriesBetween(needs.db, window, after, most),
    knownToken: (accountId, token) => knownToken(needs, accountId, token),
    tokenise: (accountId, method, instrument, now) =>
      tokenise(needs, accountId, method, instrument, now),
  }
}

async function carryOut({ db, clock, newId }: SandboxNeeds, order: Order): Promise<Answer> {
  const { accountId, key, operation, parent, token, amount } = order
  const entry = {
    accountId,
    key,
    gatewayId: `sbx_${newId()}`,
    operation,
    amount,
    silentUntil: order.deadlineAt,
    createdAt: clock.now(),
    bookedAt: order.now,
  }
  const booked =
    parent === undefined
      ? await db.ask(bookPayment, { ...entry, token, outcome: AMOUNTS.get(amount) ?? null })
      : await bookFollowUp(db, { ...entry, parentKey: parent.key })
  return booked === undefined ? { kind: 'undecided' } : answerOf(booked)
}

async function lookUp({ db }: SandboxNeeds, question: Question): Promise<Trace> {
  const found = await db.ask(lookUpPayment, { accountId: question.accountId, key: question.key })
  if (found === undefined) return { kind: 'never_made' }
  if (found.outcome === 'lost' && found.silentUntil <= question.now) return { kind: 'never_made' }
  return answerOf(found)
}

function answerOf({ gatewayId, outcome }: Booked): Exclude<Answer, { kind: 'turned_away' }> {
  switch (outcome) {
    case 'approved':
      return { kind: 'approved', gatewayId, message: 'Approved' }
    case 'declined':
      return { kind: 'declined', gatewayId, message: 'Declined by the sandbox gateway' }
    case 'slow':
    case 'lost':
      return { kind: 'undecided' }
  }
}
