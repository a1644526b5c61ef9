// `lamplighter doctor` looks at the foundations first, because a fault there explains those above.

import { isOff } from '../core/clock-skew.ts'
import { placeOf } from '../db/place.ts'
import { skewText } from '../upkeep/words.ts'
import type { World } from '../world.ts'
import { examineDatabase } from './examine-database.ts'
import { examineDeliveries, examineWebhooks } from './examine-deliveries.ts'
import { examineProcesses } from './examine-processes.ts'
import { examineQueues } from './examine-queues.ts'
import { examineSecrets, examineSettings } from './examine-settings.ts'
import { examineWork } from './examine-work.ts'
import { bad, type Finding, findingsOf } from './finding.ts'

const EXAMINATIONS = [
  examineInstallation,
  examineSettings,
  (world: World) => examineDatabase(world),
  examineClock,
  examineProcesses,
  examineQueues,
  examineWork,
  examineDeliveries,
  examineWebhooks,
  examineSecrets,
]

/** One examination at a time, so that the doctor takes one connection from the service at most. */
export async function examine(world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const look of EXAMINATIONS) findings.push(...(await look(world)))
  return findings
}

/** Names the installation, so that a wrong `DATA_DIR` or `DATABASE_URL` is noticed. */
function examineInstallation({ config }: World): readonly Finding[] {
  const says =
    config.databaseUrl === undefined
      ? `the embedded PostgreSQL in ${config.dataDir}`
      : `the database ${placeOf(config.databaseUrl)}`
  return findingsOf('installation', says, [])
}

export async function examineClock({ clock }: World): Promise<readonly Finding[]> {
  await clock.measure()
  return findingsOf('clock', "agrees with the database's", [
    bad(
      isOff(clock.skewMs()),
      `this machine's is ${skewText(clock.skewMs())}`,
      'Synchronise the clocks (NTP): a worker on this machine would take no work.',
    ),
  ])
}
