// What the doctor looks at of Redis, or what speaks like it. Jobs are only nudges, so what it loses
// costs time and no money; what it refuses does so as well.

import type { StoreFacts } from '../queue/engine.ts'
import type { World } from '../world.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { size } from './words.ts'

/** BullMQ's own bound. */
const OLDEST = [6, 2] as const

const MOST_USED = 0.8

/** A network within one place takes a fraction of a millisecond. */
const SLOW_MS = 20

/** Nothing where the queues live in the database. Throws while the store is away. */
export async function examineStore({ queues }: World): Promise<readonly Finding[]> {
  const facts = await queues.storeFacts()
  if (facts === undefined) return []
  const { version = 'of no version', usedBytes = 0 } = facts
  const withinMs = Math.ceil(facts.roundTripMs)
  const says = `Redis ${version}, ${size(usedBytes)} in use, answers within ${withinMs} ms`
  return findingsOf('redis', says, storeFaults(facts))
}

export function storeFaults(facts: StoreFacts): readonly (Fault | undefined)[] {
  return [versionFault(facts), roleFault(facts), memoryFault(facts), keepFault(facts), slow(facts)]
}

function versionFault({ version }: StoreFacts): Fault | undefined {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  if (version === undefined || !isOld) return undefined
  return bad(
    `Redis ${version} is older than BullMQ is made for`,
    `Move to Redis ${OLDEST.join('.')} or later.`,
  )
}

function roleFault({ role, clusterState }: StoreFacts): Fault | undefined {
  if (clusterState !== undefined && clusterState !== 'ok') {
    return bad(
      `the cluster is in state ${clusterState}: some queues have no node`,
      'redis-cli --cluster check tells which slots are not served.',
    )
  }
  if (role !== 'slave') return undefined
  return bad(
    'it is a replica, which nobody can write to',
    'Let REDIS_URL name the primary, or the sentinels: redis+sentinel://host:port/name.',
  )
}

function memoryFault({ usedBytes = 0, mostBytes = 0 }: StoreFacts): Fault | undefined {
  if (mostBytes === 0 || usedBytes <= mostBytes * MOST_USED) return undefined
  return bad(
    `${size(usedBytes)} of ${size(mostBytes)} are in use: when it is full, it takes no jobs`,
    'Raise maxmemory, or start workers for what waits: lamplighter worker.',
  )
}

function keepFault({ keepsJournal, keepsSnapshots }: StoreFacts): Fault | undefined {
  if (keepsJournal) return undefined
  const kept = keepsSnapshots ? 'only snapshots' : 'nothing'
  return odd(
    `keeps ${kept} over a restart: jobs that are lost come back by the sweep, seconds late`,
    'CONFIG SET appendonly yes, and the same in its configuration file.',
  )
}

function slow({ roundTripMs }: StoreFacts): Fault | undefined {
  if (roundTripMs <= SLOW_MS) return undefined
  return odd(
    `takes ${Math.round(roundTripMs)} ms to answer a question that costs nothing`,
    'Put the service next to its Redis, or see in SLOWLOG GET what keeps it busy.',
  )
}
