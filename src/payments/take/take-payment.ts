// How a worker takes a due payment.

import type { Cutoff } from '../../core/business-day.ts'
import { MESSAGE_CHANNELS, type MessageChannel } from '../../core/delivery.ts'
import { after } from '../../core/time-units.ts'
import type { PendingWork, TransactionType } from '../../core/transaction.ts'
import { done, snooze, type Verdict } from '../../core/verdict.ts'
import type { RowKey } from '../../db/columns.ts'
import { gatheredStatement, type Row } from '../../db/gathered.ts'
import { INVOICE_COLUMNS, type InvoiceRow, readInvoice } from '../../invoices/invoice.ts'
import type { World } from '../../world.ts'
import type { AccountContext } from '../transaction/account-context.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from '../transaction/transaction-row.ts'

export interface Taken extends TransactionRow {
  /**
   * A CHECK ensures that a PENDING row has one. It comes nearer while a payer is asked, and moves
   * away when the gateway names a day.
   */
  readonly deadlineAt: Date
  /** Until then no other worker takes it. */
  readonly leasedUntil: Date
  /** The gateway's id of the parent, if there is one. */
  readonly parentAuthId: string | null
  readonly parentType: TransactionType | null
  readonly account: TakenAccount
  /** The invoice that it pays, if any. */
  readonly invoice: InvoiceRow | undefined
  readonly isScheduleDeleted: boolean
  /** The channels for automatic messages to its customer. */
  readonly messageChannels: readonly MessageChannel[]
}

export interface TakenAccount extends Omit<AccountContext, 'now'> {
  readonly cutoff: Cutoff
  readonly retryDays: readonly number[]
}

/** The columns of a transaction `t` with TAKEN_JOINS. */
const TAKEN_COLUMNS = `a.mode, a.clock_at, a.cutoff, a.timezone, a.retry_days,
      b.settlement_tokenization_enabled, p.auth_id AS parent_auth_id, p.type AS parent_type,
      s.deleted_at AS schedule_deleted_at, s.email_notification, s.sms_notification,
      a.auto_receipts::text[] AS auto_receipts, b.sms_enabled,
      ${TRANSACTION_COLUMNS}, ${INVOICE_COLUMNS}`

const TAKEN_JOINS = `${TRANSACTION_JOINS}
    CROSS JOIN LATERAL (SELECT * FROM account WHERE id = t.account_id OFFSET 0) a
    CROSS JOIN LATERAL (SELECT * FROM team WHERE id = a.team_id OFFSET 0) b
    LEFT JOIN LATERAL (
      SELECT auth_id, type FROM transaction
      WHERE account_id = t.account_id AND id = t.reference_id OFFSET 0
    ) p ON true
    LEFT JOIN LATERAL (
      SELECT * FROM invoice WHERE account_id = t.account_id AND id = t.invoice_id OFFSET 0
    ) v ON true
    LEFT JOIN LATERAL (
      SELECT deleted_at, email_notification, sms_notification FROM schedule
      WHERE account_id = t.account_id AND id = t.schedule_id OFFSET 0
    ) s ON true`

/** A commit that holds a row ends within milliseconds. */
const HELD_MS = 100

/** Returns a verdict if there is nothing to do, or not yet. */
export async function take(world: World, key: RowKey, work: PendingWork): Promise<Taken | Verdict> {
  const now = world.clock.now()
  const leasedUntil = after(now, world.timings.paymentLeaseMs)
  const taken = await world.db.ask(takePayment, { ...key, work, now, leasedUntil })
  if (taken !== undefined) return taken
  // The API server may hold the row just now to write its PENDING event. Returning for good would
  // leave the payment to the sweep.
  const isHeld = (await world.db.ask(findPending, { ...key, work, now })) !== undefined
  return isHeld ? snooze(after(now, HELD_MS), work) : done
}

export function isVerdict(taken: Taken | Verdict): taken is Verdict {
  return 'kind' in taken
}

/**
 * The condition for a row `f` and an input `i`: the row has that pending work. Only work in doubt
 * must also be due: first work is taken as soon as its nudge comes.
 */
const HAS_WORK = `f.account_id = i.account_id AND f.id = i.id
          AND f.status = 'PENDING' AND f.owed = i.work AND f.parked_at IS NULL
          AND (f.owed <> 'doubt' OR f.due_at <= i.now)`

/**
 * Takes a due payment and puts it in doubt at the same time. If the worker dies after this, a
 * question is left, never a second charge. Rows that others hold, have finished or will look at
 * later are skipped and return nothing.
 */
export const takePayment = gatheredStatement({
  name: 'take-payment',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    work: 'text',
    now: 'timestamptz',
    /** Until then no other worker takes it. */
    leasedUntil: 'timestamptz',
  },
  text: (input) => `
    WITH ${input},
    free AS (
      SELECT i.ord, i.now, i.leased_until, f.account_id, f.id
      FROM input i
      CROSS JOIN LATERAL (
        SELECT f.account_id, f.id FROM transaction f
        WHERE ${HAS_WORK}
        FOR UPDATE SKIP LOCKED
      ) f
    ),
    t AS (
      UPDATE transaction u SET owed = 'doubt', due_at = free.leased_until, attempt = u.attempt + 1,
        ordered_at = CASE u.owed WHEN 'doubt' THEN u.ordered_at ELSE free.now END
      FROM free WHERE u.account_id = free.account_id AND u.id = free.id
      RETURNING u.*, free.ord
    )
    SELECT t.ord, ${TAKEN_COLUMNS}
    FROM t ${TAKEN_JOINS}`,
  read: readTaken,
})

/** The current state of a taken payment. Undefined if a later take has it. */
export const takenByNow = gatheredStatement({
  name: 'taken-by-now',
  columns: { accountId: 'uuid', id: 'uuid', attempt: 'integer' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${TAKEN_COLUMNS}
    FROM input i
    JOIN transaction t ON t.account_id = i.account_id AND t.id = i.id
      AND t.attempt = i.attempt AND t.owed IS NOT NULL ${TAKEN_JOINS}`,
  read: readTaken,
})

function readTaken(row: Row): Taken {
  return Object.assign(readTransaction(row), {
    deadlineAt: row.t_deadline_at,
    leasedUntil: row.t_due_at,
    parentAuthId: row.parent_auth_id,
    parentType: row.parent_type,
    account: {
      accountId: row.t_account_id,
      mode: row.mode,
      clockAt: row.clock_at,
      settlementTokenizationEnabled: row.settlement_tokenization_enabled,
      cutoff: { time: row.cutoff, zone: row.timezone },
      retryDays: row.retry_days,
    },
    invoice: row.v_id === null ? undefined : readInvoice(row),
    isScheduleDeleted: row.schedule_deleted_at !== null,
    messageChannels: channelsOf(row),
  })
}

/** A payment of a schedule follows the schedule's own switches. */
function channelsOf(row: Row): readonly MessageChannel[] {
  const isScheduled = row.t_schedule_id !== null && row.t_reference_id === null
  const own = { email: row.email_notification, sms: row.sms_notification }
  const isWanted = (channel: MessageChannel) =>
    isScheduled ? own[channel] : row.auto_receipts.includes(channel)
  const isAllowed = { email: true, sms: row.sms_enabled }
  return MESSAGE_CHANNELS.filter((channel) => isWanted(channel) && isAllowed[channel])
}

/** True if the work is still pending after it could not be taken. */
export const findPending = gatheredStatement({
  name: 'find-pending',
  columns: { accountId: 'uuid', id: 'uuid', work: 'text', now: 'timestamptz' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord FROM input i JOIN transaction f ON ${HAS_WORK}`,
  read: () => true,
})

export const renewLease = gatheredStatement({
  name: 'renew-lease',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    /**
     * The due time that this worker wrote. A row with another one was taken, recorded or made due
     * since.
     */
    leasedUntil: 'timestamptz',
    renewedUntil: 'timestamptz',
  },
  // An equation of due times would be looked up in their index, and not the row by its key.
  text: (input) => `
    WITH ${input}
    UPDATE transaction t SET due_at = i.renewed_until
    FROM input i
    WHERE t.account_id = i.account_id AND t.id = i.id
      AND t.due_at IS NOT DISTINCT FROM i.leased_until
    RETURNING i.ord`,
  read: () => true,
})
