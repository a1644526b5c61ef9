// The sessions of the console. A session is a row, so signing out ends it on every process at once.
//
// An operator's own session has the rights that the operator has now, and ends when they are
// disabled or their password changes. A session of the service's one password has all rights, and
// ends when that is no longer the password, however it was opened.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Role } from '../core/role.ts'
import { after, HOUR } from '../core/time-units.ts'
import type { QueryWorld, World } from '../world.ts'

export interface Operator {
  /** Undefined for a session of the service's one password or of a sign-in link. */
  readonly id: string | undefined
  /** The operator's own, or the name that was given at the sign-in. */
  readonly name: string
  readonly role: Role
  readonly address: string
  /** Each form must carry it, so that no other site can send one. */
  readonly formToken: string
}

/** A working day and a little more. */
export const SESSION_MS = 12 * HOUR

const SECRET_BYTES = 32

interface NewSession extends Pick<Operator, 'name' | 'address'> {
  readonly id?: string | undefined
}

const OPEN = `
  INSERT INTO operator_session
    (hash, operator_id, name, address, form_token, password, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

/** Returns the cookie's value, which is not stored. */
export async function openSession(
  world: QueryWorld,
  { id, name, address }: NewSession,
): Promise<string> {
  const secret = randomSecret()
  const password = id === undefined ? passwordDigest(world, secret) : null
  const now = world.clock.now()
  const means = [randomSecret(), password, now, after(now, SESSION_MS)]
  await world.db.query(OPEN, [secretHash(secret), id ?? null, name, address, ...means])
  return secret
}

const FIND = `
  SELECT s.name, s.address, s.form_token, s.password, s.operator_id, o.role
  FROM operator_session s LEFT JOIN operator o ON o.id = s.operator_id
  WHERE s.hash = $1 AND s.expires_at > $2 AND o.disabled_at IS NULL`

export async function findSession(
  world: QueryWorld,
  secret: string,
): Promise<Operator | undefined> {
  const [row] = await world.db.query(FIND, [secretHash(secret), world.clock.now()])
  if (row === undefined) return undefined
  const { name, address, form_token: formToken, password, operator_id: id, role } = row
  if (id !== null) return { id, name, role, address, formToken }
  // The row stays, because during a rolling restart another process may still use its password.
  const isCurrent = password !== null && timingSafeEqual(password, passwordDigest(world, secret))
  return isCurrent ? { id: undefined, name, role: 'admin', address, formToken } : undefined
}

const END = 'DELETE FROM operator_session WHERE hash = $1'

export async function endSession({ db }: QueryWorld, secret: string): Promise<void> {
  await db.query(END, [secretHash(secret)])
}

/**
 * Keyed with the session's secret, which the database does not have. So the password cannot be
 * guessed from the row.
 */
function passwordDigest(
  { config }: Pick<World, 'config'>,
  secret: string,
): Uint8Array<ArrayBuffer> {
  const { adminPassword } = config
  const text = adminPassword === undefined ? 'none' : `password ${adminPassword}`
  return new Uint8Array(createHmac('sha256', secret).update(text).digest())
}

export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function secretHash(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}

const DELETE_ENDED = `
  WITH sessions AS (DELETE FROM operator_session WHERE expires_at <= $1 RETURNING hash),
    links AS (DELETE FROM sign_in_link WHERE expires_at <= $1 RETURNING hash)
  SELECT (SELECT count(*) FROM sessions)::int + (SELECT count(*) FROM links)::int AS count`

/**
 * Deletes expired sessions and sign-in links, and returns how many. There are never many, because
 * each was made by a person.
 */
export async function deleteEndedSessions({ db }: QueryWorld, now: Date): Promise<number> {
  const [deleted] = await db.query(DELETE_ENDED, [now])
  return deleted?.count
}
