// What the doctor looks at of the processes of the service, as they say themselves that they live.

import { isOff } from '../core/clock-skew.ts'
import type { ProcessPulse } from '../generated/client.ts'
import type { World } from '../world.ts'
import { dueByKind } from './due-by-kind.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { listProcesses } from './list-processes.ts'
import { counted, skewText } from './words.ts'

export async function examineProcesses(world: World): Promise<readonly Finding[]> {
  const processes = await listProcesses(world)
  const roles = countBy(processes.map(({ role }) => role))
  const versions = countBy(processes.map(({ version }) => version))
  const says = [...roles]
    .map(([role, count]) => counted(count, `${role} process`, `${role} processes`))
    .join(', ')
  const isWorked = roles.has('start') || roles.has('worker')
  const [version = 'none'] = versions.keys()
  return findingsOf('processes', `${says}, of version ${version}`, [
    versions.size > 1 ? several(versions) : undefined,
    ...processes.map(wrongClock),
    isWorked ? undefined : unworked(processes.length, await countDue(world)),
  ])
}

/** A service may be at rest. Where work is due it is not: somebody waits for it. */
function unworked(processes: number, due: number): Fault {
  const [says, remedy] = processes === 0 ? NOBODY : NO_WORKER
  if (due === 0) return odd(says, remedy)
  return bad(`${says}, and ${counted(due, 'piece of work is', 'pieces of work are')} due`, remedy)
}

const NOBODY = ['none runs', 'Start the service: lamplighter start, or api and worker.'] as const

const NO_WORKER = [
  'an intake runs, and no worker: what it takes stays PENDING',
  'Start one: lamplighter worker.',
] as const

async function countDue(world: World): Promise<number> {
  return (await dueByKind(world)).reduce((sum, { count }) => sum + count, 0)
}

function wrongClock({ role, host, pid, clockSkewMs }: ProcessPulse): Fault | undefined {
  if (!isOff(clockSkewMs)) return undefined
  const consequence = role === 'api' ? 'it is not ready' : 'it takes no work'
  return bad(
    `the clock of the ${role} on ${host} (process ${pid}) is ${skewText(clockSkewMs)}: ${consequence}`,
    'Mend NTP on that machine: the process goes on by itself.',
  )
}

/** For the minutes that a rolling update takes this is as it should be. */
function several(versions: ReadonlyMap<string, number>): Fault {
  const each = [...versions].map(([version, count]) => {
    return `${counted(count, 'process', 'processes')} of ${version}`
  })
  return odd(
    `several versions run: ${each.join(', ')}`,
    'Let the update come to its end; a process of the old version may have been forgotten: /admin shows each with its host.',
  )
}

function countBy(all: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}
