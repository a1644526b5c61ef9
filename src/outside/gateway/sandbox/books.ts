// The sandbox gateway's own books. It stands for a company elsewhere: nobody else reads or writes
// these tables, and what it did is in them whether or not its answer arrived.

import { gatheredStatement } from '../../../db/gathered.ts'

/**
 * `slow` is taken, and decided when it has been asked after three times; `lost` is said to be under
 * way until its deadline, and then never to have been made; `given_up` was never carried out, and
 * bars its key for ever.
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

interface Booking extends SandboxEntry {
  readonly token: string
  /** null: as the token says. */
  readonly outcome: BookedOutcome | null
}

export interface Booked {
  readonly gatewayId: string
  readonly outcome: BookedOutcome
}

/**
 * Carried out once a key; who comes again with it finds what was done. Answers nothing to one of
 * two at the same time.
 */
export const bookPayment = gatheredStatement<Booking, Booked>({
  name: 'sandbox-book-payment',
  columns: {
    accountId: 'uuid',
    key: 'text',
    gatewayId: 'text',
    operation: 'text',
    token: 'text',
    amount: 'bigint',
    outcome: 'text',
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
  read: (row) => ({ gatewayId: row.gateway_id, outcome: row.outcome }),
})

export interface LookUp {
  readonly accountId: string
  readonly key: string
}

export interface LookedUp extends Booked {
  readonly silentUntil: Date
}

/** How often a slow payment must be asked after before it is done. */
const LOOK_UPS_OF_THE_SLOW = 3

/** What a payment `p` is once it has been asked after one more time. */
export const ASKED_AFTER = `CASE
        WHEN p.outcome = 'slow' AND p.look_ups + 1 >= ${LOOK_UPS_OF_THE_SLOW} THEN 'approved'
        ELSE p.outcome END`

export const lookUpPayment = gatheredStatement<LookUp, LookedUp>({
  name: 'sandbox-look-up-payment',
  columns: { accountId: 'uuid', key: 'text' },
  text: (input) => `
    WITH ${input}
    UPDATE sandbox_gateway_payment p SET look_ups = p.look_ups + 1, outcome = ${ASKED_AFTER}
    FROM input i
    WHERE p.account_id = i.account_id AND p.key = i.key
    RETURNING i.ord, p.gateway_id, p.outcome, p.silent_until`,
  read: (row) => ({
    gatewayId: row.gateway_id,
    outcome: row.outcome,
    silentUntil: row.silent_until,
  }),
})
