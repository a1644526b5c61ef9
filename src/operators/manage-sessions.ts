// Lists and ends console sessions for the command line.

import { OperatorError } from '../core/operator-error.ts'
import type { CommittingWorld, QueryWorld } from '../world.ts'
import { BY_COMMAND, inOneCommit, writeAuditEntry } from './audit-entries.ts'

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

const END = `DELETE FROM operator_session WHERE ${ID} = $1 RETURNING name`

export async function endSessionById(world: CommittingWorld, id: string): Promise<void> {
  await inOneCommit(world, 'sessions', async (own) => {
    const [ended] = await own.db.query(END, [id.toLowerCase()])
    if (ended === undefined) {
      throw new OperatorError(`no session has the id ${id}: lamplighter sessions lists them`)
    }
    const detail = { name: ended.name }
    await writeAuditEntry(own, BY_COMMAND, { action: 'session ended', subject: id, detail })
  })
}

const END_SESSIONS = 'DELETE FROM operator_session RETURNING hash'
const END_SIGN_IN_LINKS = 'DELETE FROM sign_in_link RETURNING hash'
const END_PASSWORD_LINKS = `
  UPDATE operator SET link_hash = NULL, link_expires_at = NULL
  WHERE link_hash IS NOT NULL RETURNING id`

/**
 * Returns how many. Unused links end too, those to a password as well, so that an operator who was
 * sent away cannot come back with one.
 */
export async function endAllSessions(world: CommittingWorld): Promise<number> {
  return inOneCommit(world, 'sessions', async (own) => {
    const { length: sessions } = await own.db.query(END_SESSIONS)
    const { length: signInLinks } = await own.db.query(END_SIGN_IN_LINKS)
    const { length: passwordLinks } = await own.db.query(END_PASSWORD_LINKS)
    const detail = { sessions, links: signInLinks + passwordLinks }
    await writeAuditEntry(own, BY_COMMAND, { action: 'all sessions ended', detail })
    return sessions
  })
}
