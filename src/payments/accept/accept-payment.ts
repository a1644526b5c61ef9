// The one statement that accepts a charge: it writes the payment with its due time.

import { HELD_CLOCKS } from '../../accounts/hold-clock.ts'
import { after } from '../../core/time-units.ts'
import { gatheredStatement, type InputOf } from '../../db/gathered.ts'
import { INSERT_CLAIMS } from '../../idempotency/claim-key.ts'
import type { World } from '../../world.ts'

const PAYMENT_TO_ACCEPT = {
  accountId: 'uuid',
  id: 'uuid',
  type: 'transaction_type',
  total: 'bigint',
  currency: 'text',
  paymentMethodId: 'uuid',
  channel: 'text?',
  paymentLinkId: 'text?',
  idempotencyId: 'text?',
  /** The gateways that are set up, comma-separated: a method of another one pays nothing. */
  gateways: 'text',
  /** A repeat is compared with it. */
  request: 'json',
  funding: 'jsonb?',
  receiptTo: 'text?',
  meta: 'jsonb',
  requestId: 'text',
  dueAt: 'timestamptz',
  /** In real time, as is `createdAt`. The statement converts both to the account's own time. */
  deadlineAt: 'timestamptz',
  createdAt: 'timestamptz',
} as const

export type PaymentToAccept = InputOf<typeof PAYMENT_TO_ACCEPT>

/**
 * When the sweep takes the payment if its job is lost, and the deadline for its outcome: as long
 * after `at` as the settings say.
 */
export function workTimes({ clock, config, timings }: World, at: Date) {
  return {
    dueAt: after(clock.now(), timings.nudgeGraceMs),
    deadlineAt: after(at, config.pendingDeadlineMs),
  }
}

export interface Acceptance {
  readonly isMade: boolean
  /** The account's clock is being advanced, so no payment was written. */
  readonly isClockAdvancing: boolean
}

/**
 * The columns that the payment takes from its request and its payment method, by the same names.
 * Every other column begins with its default, as in `transactionWith`.
 */
const CARRIED = `account_id, id, type, method, currency, total, channel, customer_id,
        payment_method_id, payment_link_id, idempotency_id, gateway_name, last_four, funding, meta,
        receipt_to, request_id, due_at`

/**
 * Writes the payment and its due time in one commit, and claims the idempotency key with it: the
 * first request to write the key's row makes the charge. Keys are claimed in one order, so that two
 * rounds never deadlock. The account is locked at its current time, which dates the payment.
 */
export const acceptPayment = gatheredStatement({
  name: 'accept-payment',
  columns: PAYMENT_TO_ACCEPT,
  text: (input) => `
    WITH ${input}, ${HELD_CLOCKS},
    known AS (
      SELECT i.*, m.method, m.customer_id, m.gateway_name, m.last_four,
        coalesce(c.clock_at, i.created_at) AS accepted_at,
        i.deadline_at + (coalesce(c.clock_at, i.created_at) - i.created_at) AS decided_by
      FROM input i
      LEFT JOIN clock c ON c.account_id = i.account_id
      CROSS JOIN LATERAL (
        SELECT * FROM payment_method
        WHERE account_id = i.account_id AND id = i.payment_method_id OFFSET 0
      ) m
      -- Cash and checks have no customer, and no gateway charges them.
      WHERE m.deleted_at IS NULL AND m.customer_id IS NOT NULL AND c.clock_target IS NULL
        AND m.gateway_name = ANY(string_to_array(i.gateways, ','))
        -- No live gateway holds an amount of a bank account.
        AND (i.type <> 'pre_auth' OR m.method <> 'bank' OR m.gateway_name = 'sandbox')
    ),
    keyed AS (
      ${INSERT_CLAIMS}
      SELECT account_id, idempotency_id, 'charge', request, id::text, created_at
      FROM known WHERE idempotency_id IS NOT NULL
      ORDER BY account_id, idempotency_id
      ON CONFLICT DO NOTHING
      RETURNING resource_id
    ),
    made AS (
      INSERT INTO transaction (${CARRIED}, status, owed, deadline_at, created_at, updated_at)
      SELECT ${CARRIED}, 'PENDING', 'charge', decided_by, accepted_at, accepted_at
      FROM known k
      WHERE idempotency_id IS NULL OR EXISTS (SELECT FROM keyed WHERE resource_id = k.id::text)
      RETURNING id
    )
    SELECT i.ord, made.id IS NOT NULL AS is_made,
      c.clock_target IS NOT NULL AS is_clock_advancing
    FROM input i
    LEFT JOIN clock c ON c.account_id = i.account_id
    LEFT JOIN made ON made.id = i.id`,
  read: (row): Acceptance => ({ isMade: row.is_made, isClockAdvancing: row.is_clock_advancing }),
})
