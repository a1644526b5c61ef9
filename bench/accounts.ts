// Many accounts, each with a key and a payment method: copies of the rows of one merchant.

import type pg from 'pg'
import { hashOf, newKey } from '../src/accounts/key.ts'
import { newId } from '../src/outside/identity.ts'

export interface Accounts {
  /** The key of an account is at the same place as its payment method. */
  readonly keys: readonly string[]
  readonly paymentMethods: readonly string[]
}

/** $1 is the account that is copied, $2 to $7 are the new ids and hashes. */
const COPY = `
  WITH ids AS MATERIALIZED (
    SELECT * FROM unnest(
      $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[]
    ) AS i (team, account, key, customer, method, hash)
  ),
  card AS MATERIALIZED (
    SELECT * FROM payment_method WHERE account_id = $1 AND method = 'card' LIMIT 1
  ),
  teams AS (
    INSERT INTO team SELECT (jsonb_populate_record(null::team,
      to_jsonb(t) || jsonb_build_object('id', i.team))).*
    FROM account a JOIN team t ON t.id = a.team_id, ids i WHERE a.id = $1
  ),
  accounts AS (
    INSERT INTO account SELECT (jsonb_populate_record(null::account,
      to_jsonb(a) || jsonb_build_object('id', i.account, 'team_id', i.team))).*
    FROM account a, ids i WHERE a.id = $1
  ),
  keys AS (
    INSERT INTO api_key SELECT (jsonb_populate_record(null::api_key,
      to_jsonb(k) || jsonb_build_object('id', i.key, 'account_id', i.account))).*
    FROM (SELECT * FROM api_key WHERE account_id = $1 LIMIT 1) k, ids i
  ),
  hashes AS (
    INSERT INTO key_hash (hash, account_id, key_id)
    SELECT decode(i.hash, 'hex'), i.account, i.key FROM ids i
  ),
  tokens AS (
    INSERT INTO sandbox_gateway_token SELECT (jsonb_populate_record(null::sandbox_gateway_token,
      to_jsonb(t) || jsonb_build_object('account_id', i.account))).*
    FROM sandbox_gateway_token t, ids i
    WHERE t.account_id = $1 AND t.token = (SELECT gateway_token FROM card)
  ),
  customers AS (
    INSERT INTO customer SELECT (jsonb_populate_record(null::customer,
      to_jsonb(c) || jsonb_build_object('id', i.customer, 'account_id', i.account))).*
    FROM (SELECT * FROM customer WHERE account_id = $1 LIMIT 1) c, ids i
  )
  INSERT INTO payment_method SELECT (jsonb_populate_record(null::payment_method, to_jsonb(p)
    || jsonb_build_object('id', i.method, 'account_id', i.account, 'customer_id', i.customer))).*
  FROM card p, ids i`

export async function makeAccounts(
  client: pg.Client,
  accountId: string,
  count: number,
): Promise<Accounts> {
  const ids = () => Array.from({ length: count }, newId)
  const keys = Array.from({ length: count }, () => newKey('sandbox'))
  const paymentMethods = ids()
  const hashes = keys.map((key) => hashOf(key).toString('hex'))
  await client.query(COPY, [accountId, ids(), ids(), ids(), ids(), paymentMethods, hashes])
  await client.query('ANALYZE')
  return { keys, paymentMethods }
}
