// What the doctor looks at, the ground first: what is wrong below explains what is wrong above.

import type { World } from '../world.ts'
import { clockSkewMs, MOST_SKEW_MS } from './check-readiness.ts'
import { examineDatabase } from './examine-database.ts'
import { examineDeliveries } from './examine-deliveries.ts'
import { examineProcesses } from './examine-processes.ts'
import { examineQueues } from './examine-queues.ts'
import { examineSettings } from './examine-settings.ts'
import { examineWebhooks } from './examine-webhooks.ts'
import { examineWork } from './examine-work.ts'
import { bad, type Finding, findingsOf } from './finding.ts'

/** One after another: whoever looks takes one connection from those who work. */
const EXAMINATIONS = [
  examineSettings,
  (world: World) => examineDatabase(world),
  examineClock,
  examineProcesses,
  examineQueues,
  examineWork,
  examineDeliveries,
  examineWebhooks,
]

export async function examine(world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const look of EXAMINATIONS) findings.push(...(await look(world)))
  return findings
}

export async function examineClock(world: World): Promise<readonly Finding[]> {
  const skewMs = await clockSkewMs(world)
  return findingsOf('clock', "agrees with the database's", [
    skewMs <= MOST_SKEW_MS
      ? undefined
      : bad(
          `${Math.round(skewMs)} ms off the database's`,
          'Synchronise the clocks (NTP): due times are compared between machines.',
        ),
  ])
}
