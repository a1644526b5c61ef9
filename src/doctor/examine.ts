// `lamplighter doctor` runs all checks. It begins with the foundations, because a fault there
// explains those above.

import type { World } from '../world.ts'
import { type Finding, findingsOf } from './check.ts'
import * as database from './check-database.ts'
import * as deliveries from './check-deliveries.ts'
import { checkQueues } from './check-queues.ts'
import * as settings from './check-settings.ts'
import * as work from './check-work.ts'

const CHECKS = [
  settings.checkInstallation,
  settings.checkSettings,
  settings.checkLiveGateway,
  settings.checkSecrets,
  database.checkDatabase,
  database.checkConnections,
  database.checkSessions,
  database.checkTables,
  database.checkReplicationSlots,
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
  for (const check of CHECKS) findings.push(...(await findingsOf(check, world)))
  return findings
}
