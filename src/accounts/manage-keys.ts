// The keys of teams: list, create, change, roll, revoke. Read and written without Prisma, so that
// commands answer soon.

import type { Dialect } from '../core/dialect.ts'
import { isId } from '../core/id.ts'
import { OperatorError } from '../core/operator-error.ts'
import { after, DAY, earlier } from '../core/time-units.ts'
import { changeRow } from '../db/change-row.ts'
import type { Account, ApiKey } from '../generated/client.ts'
import type { QueryWorld, WritingWorld } from '../world.ts'
import { hashOf, type Mode, newKey, prefixOf } from './key.ts'
import { type KeyChange, MOST_OVERLAP_DAYS } from './read-key-change.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

export interface ListedKey {
  readonly id: string
  readonly team: string
  readonly accountId: string
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

export interface RolledKey extends CreatedKey {
  readonly expiresAt: Date | null
  /** When the old key ends. */
  readonly oldUntil: Date
  /** As it was. */
  readonly old: HeldKey
}

const KEYS = `
  SELECT k.id, t.name AS team, k.account_id AS "accountId", a.mode, k.name, k.prefix,
    k.dialect, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
    k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt"
  FROM api_key k
  JOIN account a ON a.id = k.account_id
  JOIN team t ON t.id = a.team_id
  WHERE ($1::uuid IS NULL OR t.id = $1) AND ($2::uuid IS NULL OR k.id = $2)
  ORDER BY k.created_at, k.id`

/** The oldest first. */
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
    ...(key as Omit<ListedKey, 'state' | 'createdAt' | 'expiresAt' | 'lastUsedAt'>),
    state: keyStateOf({ revokedAt, expiresAt }, now),
    createdAt,
    expiresAt,
    lastUsedAt,
  }))
}

/** Until the commit it is not revoked, rolled, or given another end, which would be lost. */
const HOLD = `
  SELECT k.account_id AS "accountId", k.id, a.team_id AS "teamId", a.mode, k.name, k.prefix,
    k.dialect, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
    k.revoked_at AS "revokedAt", k.rolled_to AS "rolledTo"
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE k.id = $1 FOR NO KEY UPDATE OF k`

type HeldKey = Omit<ApiKey, 'lastUsedAt'> & Pick<Account, 'teamId' | 'mode'>

async function holdKey({ db }: QueryWorld, id: string): Promise<HeldKey> {
  const [key] = (isId(id) ? await db.query(HOLD, [id]) : []) as readonly HeldKey[]
  if (key === undefined) throw unknownKey(id)
  return key
}

function updateKey({ db }: QueryWorld, { accountId, id }: HeldKey, change: Partial<ApiKey>) {
  return changeRow(db.query, 'api_key', { accountId, id }, change)
}

/**
 * The key is refused from this instant on. A second call changes nothing and returns undefined.
 * Like the next two functions it belongs in a commit.
 */
export async function writeRevokedKey(own: QueryWorld, id: string): Promise<HeldKey | undefined> {
  const key = await holdKey(own, id)
  if (key.revokedAt !== null) return undefined
  await updateKey(own, key, { revokedAt: own.clock.now() })
  return key
}

/**
 * Makes a new key with the same name, mode, dialect and lifetime. The old one works until the given
 * instant, unless it ends before. It is rolled only once: what it has left of its life is the
 * overlap.
 */
export async function writeRolledKey(
  own: WritingWorld,
  id: string,
  until: Date,
): Promise<RolledKey> {
  const now = own.clock.now()
  const old = await holdKey(own, id)
  if (old.rolledTo !== null) {
    throw new OperatorError(`the key ${id} was rolled before, to ${old.rolledTo}`)
  }
  refuseEnded(old, now)
  const { accountId, mode, name, dialect } = old
  const oldUntil = old.expiresAt === null ? until : earlier(until, old.expiresAt)
  const expiresAt = endOfSuccessor(old, now)
  const newId = own.newId()
  await updateKey(own, old, { expiresAt: oldUntil, rolledTo: newId })
  const successor = { id: newId, accountId, mode, name, dialect, expiresAt: expiresAt ?? undefined }
  return { ...(await createKey(own, successor)), expiresAt, oldUntil, old }
}

/**
 * Changes what an operator may change of a key, and returns it as it was. A key that has ended
 * stays so, but may get another name or dialect.
 */
export async function writeChangedKey(
  own: QueryWorld,
  id: string,
  change: KeyChange,
): Promise<HeldKey> {
  const key = await holdKey(own, id)
  if (change.expiresAt !== undefined) {
    await refuseLongOverlap(own, key, change.expiresAt)
    refuseEnded(key, own.clock.now())
  }
  await updateKey(own, key, change)
  return key
}

/** What the change changes, by its name: `from → to`. */
export function changedKeyTexts(
  before: Pick<ApiKey, 'name' | 'dialect' | 'expiresAt'>,
  { name = before.name, dialect = before.dialect, expiresAt = before.expiresAt }: KeyChange,
): Readonly<Record<string, string>> {
  const endOf = (end: Date | null) => end?.toISOString() ?? 'never'
  const texts = [
    ['name', before.name, name],
    ['dialect', before.dialect, dialect],
    ['expires', endOf(before.expiresAt), endOf(expiresAt)],
  ] as const
  const changed = texts.filter(([, from, to]) => from !== to)
  return Object.fromEntries(changed.map(([field, from, to]) => [field, `${from} → ${to}`]))
}

const MADE_AT = 'SELECT created_at FROM api_key WHERE account_id = $1 AND id = $2'

/** Another end keeps to the days that an overlap may have. */
async function refuseLongOverlap(
  { db }: QueryWorld,
  { accountId, id, rolledTo }: HeldKey,
  end: Date | null,
): Promise<void> {
  if (rolledTo === null) return
  const [successor] = await db.query(MADE_AT, [accountId, rolledTo])
  const latest = after(successor?.created_at, MOST_OVERLAP_DAYS * DAY)
  if (end !== null && end <= latest) return
  throw new OperatorError(
    `the key ${id} was rolled, to ${rolledTo}: it ends by ${latest.toISOString()} at the latest`,
  )
}

function refuseEnded(key: HeldKey, now: Date): void {
  if (keyStateOf(key, now) === 'active') return
  throw new OperatorError(`the key ${key.id} is not active: create another instead`)
}

function endOfSuccessor({ createdAt, expiresAt }: HeldKey, now: Date): Date | null {
  return expiresAt === null ? null : after(now, expiresAt.getTime() - createdAt.getTime())
}

export function keyStateOf(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

export interface NewKey {
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

export interface CreatedKey {
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
): Promise<CreatedKey> {
  const { key = newKey(mode) } = given
  const prefix = prefixOf(key)
  const hash = Buffer.from(hashOf(key)).toString('hex')
  const now = world.clock.now()
  const values = [accountId, id, name, prefix, now, expiresAt ?? null, hash, dialect]
  await world.db.query(WRITE_KEY, values)
  return { id, key, prefix }
}
