// Lists and ends console sessions for the command line.

import { OperatorError } from '../core/operator-error.ts'
import type { DatabaseWorld, QueryWorld } from '../world.ts'
import { BY_COMMAND, writeAuditEntry } from './audit-entries.ts'

export interface ListedSession {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /**
   * False for a session of the service's one password or of a link, which lets nobody in once that
   * password has changed. Only the session's own secret could tell, which the database lacks.
   */
  readonly hasOwnPassword: boolean
}

/** The beginning of the hash: it names a session and is useless to a thief. */
const ID = "left(encode(hash, 'hex'), 16)"

/** Named as in `ListedSession`. */
const LIST = `
  SELECT ${ID} AS id, name, address, created_at AS "createdAt", expires_at AS "expiresAt",
    operator_id IS NOT NULL AS "hasOwnPassword"
  FROM operator_session
  WHERE expires_at > $1 ORDER BY created_at DESC, hash`

/** The newest first. */
export async function listSessions({ db, clock }: QueryWorld): Promise<readonly ListedSession[]> {
  return (await db.query(LIST, [clock.now()])) as readonly ListedSession[]
}

/** Session and audit entry are one commit. */
export async function endSessionById(world: DatabaseWorld, id: string): Promise<void> {
  await world.db.prisma.$transaction(async (tx) => {
    const [ended] = await tx.$queryRawUnsafe<{ name: string }[]>(
      `DELETE FROM operator_session WHERE ${ID} = $1 RETURNING name`,
      id.toLowerCase(),
    )
    if (ended === undefined) {
      throw new OperatorError(`no session has the id ${id}: lamplighter sessions lists them`)
    }
    const detail = { name: ended.name }
    await writeAuditEntry(world, BY_COMMAND, { action: 'session ended', subject: id, detail }, tx)
  })
}

/**
 * Returns how many. Unused links end too, those to a password as well, so that an operator who was
 * sent away cannot come back with one.
 */
export async function endAllSessions(world: DatabaseWorld): Promise<number> {
  return world.db.prisma.$transaction(async (tx) => {
    const { count } = await tx.operatorSession.deleteMany()
    const { count: signInLinks } = await tx.signInLink.deleteMany()
    const { count: passwordLinks } = await tx.operator.updateMany({
      where: { linkHash: { not: null } },
      data: { linkHash: null, linkExpiresAt: null },
    })
    const links = signInLinks + passwordLinks
    const detail = { sessions: count, links }
    await writeAuditEntry(world, BY_COMMAND, { action: 'all sessions ended', detail }, tx)
    return count
  })
}
