// The actions of operators on keys: create, list, change, roll, revoke.

import type { Dialect } from '../core/dialect.ts'
import { isId } from '../core/id.ts'
import { OperatorError } from '../core/operator-error.ts'
import { after, DAY, earlier } from '../core/time-units.ts'
import { queryIn } from '../db/queries.ts'
import type { Account, ApiKey, Prisma, Team } from '../generated/client.ts'
import type { DatabaseWorld, QueryWorld, WritingWorld } from '../world.ts'
import { hashOf, type Mode, newKey, prefixOf } from './key.ts'
import { type KeyChange, MOST_OVERLAP_DAYS } from './read-key-change.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

export interface ListedKey {
  readonly id: string
  readonly team: string
  readonly mode: Mode
  readonly name: string
  readonly prefix: string
  readonly dialect: Dialect
  readonly state: KeyState
  readonly createdAt: Date
  readonly expiresAt: Date | null
  /** Rounded to the minute. */
  readonly lastUsedAt: Date | null
}

interface RolledKey extends CreatedKey {
  readonly expiresAt: Date | null
  /** When the old key ends. */
  readonly oldUntil: Date
}

export type KeyOfTeam = ApiKey & { readonly account: Account & { readonly team: Team } }

const OF_TEAM = { account: { include: { team: true } } } as const

const KEYS = `
  SELECT k.id, t.name AS team, a.mode, k.name, k.prefix, k.dialect,
    k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
    k.last_used_at AS "lastUsedAt"
  FROM api_key k
  JOIN account a ON a.id = k.account_id
  JOIN team t ON t.id = a.team_id
  WHERE ($1::uuid IS NULL OR t.id = $1) AND ($2::uuid IS NULL OR k.id = $2)
  ORDER BY k.created_at, k.id`

/** The oldest first. Read without Prisma, so that the command line answers soon. */
export function listKeys(world: QueryWorld, teamId?: string): Promise<readonly ListedKey[]> {
  return keysOf(world, [teamId ?? null, null])
}

export async function readKey(world: QueryWorld, id: string): Promise<ListedKey> {
  const [key] = isId(id) ? await keysOf(world, [null, id]) : []
  if (key === undefined) throw unknownKey(id)
  return key
}

/**
 * A leaked key is easily given in place of its id. To say that there is no such key would sound as
 * if it had ended already, and to repeat it would show it again.
 */
function unknownKey(id: string): OperatorError {
  const said = id.startsWith('sk_')
    ? `${prefixOf(id)}… is a key, not the id of one: lamplighter keys list --wide shows its id`
    : `there is no key ${id}`
  return new OperatorError(said)
}

async function keysOf(
  { db, clock }: QueryWorld,
  values: readonly (string | null)[],
): Promise<readonly ListedKey[]> {
  const now = clock.now()
  const rows = await db.query(KEYS, values)
  return rows.map(({ revokedAt, createdAt, expiresAt, lastUsedAt, ...key }) => ({
    ...(key as Pick<ListedKey, 'id' | 'team' | 'mode' | 'name' | 'prefix' | 'dialect'>),
    state: keyStateOf({ revokedAt, expiresAt }, now),
    createdAt,
    expiresAt,
    lastUsedAt,
  }))
}

/** The key is refused from this instant on. A second call changes nothing and returns false. */
export async function revokeKey(
  world: DatabaseWorld,
  id: string,
  tx: Prisma.TransactionClient = world.db.prisma,
): Promise<boolean> {
  const { accountId } = await findKey(world, id, tx)
  const { count } = await tx.apiKey.updateMany({
    where: { accountId, id, revokedAt: null },
    data: { revokedAt: world.clock.now() },
  })
  return count > 0
}

/** Until the commit it is not revoked, rolled, or given another end, which would be lost. */
const HOLD_KEY = 'SELECT id FROM api_key WHERE id = $1::uuid FOR NO KEY UPDATE'

/**
 * Makes a new key with the same name, mode, dialect and lifetime. The old one works until the given
 * instant, unless it ends before. It is rolled only once: what it has left of its life is the
 * overlap.
 */
export async function writeRolledKey(
  world: DatabaseWorld,
  id: string,
  until: Date,
  tx: Prisma.TransactionClient,
): Promise<RolledKey> {
  const now = world.clock.now()
  if (isId(id)) await queryIn(tx, world.db)(HOLD_KEY, [id])
  const old = await findKey(world, id, tx)
  if (old.rolledTo !== null) {
    throw new OperatorError(`the key ${id} was rolled before, to ${old.rolledTo}`)
  }
  const { accountId, name, dialect } = old
  const { mode } = old.account
  const oldUntil = old.expiresAt === null ? until : earlier(until, old.expiresAt)
  const expiresAt = endOfSuccessor(old, now)
  const newId = world.newId()
  const { count } = await tx.apiKey.updateMany({
    where: whileActive(old, now),
    data: { expiresAt: oldUntil, rolledTo: newId },
  })
  if (count === 0) throw notActive(id)
  const successor = { id: newId, accountId, mode, name, dialect, expiresAt: expiresAt ?? undefined }
  const created = await createKey(world, successor, tx)
  return { ...created, expiresAt, oldUntil }
}

export async function findKey(
  { db }: Pick<DatabaseWorld, 'db'>,
  id: string,
  tx: Prisma.TransactionClient = db.prisma,
): Promise<KeyOfTeam> {
  const key = isId(id) ? await tx.apiKey.findFirst({ where: { id }, include: OF_TEAM }) : null
  if (key === null) throw unknownKey(id)
  return key
}

/** The condition of an update that requires the key to be still active. */
function whileActive({ accountId, id }: ApiKey, now: Date) {
  const OR = [{ expiresAt: null }, { expiresAt: { gt: now } }]
  return { accountId, id, revokedAt: null, OR }
}

function notActive(id: string): OperatorError {
  return new OperatorError(`the key ${id} is not active: create another instead`)
}

function endOfSuccessor({ createdAt, expiresAt }: ApiKey, now: Date): Date | null {
  return expiresAt === null ? null : after(now, expiresAt.getTime() - createdAt.getTime())
}

export function keyStateOf(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

interface NewKey {
  /** Forms carry it, so that sending a form twice creates one key. */
  readonly id?: string
  readonly accountId: string
  readonly mode: Mode
  readonly name: string
  readonly dialect?: Dialect
  readonly expiresAt?: Date | undefined
  /** A key that exists already. If absent, a new one is made. */
  readonly key?: string | undefined
}

interface CreatedKey {
  readonly id: string
  readonly key: string
  readonly prefix: string
}

/** The key and its hash are one statement, so that it needs no transaction of its own. */
const WRITE_KEY = `
  WITH made AS (
    INSERT INTO api_key (account_id, id, name, prefix, created_at, expires_at, dialect)
    VALUES ($1::uuid, $2::uuid, $3, $4, $5::timestamptz, $6::timestamptz, $8::dialect)
  )
  INSERT INTO key_hash (hash, account_id, key_id) VALUES (decode($7, 'hex'), $1::uuid, $2::uuid)`

/** Makes a key. The key is in the answer and nowhere else: only its hash is kept. */
export async function createKey(
  world: WritingWorld,
  { id = world.newId(), accountId, mode, name, dialect = 'standard', expiresAt, ...given }: NewKey,
  tx?: Prisma.TransactionClient,
): Promise<CreatedKey> {
  const { key = newKey(mode) } = given
  const prefix = prefixOf(key)
  const hash = Buffer.from(hashOf(key)).toString('hex')
  const now = world.clock.now()
  const values = [accountId, id, name, prefix, now, expiresAt ?? null, hash, dialect]
  await queryIn(tx, world.db)(WRITE_KEY, values)
  return { id, key, prefix }
}

/** Changes what an operator may change of a key. */
export async function setKey(
  world: DatabaseWorld,
  id: string,
  data: KeyChange,
  tx: Prisma.TransactionClient = world.db.prisma,
): Promise<void> {
  const now = world.clock.now()
  const key = await findKey(world, id, tx)
  const { accountId, rolledTo } = key
  const { expiresAt } = data
  if (expiresAt !== undefined) await refuseLongOverlap(tx, key, expiresAt)
  // A key that has ended stays so, but may get another name or dialect. It may have been rolled
  // since it was read.
  const where = expiresAt === undefined ? { accountId, id } : { ...whileActive(key, now), rolledTo }
  const { count } = await tx.apiKey.updateMany({ where, data })
  if (count === 0) throw notActive(id)
}

/** Another end keeps to the days that an overlap may have. */
async function refuseLongOverlap(
  tx: Prisma.TransactionClient,
  { accountId, id, rolledTo }: ApiKey,
  end: Date | null,
): Promise<void> {
  if (rolledTo === null) return
  const { createdAt } = await tx.apiKey.findFirstOrThrow({ where: { accountId, id: rolledTo } })
  const latest = after(createdAt, MOST_OVERLAP_DAYS * DAY)
  if (end !== null && end <= latest) return
  throw new OperatorError(
    `the key ${id} was rolled, to ${rolledTo}: it ends by ${latest.toISOString()} at the latest`,
  )
}
