// A key for secrets that is lost. The database names it, so that no process starts without it: an
// operator must say that it will not come back. What it sealed stays in the rows, and opens again
// if the key is found.

import type { Mode } from '../accounts/key.ts'
import { OperatorError } from '../core/operator-error.ts'
import { commitInTurn } from '../db/commit-in-turn.ts'
import type { Query } from '../db/database.ts'
import { BY_COMMAND, writeAuditEntry } from '../operators/audit-entries.ts'
import type { World } from '../world.ts'
import { KEYS_LOCK } from './secrets-keys.ts'

/** An endpoint or an operator whose secret no process can open from now on. */
export interface Concerned {
  readonly kind: 'endpoint' | 'operator'
  readonly id: string
  /** The address of the endpoint, or the operator's name. */
  readonly name: string
  /** Null for an operator. */
  readonly accountId: string | null
  readonly team: string | null
  readonly mode: Mode | null
}

const FORGET = 'DELETE FROM secrets_key WHERE id = $1 RETURNING id'

/** Named as in `Concerned`. */
const CONCERNED = `
  SELECT 'endpoint' AS kind, w.id, w.target_url AS name, w.account_id AS "accountId",
    t.name AS team, a.mode::text AS mode
  FROM webhook w
  JOIN account a ON a.id = w.account_id
  JOIN team t ON t.id = a.team_id
  WHERE w.deleted_at IS NULL AND starts_with(w.secret, $1)
  UNION ALL
  SELECT 'operator', o.id, o.name, NULL, NULL, NULL
  FROM operator o WHERE starts_with(o.totp_secret, $1)
  ORDER BY kind, team, mode, name, id`

/** Returns those whose secret is lost with the key. */
export async function forgetSecretsKey(world: World, id: string): Promise<readonly Concerned[]> {
  if (world.vault.keyIds().includes(id)) {
    throw new OperatorError(
      `this process has key ${id}, so it is not lost: lamplighter secrets rotate replaces it`,
    )
  }
  return commitInTurn(world.db, 'secrets keys', KEYS_LOCK, (query) => forget(world, query, id))
}

async function forget(world: World, query: Query, id: string): Promise<readonly Concerned[]> {
  const forgotten = await query(FORGET, [id])
  if (forgotten.length === 0) {
    throw new OperatorError(
      `this database needs no key ${id}: lamplighter doctor names those that it lacks`,
    )
  }
  const concerned = (await query(CONCERNED, [world.vault.sealedBy(id)])) as readonly Concerned[]
  const countOf = (kind: Concerned['kind']) => concerned.filter((one) => one.kind === kind).length
  await writeAuditEntry({ ...world, db: { query } }, BY_COMMAND, {
    action: 'secrets key forgotten',
    subject: id,
    detail: { endpoints: countOf('endpoint'), operators: countOf('operator') },
  })
  return concerned
}

const UNREADABLE = `
  SELECT (
    SELECT count(*)::integer FROM webhook
    WHERE deleted_at IS NULL AND NOT starts_with(secret, 'whsec_') AND NOT EXISTS (
      SELECT FROM unnest($1::text[]) AS own WHERE starts_with(secret, own)
    )
  ) AS endpoints, (
    SELECT count(*)::integer FROM operator
    WHERE totp_secret IS NOT NULL AND NOT EXISTS (
      SELECT FROM unnest($1::text[]) AS own WHERE starts_with(totp_secret, own)
    )
  ) AS operators`

/** How many endpoints and operators have a secret that no key of this process opens. */
export async function countUnreadable({ db, vault }: World) {
  const own = vault.keyIds().map((id) => vault.sealedBy(id))
  const [{ endpoints = 0, operators = 0 } = {}] = await db.query(UNREADABLE, [own])
  return { endpoints: Number(endpoints), operators: Number(operators) }
}
