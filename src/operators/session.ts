// Who is signed in to the console. A session is a row: what one browser signs out of is over on
// every process, at that instant.

import { createHash, randomBytes } from 'node:crypto'
import { after, HOUR } from '../core/time-units.ts'
import type { World } from '../world.ts'

export interface Operator {
  /** As they called themselves at the sign-in. */
  readonly name: string
  readonly address: string
  /** What each form of theirs must carry, so that no other site can send one for them. */
  readonly formToken: string
}

/** A working day and some more. */
export const SESSION_MS = 12 * HOUR

const SECRET_BYTES = 32

/** The cookie's value, which is kept nowhere. */
export async function openSession(
  world: World,
  { name, address }: Omit<Operator, 'formToken'>,
): Promise<string> {
  const secret = newSecret()
  const now = world.clock.now()
  await world.db.prisma.operatorSession.create({
    data: {
      hash: secretHash(secret),
      name,
      address,
      formToken: newSecret(),
      createdAt: now,
      expiresAt: after(now, SESSION_MS),
    },
  })
  return secret
}

export async function findSession(world: World, secret: string): Promise<Operator | undefined> {
  const found = await world.db.prisma.operatorSession.findUnique({
    where: { hash: secretHash(secret), expiresAt: { gt: world.clock.now() } },
    select: { name: true, address: true, formToken: true },
  })
  return found ?? undefined
}

export async function endSession(world: World, secret: string): Promise<void> {
  await world.db.prisma.operatorSession.deleteMany({ where: { hash: secretHash(secret) } })
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function secretHash(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}
