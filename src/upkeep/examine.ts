// What the doctor looks at, the ground first: what is wrong below explains what is wrong above.

import { isOff } from '../core/clock-skew.ts'
import { placeOf } from '../db/place.ts'
import type { World } from '../world.ts'
import { examineDatabase } from './examine-database.ts'
import { examineDeliveries } from './examine-deliveries.ts'
import { examineProcesses } from './examine-processes.ts'
import { examineQueues } from './examine-queues.ts'
import { examineSecrets } from './examine-secrets.ts'
import { examineSettings } from './examine-settings.ts'
import { examineWebhooks } from './examine-webhooks.ts'
import { examineWork } from './examine-work.ts'
import { bad, type Finding, findingsOf } from './finding.ts'
import { skewText } from './words.ts'

/** One after another: whoever looks takes one connection from those who work. */
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

export async function examine(world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const look of EXAMINATIONS) findings.push(...(await look(world)))
  return findings
}

/** Whoever reads the rest must know what it is about. */
function examineInstallation({ config }: World): readonly Finding[] {
  const says =
    config.databaseUrl === undefined
      ? `the embedded PostgreSQL in ${config.dataDir}`
      : `the database ${placeOf(config.databaseUrl)}`
  return [{ subject: 'installation', state: 'good', says }]
}

export async function examineClock(world: World): Promise<readonly Finding[]> {
  await world.clock.measure()
  return findingsOf('clock', "agrees with the database's", [
    isOff(world.clock.skewMs())
      ? bad(
          `this machine's is ${skewText(world.clock.skewMs())}`,
          'Synchronise the clocks (NTP): a worker here would take no work.',
        )
      : undefined,
  ])
}
