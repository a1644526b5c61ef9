// Faults of the network between the processes and their stores.

import type { Fault, Mend, Stage } from './faults.ts'
import type { Gate } from './gate.ts'
import type { Slot } from './processes.ts'
import { pick } from './random.ts'
import type { Links } from './stores.ts'

type Store = 'PostgreSQL' | 'Redis'
type Whose = 'an API server' | 'a worker' | 'every process'

const STORES: readonly Store[] = ['PostgreSQL', 'Redis']
const WHOSE: readonly Whose[] = ['an API server', 'a worker', 'every process']

const LATENCY_MS = 200

/** Nothing passes: an API server's new connections do at once, the others when it is mended. */
export const SILENCES: readonly Fault[] = STORES.flatMap((store) =>
  WHOSE.map((whose) => ({
    name: `connections of ${whose} to ${store} are half open`,
    kind: `half-open ${store}` as const,
    ...onlyWithIts(store),
    strike: (stage: Stage) => swallow(gatesOf(stage, whose, store), whose === 'an API server'),
  })),
)

export const CUTS: readonly Fault[] = STORES.map((store) => ({
  name: `all connections to ${store} are cut`,
  kind: 'cut links',
  ...onlyWithIts(store),
  strike: async (stage) => {
    for (const gate of gatesOf(stage, 'every process', store)) gate.cut()
    return undefined
  },
}))

export const SLOWNESS: readonly Fault[] = STORES.map((store) => ({
  name: `${store} is ${LATENCY_MS} ms away for every process`,
  kind: 'slow links',
  ...onlyWithIts(store),
  strike: async (stage) => {
    const gates = gatesOf(stage, 'every process', store)
    for (const gate of gates) gate.slow(LATENCY_MS)
    return async () => {
      for (const gate of gates) gate.slow(0)
    }
  },
}))

function onlyWithIts(store: Store): Pick<Fault, 'on'> {
  return store === 'Redis' ? { on: 'redis' } : {}
}

function gatesOf({ processes, random }: Stage, whose: Whose, store: Store): readonly Gate[] {
  const chosen: Readonly<Record<Whose, () => readonly Slot[]>> = {
    'an API server': () => [pick(random, processes.apis)],
    'a worker': () => [pick(random, processes.workers)],
    'every process': () => [...processes.apis, ...processes.workers],
  }
  return chosen[whose]().map((slot) => gateOf(processes.linksOf(slot), store))
}

function gateOf({ database, redis }: Links, store: Store): Gate {
  const gate = store === 'PostgreSQL' ? database : redis
  if (gate === undefined) throw new Error(`there is no ${store}`)
  return gate
}

async function swallow(gates: readonly Gate[], isHealedAtOnce: boolean): Promise<Mend | undefined> {
  for (const gate of gates) gate.swallow()
  const heal = async () => {
    for (const gate of gates) gate.heal()
  }
  if (!isHealedAtOnce) return heal
  await heal()
  return undefined
}
