// Checks at the start that READ_DATABASE_URL names a copy of the database. A wrong one would never
// be read, and its operator would never know. One that is away, or that was promoted, is no reason
// not to start: that is how a failover leaves it, and the primary answers in its place.

import assert from 'node:assert'
import { SECOND } from '../core/time-units.ts'
import { doneWithin } from '../core/within.ts'
import { UnfitDatabase } from './assert-sessions.ts'
import { withClient } from './client.ts'
import { isNotLetIn } from './failure.ts'
import { IDENTITY } from './replica.ts'

/** The start of a process does not wait for a replica any longer. */
const ANSWER_MS = 3 * SECOND

/** An address that spreads its connections over several servers hardly gives the same one to all. */
const CONNECTIONS = 6

export async function assertReplica(databaseUrl: string, replicaUrl: string): Promise<void> {
  const replica = await doneWithin(ANSWER_MS, identityAt(replicaUrl)).catch((error) => {
    if (isNotLetIn(error)) throw unfit(`does not let us in: ${error.message}`)
    return undefined
  })
  if (replica === undefined) return
  const primary = await identityAt(databaseUrl)
  if (replica.server !== primary.server || replica.database !== primary.database) {
    throw unfit('holds another database than DATABASE_URL')
  }
  // One that is late says nothing about the others.
  const more = Array.from({ length: CONNECTIONS }, () => identityAt(replicaUrl))
  const others = await doneWithin(ANSWER_MS, Promise.all(more)).catch(() => [])
  if (others.some(({ started }) => started !== replica.started)) {
    throw unfit('is several, and what one of them has replayed says nothing about the others')
  }
}

interface Identity {
  readonly server: string
  readonly database: string
  /** It has microseconds, so that no two servers have the same. */
  readonly started: string
}

function identityAt(url: string): Promise<Identity> {
  return withClient(url, async (client) => {
    const [row] = (await client.query<Identity>(IDENTITY)).rows
    assert(row !== undefined, 'a server has an identity')
    return row
  })
}

function unfit(why: string): UnfitDatabase {
  return new UnfitDatabase(
    `the server at READ_DATABASE_URL ${why}: name a standby of the primary, or unset it`,
  )
}
