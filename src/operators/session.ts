// The sessions of the console. A session is a row, so signing out ends it on every process at once.
// A session that began under another password than the current one, or under none, has ended,
// however it was opened.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { after, HOUR } from '../core/time-units.ts'
import type { World } from '../world.ts'

export interface Operator {
  /** The name that the operator gave at the sign-in. */
  readonly name: string
  readonly address: string
  /** Each form must carry it, so that no other site can send one. */
  readonly formToken: string
}

/** A working day and a little more. */
export const SESSION_MS = 12 * HOUR

const SECRET_BYTES = 32

/** The cookie's value, which is not stored. */
export async function openSession(
  world: World,
  { name, address }: Omit<Operator, 'formToken'>,
): Promise<string> {
  const secret = randomSecret()
  const now = world.clock.now()
  await world.db.prisma.operatorSession.create({
    data: {
      hash: secretHash(secret),
      name,
      address,
      formToken: randomSecret(),
      password: passwordDigest(world, secret),
      createdAt: now,
      expiresAt: after(now, SESSION_MS),
    },
  })
  return secret
}

export async function findSession(world: World, secret: string): Promise<Operator | undefined> {
  const found = await world.db.prisma.operatorSession.findUnique({
    where: { hash: secretHash(secret), expiresAt: { gt: world.clock.now() } },
    select: { name: true, address: true, formToken: true, password: true },
  })
  if (found === null || found.password === null) return undefined
  // The row stays, because during a rolling restart another process may still use its password.
  if (!timingSafeEqual(found.password, passwordDigest(world, secret))) return undefined
  const { name, address, formToken } = found
  return { name, address, formToken }
}

export async function endSession(world: World, secret: string): Promise<void> {
  await world.db.prisma.operatorSession.deleteMany({ where: { hash: secretHash(secret) } })
}

/**
 * Keyed with the session's secret, which the database does not have. So the password cannot be
 * guessed from the row.
 */
function passwordDigest({ config }: World, secret: string): Uint8Array<ArrayBuffer> {
  const { adminPassword } = config
  const said = adminPassword === undefined ? 'none' : `password ${adminPassword}`
  return new Uint8Array(createHmac('sha256', secret).update(said).digest())
}

export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function secretHash(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}

/**
 * Forgets sessions and sign-in links whose time is over: they let nobody in any more.
 *
 * Answers how many. There are never many: somebody signed in for each, or made it by hand.
 */
export async function forgetEnded({ db }: World, now: Date): Promise<number> {
  const where = { expiresAt: { lte: now } }
  const [sessions, links] = await Promise.all([
    db.prisma.operatorSession.deleteMany({ where }),
    db.prisma.signInLink.deleteMany({ where }),
  ])
  return sessions.count + links.count
}
