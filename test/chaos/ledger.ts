// The ledger of any gateway in one form, for the audit's comparison with our rows. The sandbox
// keeps its own in the database; Stripe's are the movements of the stand-in.

import type pg from 'pg'
import type { StripeMove } from '../stripe/stand-in/moves.ts'

/** An order that the gateway has carried out or refused. */
export interface LedgerEntry {
  readonly account_id: string
  readonly key: string
  readonly gateway_id: string
  readonly operation: string
  readonly parent_key: string | null
  /** In cents. */
  readonly amount: number
  readonly outcome: 'approved' | 'declined' | 'undecided'
}

const CREATE = `
  CREATE TEMPORARY TABLE ledger AS
  SELECT account_id, key, gateway_id, operation, parent_key, amount, outcome
  FROM sandbox_gateway_payment`

const ADD = `
  INSERT INTO ledger SELECT * FROM json_to_recordset($1::json)
    AS entry(account_id uuid, key text, gateway_id text, operation text, parent_key text,
      amount bigint, outcome text)`

/** A table of this session, with the sandbox's entries and those of another gateway. */
export async function enterLedger(
  client: pg.Client,
  others: readonly LedgerEntry[],
): Promise<void> {
  await client.query(CREATE)
  await client.query(ADD, [JSON.stringify(others)])
  await client.query('ANALYZE ledger')
}

/**
 * The movements of one account at Stripe. An order that moved money twice has an entry named so.
 */
export function ledgerOf(moves: readonly StripeMove[]): readonly LedgerEntry[] {
  const paid = new Set<string>()
  return moves.flatMap((move) => {
    const found = entryOf(moves, move)
    if (found === undefined) return []
    const isAgain = found.outcome === 'approved' && paid.has(found.key)
    if (found.outcome === 'approved') paid.add(found.key)
    return [isAgain ? { ...found, key: `${found.key} again` } : found]
  })
}

function entryOf(moves: readonly StripeMove[], move: StripeMove): LedgerEntry | undefined {
  const { amount, id, isPaid, kind, metadata, paymentIntent, state } = move
  const common = {
    account_id: metadata.lamplighter_account ?? '',
    gateway_id: id,
    operation: metadata.lamplighter_operation ?? '',
    key: metadata.lamplighter_id ?? id,
    amount,
  }
  const ofPayment = metadata.lamplighter_id ?? null
  switch (kind) {
    case 'payment': {
      // It is unconfirmed: its only purpose was to block the key of an order that was given up.
      if (metadata.lamplighter_given_up !== undefined && !isPaid) return undefined
      return { ...common, parent_key: null, outcome: isPaid ? 'approved' : 'declined' }
    }
    case 'capture': {
      const key = ourKeyOf(move, 'capture')
      if (key === undefined) return undefined
      return { ...common, key, operation: kind, parent_key: ofPayment, outcome: 'approved' }
    }
    case 'release': {
      const key = ourKeyOf(move, 'cancel') ?? `release of ${id}`
      return { ...common, key, operation: 'void', parent_key: ofPayment, outcome: 'approved' }
    }
    case 'refund':
      return {
        ...common,
        parent_key: refundedBy(moves, paymentIntent),
        outcome: state === 'succeeded' ? 'approved' : 'undecided',
      }
  }
}

/** Our order's key in the idempotency key of the request. */
function ourKeyOf({ idempotencyKey = '' }: StripeMove, verb: string): string | undefined {
  const [key, sent] = idempotencyKey.split(':')
  return sent === verb ? key : undefined
}

/** A refund returns the money of a capture if there was one, and otherwise that of the charge. */
function refundedBy(moves: readonly StripeMove[], paymentIntent: string): string | null {
  const own = moves.filter((move) => move.paymentIntent === paymentIntent)
  const capture = own.find(({ kind }) => kind === 'capture')
  const charge = own.find(({ kind }) => kind === 'payment')
  return (capture && ourKeyOf(capture, 'capture')) ?? charge?.metadata.lamplighter_id ?? null
}
