// A link that signs an operator in once, for a service without a password. The start prints one,
// and the command line makes more.

import { after, MINUTE } from '../core/time-units.ts'
import type { CommittingWorld, QueryWorld } from '../world.ts'
import { type Actor, inOneCommit, writeAuditEntry } from './audit-entries.ts'
import { nameKeyOf } from './names.ts'
import { randomSecret, secretHash } from './session.ts'

/** Long enough to carry it to another machine. */
export const LINK_MS = 30 * MINUTE

export interface SignInLink {
  /** The address to open, which is not stored. */
  readonly url: string
  readonly expiresAt: Date
}

const WRITE_LINK = 'INSERT INTO sign_in_link (hash, created_at, expires_at) VALUES ($1, $2, $3)'

/** Anybody who can run commands here is trusted, but this action too writes an audit entry. */
export async function makeSignInLink(world: CommittingWorld, by: Actor): Promise<SignInLink> {
  const secret = randomSecret()
  const now = world.clock.now()
  const expiresAt = after(now, LINK_MS)
  await inOneCommit(world, 'sign-in link', async (own) => {
    await own.db.query(WRITE_LINK, [secretHash(secret), now, expiresAt])
    await writeAuditEntry(own, by, { action: 'sign-in link made' })
  })
  return { url: `${world.adminAddress()}/admin/sign-in?once=${secret}`, expiresAt }
}

const USE = `
  DELETE FROM sign_in_link WHERE hash = $1 AND expires_at > $2::timestamptz
    AND NOT EXISTS (SELECT FROM operator WHERE name_key = $3)
  RETURNING hash`

/**
 * True for the first use, in the commit that opens the session: a link that signs nobody in is not
 * used up. The link stays unused if the name is that of an operator, with or without
 * a password, because a link must not sign in under another person's name.
 */
export async function useSignInLink(
  { db, clock }: QueryWorld,
  { secret, name }: { readonly secret: string; readonly name: string },
): Promise<boolean> {
  const rows = await db.query(USE, [secretHash(secret), clock.now(), nameKeyOf(name)])
  return rows.length > 0
}
