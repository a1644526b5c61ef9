// Hot statements are planned once for a connection: in a database with rows, analysed or not, the
// plan must find every row by its whole key.

import { beforeAll, describe, expect, it } from 'vitest'
import { findCallerByHash, touchKey } from '../../src/accounts/find-caller.ts'
import { findGatewayToken } from '../../src/customers/refuse-page-method.ts'
import type { GatheredStatement } from '../../src/db/gathered.ts'
import { recordAttempt, renewDelivery } from '../../src/deliveries/record-attempt.ts'
import { findClaimByKey } from '../../src/idempotency/find-claim.ts'
import { countRequests } from '../../src/limits/postgres-counter.ts'
import { findLinkForCharge, findLinkOfPayer } from '../../src/links/find-link.ts'
import { bookPayment, lookUpPayment } from '../../src/outside/gateway/sandbox/sandbox-ledger.ts'
import { readPagePayment } from '../../src/pages/page-payment.ts'
import { readBillPage } from '../../src/pages/read-bill-page.ts'
import { readLinkPage } from '../../src/pages/read-link-page.ts'
import { acceptPayment } from '../../src/payments/accept/accept-payment.ts'
import { announcePending, readOutcome } from '../../src/payments/answer/await-outcome.ts'
import { postponePayment } from '../../src/payments/make/apply-finding.ts'
import { recordOutcome } from '../../src/payments/record/record-outcome.ts'
import {
  findPending,
  renewLease,
  takenByNow,
  takePayment,
} from '../../src/payments/take/take-payment.ts'
import { findTransaction } from '../../src/payments/transaction/find-transaction.ts'
import { eventToSend } from '../../src/webhooks/webhook-channel.ts'
import { nodesOf, type PlanNode } from '../support/explained.ts'
import { filledDatabase, KEYED_OPTIONS } from '../support/filled-database.ts'

const STATEMENTS: readonly GatheredStatement<never, unknown>[] = [
  acceptPayment,
  announcePending,
  bookPayment,
  countRequests,
  findCallerByHash,
  findClaimByKey,
  findGatewayToken,
  findLinkForCharge,
  findLinkOfPayer,
  findPending,
  findTransaction,
  postponePayment,
  renewDelivery,
  renewLease,
  lookUpPayment,
  readBillPage,
  readLinkPage,
  readOutcome,
  readPagePayment,
  recordAttempt,
  recordOutcome,
  takenByNow,
  takePayment,
  eventToSend,
  touchKey,
]

/** Some hundred accounts, and some thousand rows in each table. */
const FILL = `
  SET session_replication_role = replica;
  INSERT INTO team (id, name, created_at, updated_at)
    SELECT gen_random_uuid(), 'Team', current_timestamp, current_timestamp FROM generate_series(1, 200);
  INSERT INTO account (id, team_id, mode, rate_limit_per_minute, created_at)
    SELECT gen_random_uuid(), id, 'sandbox', 100, created_at FROM team;
  INSERT INTO api_key (account_id, id, name, prefix, created_at)
    SELECT id, gen_random_uuid(), 'key', 'sk_', created_at FROM account, generate_series(1, 5);
  INSERT INTO key_hash (hash, account_id, key_id)
    SELECT sha256(id::text::bytea), account_id, id FROM api_key;
  INSERT INTO customer (account_id, id, meta, created_at, updated_at)
    SELECT a.id, gen_random_uuid(), '{}', current_timestamp, current_timestamp
    FROM account a, generate_series(1, 20);
  INSERT INTO payment_method (account_id, id, customer_id, method, gateway_name, gateway_token,
      person_name, is_default, meta, created_at, updated_at)
    SELECT account_id, gen_random_uuid(), id, 'card', 'sandbox', 'tok_' || id, 'A B', true, '{}',
      created_at, created_at FROM customer;
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at)
    SELECT id, gen_random_uuid(), created_at::date, created_at, 'UTC', created_at FROM account;
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at, status, count,
      sales, closed_at, deposit_at)
    SELECT id, gen_random_uuid(), created_at::date - n, created_at - n * interval '1 day', 'UTC',
      created_at, 'closed', 1, 100, created_at, created_at
    FROM account, generate_series(1, 20) AS n;
  INSERT INTO schedule (account_id, id, customer_id, total, currency, rule, anchor, timezone,
      email_notification, sms_notification, meta, request_id, created_at, updated_at)
    SELECT account_id, gen_random_uuid(), id, 100, 'USD', 'RRULE:FREQ=DAILY', '', 'UTC', true, false,
      '{}', 'r', created_at, created_at FROM customer;
  INSERT INTO invoice (account_id, id, status, total, currency, customer_id, token, meta, request_id,
      created_at, updated_at)
    SELECT account_id, gen_random_uuid(), 'DRAFT', 100, 'USD', id, md5(id::text), '{}', 'r', created_at,
      created_at FROM customer;
  INSERT INTO bill_name (token, account_id, invoice_id) SELECT token, account_id, id FROM invoice;
  INSERT INTO transaction (account_id, id, type, method, status, currency, total, customer_id,
      payment_method_id, gateway_name, meta, request_id, outcome_sequence, created_at, updated_at,
      business_date)
    SELECT account_id, gen_random_uuid(), 'charge', 'card', 'SUCCESS', 'USD', 100, customer_id, id,
      'sandbox', '{}', 'r', 1, created_at, created_at, created_at FROM payment_method;
  INSERT INTO dispute (account_id, id, transaction_id, gateway_name, gateway_id, place, status, reason,
      amount, currency, opened_at, closed_at, read_at, created_at, updated_at)
    SELECT account_id, gen_random_uuid(), id, 'sandbox', id::text, '', 'lost', 'general', 100, 'USD',
      created_at, created_at, created_at, created_at, created_at FROM transaction;
  INSERT INTO reversal (account_id, id, transaction_id, gateway_name, gateway_id, kind, reason, amount,
      currency, created_at)
    SELECT account_id, gen_random_uuid(), id, 'sandbox', id::text, 'debit_returned', 'general', 100,
      'USD', created_at FROM transaction;
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
    SELECT account_id, gen_random_uuid(), 'create_transaction', id::text, 1, '{}', 'r', created_at
    FROM transaction;
  INSERT INTO webhook (account_id, id, target_url, events, secret, created_at, updated_at)
    SELECT id, gen_random_uuid(), 'https://shop.example.com/', '{*}', 'whsec_', created_at, created_at
    FROM account, generate_series(1, 5);
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
      due_at, owed_at, request_id, created_at, updated_at)
    SELECT e.account_id, gen_random_uuid(), 'webhook', w.id, 'event', e.id, w.id::text, 'event',
      e.created_at, e.created_at, 'r', e.created_at, e.created_at
    FROM event e JOIN webhook w USING (account_id);
  INSERT INTO idempotency (account_id, key, operation, request, resource_id, created_at)
    SELECT account_id, id::text, 'charge', '{}', id::text, created_at FROM transaction;
  INSERT INTO payment_link (account_id, id, common_name, active, link_meta, meta, created_at, updated_at)
    SELECT account_id, replace(id::text, '-', ''), 'Link', true, '{}', '{}', created_at, created_at
    FROM customer;
  INSERT INTO payment_link_name (id, account_id) SELECT id, account_id FROM payment_link;
  INSERT INTO request_window (subject, count, ends_at)
    SELECT 'key:' || id, 1, created_at FROM api_key;
  INSERT INTO sandbox_gateway_token (account_id, token, approves, created_at)
    SELECT account_id, gateway_token, true, created_at FROM payment_method;
  INSERT INTO sandbox_gateway_payment (account_id, key, gateway_id, operation, amount, outcome,
      silent_until, created_at, booked_at)
    SELECT account_id, id::text, id::text, 'charge', 100, 'approved', created_at, created_at,
      created_at
    FROM transaction;
  SET session_replication_role = DEFAULT`

const database = filledDatabase(FILL, KEYED_OPTIONS)

describe.each(['before', 'after'])('%s its first ANALYZE', (moment) => {
  beforeAll(async () => {
    if (moment === 'after') await database.client.query('ANALYZE')
  })

  it.each(STATEMENTS.map((statement) => [statement.name, statement] as const))(
    '%s finds every row by a whole unique key',
    async (_name, statement) => {
      const keys = await uniqueKeys()
      const { rows } = await database.client.query(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement.text}`,
      )
      const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
      const reads = nodes.filter(readsTable)
      // A row of an upsert is found by its unique key.
      const upserts = nodes.flatMap((node) => node['Conflict Arbiter Indexes'] ?? [])
      expect(reads.length + upserts.length).toBeGreaterThan(0)
      const wrong = reads.filter((node) => !isWholeKey(keys, node))
      expect(
        wrong.map((node) => `${node['Node Type']} ${node['Relation Name']} ${node['Index Cond']}`),
      ).toEqual([])
    },
  )

  it('a scan would be noticed', async () => {
    const sql = 'SELECT FROM transaction WHERE message = $1'
    const { rows } = await database.client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`)
    const reads = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter(readsTable)
    expect(reads.every((node) => isWholeKey(new Map(), node))).toBe(false)
  })
})

/** Index name → number of columns, for the unique indexes and those with the same columns. */
async function uniqueKeys(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.client.query<{ name: string; columns: number }>(
    `SELECT i.indexrelid::regclass::text AS name, i.indnkeyatts AS columns
     FROM pg_index i JOIN pg_index u ON u.indrelid = i.indrelid AND u.indisunique AND u.indpred IS NULL
     WHERE i.indpred IS NULL
       AND ARRAY(SELECT unnest(i.indkey) ORDER BY 1) = ARRAY(SELECT unnest(u.indkey) ORDER BY 1)`,
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

function readsTable(node: PlanNode): boolean {
  return node['Relation Name'] !== undefined && / Scan$/.test(node['Node Type'])
}

/** An account has few open batches: the first of them is read. */
const FEW = 'batch_not_closed'

/** A payment has few of them: all are read. */
const OF_PAYMENT = [
  'dispute_account_id_transaction_id_idx',
  'reversal_account_id_transaction_id_idx',
  'transaction_family',
]

function isWholeKey(keys: ReadonlyMap<string, number>, node: PlanNode): boolean {
  const [first] = node.Plans ?? []
  if (first?.['Index Name'] === FEW) return isWholeKey(keys, first)
  if (node['Index Name'] === FEW) return node['Index Cond']?.includes('account_id = ') === true
  const name = node['Index Name'] ?? ''
  const columns = OF_PAYMENT.includes(name) ? 2 : keys.get(name)
  return columns !== undefined && (node['Index Cond']?.match(/ = /g) ?? []).length === columns
}
