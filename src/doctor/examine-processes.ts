// Examines the processes of the service by their heartbeats.

import { isOff } from '../core/clock-skew.ts'
import { dueByKind } from '../upkeep/due-by-kind.ts'
import { listProcesses } from '../upkeep/keep-heartbeat.ts'
import { counted, skewText } from '../upkeep/words.ts'
import type { World } from '../world.ts'
import { bad, type Finding, findingsOf, odd } from './finding.ts'

const NO_PROCESS = [
  'none runs',
  'Start the service: lamplighter start, or api and worker.',
] as const

const NO_WORKER = [
  'an API server runs, but no worker: what it accepts stays PENDING',
  'Start one: lamplighter worker.',
] as const

export async function examineProcesses(world: World): Promise<readonly Finding[]> {
  const processes = await listProcesses(world)
  const roles = countBy(processes.map(({ role }) => role))
  const versions = countBy(processes.map(({ version }) => version))
  const ofRoles = roles.map(([role, count]) => inProcesses(count, `${role} `))
  const ofVersions = versions.map(([version, count]) => `${inProcesses(count)} of ${version}`)
  const isWorked = roles.some(([role]) => role === 'start' || role === 'worker')
  const [says, remedy] = processes.length === 0 ? NO_PROCESS : NO_WORKER
  const due = isWorked ? 0 : await countDue(world)
  const well = `${ofRoles.join(', ')}, of version ${versions[0]?.[0] ?? 'none'}`
  return findingsOf('processes', well, [
    odd(
      versions.length > 1,
      `several versions run: ${ofVersions.join(', ')}`,
      'Let the update come to its end; a process of the old version may have been forgotten: /admin shows each with its host.',
    ),
    ...processes.map(({ role, host, pid, clockSkewMs }) =>
      bad(
        isOff(clockSkewMs),
        `the clock of the ${role} on ${host} (process ${pid}) is ${skewText(clockSkewMs)}: ${role === 'api' ? 'it is not ready' : 'it takes no work'}`,
        'Mend NTP on that machine: the process then goes on without a restart.',
      ),
    ),
    // Without work that is due, a service may be stopped on purpose.
    odd(!isWorked && due === 0, says, remedy),
    bad(
      due > 0,
      `${says}, and ${counted(due, 'piece of work is', 'pieces of work are')} due`,
      remedy,
    ),
  ])
}

async function countDue(world: World): Promise<number> {
  return (await dueByKind(world)).reduce((sum, { count }) => sum + count, 0)
}

function inProcesses(count: number, kind = ''): string {
  return counted(count, `${kind}process`, `${kind}processes`)
}

function countBy(all: readonly string[]): readonly (readonly [string, number])[] {
  return [...new Set(all)].map((one) => [one, all.filter((other) => other === one).length])
}
