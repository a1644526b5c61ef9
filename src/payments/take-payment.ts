// How a worker takes what is owed.

import { after } from '../core/time-units.ts'
import type { Owed } from '../core/transaction.ts'
import { done, snooze, type Verdict } from '../core/verdict.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'
import type { Books } from './books.ts'
import type { RowKey } from './row-key.ts'
import {
  readTransaction,
  TRANSACTION_COLUMNS,
  TRANSACTION_JOINS,
  type TransactionRow,
} from './transaction-row.ts'

interface Take extends RowKey {
  readonly owed: Owed
  readonly now: Date
  /** Until when nobody else will look at it. */
  readonly leasedUntil: Date
}

export interface Taken extends TransactionRow {
  /** What is PENDING has one: a CHECK holds it. */
  readonly deadlineAt: Date
  /** What the gateway calls the parent, where there is one. */
  readonly parentAuthId: string | null
  readonly account: Omit<Books, 'now'>
}

/** Who holds a row while we come by commits within milliseconds. */
const HELD_MS = 100

/** Answers a verdict where there is nothing to do, or not yet. */
export async function take(world: World, key: RowKey, owed: Owed): Promise<Taken | Verdict> {
  const now = world.clock.now()
  const leasedUntil = after(now, world.timings.leaseMs)
  const taken = await world.db.ask(takePayment, { ...key, owed, now, leasedUntil })
  if (taken !== undefined) return taken
  // The intake that tells of it as PENDING holds it just when the worker comes: whoever went away
  // for good would leave it to the sweep.
  const isHeld = (await world.db.ask(findOwed, { ...key, owed, now })) !== undefined
  return isHeld ? snooze(after(now, HELD_MS), owed) : done
}

export function isVerdict(taken: Taken | Verdict): taken is Verdict {
  return 'kind' in taken
}

/** Of a row `f` and an input `i`: it owes that, to be paid now. */
const OWES = `f.account_id = i.account_id AND f.id = i.id
          AND f.status = 'PENDING' AND f.owed = i.owed AND f.parked_at IS NULL
          AND (f.owed <> 'doubt' OR f.due_at <= i.now)`

/**
 * Takes what is owed, and puts it in doubt with that: who dies from here on leaves a question,
 * never a second charge. What somebody else holds, has finished or will look at later is left
 * alone, and answers nothing.
 */
export const takePayment = gatheredStatement<Take, Taken>({
  name: 'take-payment',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    owed: 'text',
    now: 'timestamptz',
    leasedUntil: 'timestamptz',
  },
  text: (input) => `
    WITH ${input},
    free AS (
      SELECT i.ord, i.leased_until, f.account_id, f.id
      FROM input i
      CROSS JOIN LATERAL (
        SELECT f.account_id, f.id FROM transaction f
        WHERE ${OWES}
        FOR UPDATE SKIP LOCKED
      ) f
    ),
    t AS (
      UPDATE transaction u SET owed = 'doubt', due_at = free.leased_until, attempt = u.attempt + 1
      FROM free WHERE u.account_id = free.account_id AND u.id = free.id
      RETURNING u.*, free.ord
    )
    SELECT t.ord, a.mode, a.clock_at, b.settlement_tokenization_enabled,
      p.auth_id AS parent_auth_id, ${TRANSACTION_COLUMNS}
    FROM t ${TRANSACTION_JOINS}
    CROSS JOIN LATERAL (SELECT * FROM account WHERE id = t.account_id OFFSET 0) a
    CROSS JOIN LATERAL (SELECT * FROM team WHERE id = a.team_id OFFSET 0) b
    LEFT JOIN LATERAL (
      SELECT auth_id FROM transaction
      WHERE account_id = t.account_id AND id = t.reference_id OFFSET 0
    ) p ON true`,
  read: (row) => ({
    ...readTransaction(row),
    deadlineAt: row.t_deadline_at,
    parentAuthId: row.parent_auth_id,
    account: {
      accountId: row.t_account_id,
      mode: row.mode,
      clockAt: row.clock_at,
      settlementTokenizationEnabled: row.settlement_tokenization_enabled,
    },
  }),
})

/** Whether it is still owed, after it could not be taken. */
export const findOwed = gatheredStatement<Omit<Take, 'leasedUntil'>, true>({
  name: 'find-owed',
  columns: { accountId: 'uuid', id: 'uuid', owed: 'text', now: 'timestamptz' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord FROM input i JOIN transaction f ON ${OWES}`,
  read: () => true,
})
