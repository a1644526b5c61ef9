// What the doctor looks at of the processes of the service, as they say themselves that they live.

import type { World } from '../world.ts'
import { type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { listProcesses } from './list-processes.ts'
import { counted } from './words.ts'

export async function examineProcesses(world: World): Promise<readonly Finding[]> {
  const processes = await listProcesses(world)
  const roles = countBy(processes.map(({ role }) => role))
  const versions = countBy(processes.map(({ version }) => version))
  const says = [...roles].map(([role, count]) => `${count} ${role}`).join(', ')
  const [version = 'none'] = versions.keys()
  return findingsOf('processes', `${says}, of version ${version}`, [
    processes.length === 0 ? NOBODY : undefined,
    versions.size > 1 ? several(versions) : undefined,
    processes.length > 0 && !roles.has('start') && !roles.has('worker') ? NO_WORKER : undefined,
  ])
}

const NOBODY = odd('none runs', 'Start the service: lamplighter start, or api and worker.')

const NO_WORKER = odd(
  'an intake runs, and no worker: what it takes stays PENDING',
  'Start one: lamplighter worker.',
)

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
