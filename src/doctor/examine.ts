// `lamplighter doctor` runs all checks. It begins with the foundations, because a fault there
// explains those above.

import { isHeldUp, isUndefined } from '../db/failure.ts'
import { schemaState } from '../db/migrate.ts'
import type { World } from '../world.ts'
import { type Check, type Finding, findingsOf } from './check.ts'
import * as database from './check-database.ts'
import * as deliveries from './check-deliveries.ts'
import { checkQueues } from './check-queues.ts'
import * as settings from './check-settings.ts'
import * as work from './check-work.ts'

const CHECKS = [
  settings.checkInstallation,
  database.checkMigrations,
  settings.checkSettings,
  settings.checkLiveGateway,
  settings.checkSecrets,
  database.checkDatabase,
  database.checkConnections,
  database.checkSessions,
  database.checkTables,
  database.checkReplicationSlots,
  database.checkReplica,
  work.checkProcesses,
  checkQueues,
  work.checkOverdue,
  work.checkAttention,
  work.checkGatewayNews,
  deliveries.checkMessages,
  deliveries.checkProviders,
  deliveries.checkWebhooks,
]

/** One check at a time, so that the doctor takes one connection from the service at most. */
export async function examine(world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const check of CHECKS) findings.push(...(await findingsOrReason(check, world)))
  return findings
}

/** A check that fails for one of these reasons is a finding, and the other checks still run. */
async function findingsOrReason(check: Check, world: World): Promise<readonly Finding[]> {
  try {
    return await findingsOf(check, world)
  } catch (error) {
    if (isHeldUp(error)) {
      const says = 'a check gave up, because another session has locked a table that it reads'
      return [{ subject: 'locks', state: 'fault', says, remedy: SEE_SESSIONS }]
    }
    // A pending migration adds what the check reads, and is a finding itself.
    const { pending } = await schemaState(world.db.query)
    if (isUndefined(error) && pending.length > 0) return []
    throw error
  }
}

const SEE_SESSIONS =
  'Find the session that waits or is idle in a transaction: SELECT pid, state, query FROM pg_stat_activity. End it with pg_terminate_backend(pid).'
