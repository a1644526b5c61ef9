// The sandbox gateway's own ledger. The gateway stands for another company, so no other code reads
// or writes these tables. They contain what it did, whether or not its answer arrived.

import { gatheredStatement } from '../../../db/gathered.ts'

/**
 * `slow` is accepted, and decided after three look-ups. `lost` seems to be under way until its
 * deadline, and then was never made. `given_up` was never carried out, and its key is blocked
 * forever.
 */
export type BookedOutcome = 'approved' | 'declined' | 'slow' | 'lost' | 'given_up'

export interface SandboxEntry {
  readonly accountId: string
  readonly key: string
  readonly gatewayId: string
  readonly operation: string
  readonly amount: bigint
  readonly silentUntil: Date
  readonly createdAt: Date
  /** In the account's time. */
  readonly bookedAt: Date
}

/** An order, or what gives it up. Only a follow-up has a parent. */
export interface SandboxOrder extends SandboxEntry {
  readonly parentKey: string | null
}

export const INSERT_ORDER = `
  INSERT INTO sandbox_gateway_payment AS p (account_id, key, gateway_id, operation, parent_key,
    amount, silent_until, created_at, booked_at, outcome)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

/** The values of `INSERT_ORDER`. */
export function orderValues(order: SandboxOrder, outcome: BookedOutcome): readonly unknown[] {
  const { accountId, key, gatewayId, operation, parentKey, amount } = order
  const named = [accountId, key, gatewayId, operation, parentKey, amount]
  return [...named, order.silentUntil, order.createdAt, order.bookedAt, outcome]
}

export interface Booked {
  readonly gatewayId: string
  readonly outcome: BookedOutcome
}

/**
 * Carried out once for each key; a repeat gets the first result. Of two at the same time, one gets
 * no answer.
 */
export const bookPayment = gatheredStatement({
  name: 'sandbox-book-payment',
  columns: {
    accountId: 'uuid',
    key: 'text',
    gatewayId: 'text',
    operation: 'text',
    token: 'text',
    amount: 'bigint',
    /** Null: the token decides. */
    outcome: 'text?',
    silentUntil: 'timestamptz',
    createdAt: 'timestamptz',
    bookedAt: 'timestamptz',
  },
  text: (input) => `
    WITH ${input},
    booked AS (
      INSERT INTO sandbox_gateway_payment
        (account_id, key, gateway_id, operation, amount, outcome, silent_until, created_at,
          booked_at)
      SELECT i.account_id, i.key, i.gateway_id, i.operation, i.amount,
        coalesce(i.outcome, CASE WHEN t.approves THEN 'approved' ELSE 'declined' END),
        i.silent_until, i.created_at, i.booked_at
      FROM input i
      LEFT JOIN sandbox_gateway_token t ON t.account_id = i.account_id AND t.token = i.token
      ORDER BY i.account_id, i.key
      ON CONFLICT DO NOTHING
      RETURNING account_id, key, gateway_id, outcome
    )
    SELECT i.ord, coalesce(b.gateway_id, p.gateway_id) AS gateway_id,
      coalesce(b.outcome, p.outcome) AS outcome
    FROM input i
    LEFT JOIN booked b ON b.account_id = i.account_id AND b.key = i.key
    LEFT JOIN sandbox_gateway_payment p ON p.account_id = i.account_id AND p.key = i.key
    WHERE coalesce(b.outcome, p.outcome) IS NOT NULL`,
  read: (row): Booked => ({ gatewayId: row.gateway_id, outcome: row.outcome }),
})

export interface LookedUp extends Booked {
  readonly silentUntil: Date
}

/** After this many look-ups a slow payment is decided. */
const LOOK_UPS_OF_THE_SLOW = 3

/** The state of payment `p` after one more look-up. */
export const ASKED_AFTER = `CASE
        WHEN p.outcome = 'slow' AND p.look_ups + 1 >= ${LOOK_UPS_OF_THE_SLOW} THEN 'approved'
        ELSE p.outcome END`

export const lookUpPayment = gatheredStatement({
  name: 'sandbox-look-up-payment',
  columns: { accountId: 'uuid', key: 'text' },
  text: (input) => `
    WITH ${input}
    UPDATE sandbox_gateway_payment p SET look_ups = p.look_ups + 1, outcome = ${ASKED_AFTER}
    FROM input i
    WHERE p.account_id = i.account_id AND p.key = i.key
    RETURNING i.ord, p.gateway_id, p.outcome, p.silent_until`,
  read: (row): LookedUp => ({
    gatewayId: row.gateway_id,
    outcome: row.outcome,
    silentUntil: row.silent_until,
  }),
})
