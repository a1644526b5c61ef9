// Faults of the network between the processes and their stores.

import type { ChaosFault, FaultTarget, Mend } from './faults.ts'
import type { Slot } from './processes.ts'
import type { ServerProxy } from './proxies.ts'
import { pick } from './random.ts'
import type { Links } from './stores.ts'

type Store = 'PostgreSQL' | 'Redis'
type Whose = 'an API server' | 'a worker' | 'every process'

const STORES: readonly Store[] = ['PostgreSQL', 'Redis']
const WHOSE: readonly Whose[] = ['an API server', 'a worker', 'every process']

const LATENCY_MS = 200

/** Nothing passes: an API server's new connections do at once, the others when it is mended. */
export const SILENCES: readonly ChaosFault[] = STORES.flatMap((store) =>
  WHOSE.map((whose) => ({
    name: `connections of ${whose} to ${store} are half open`,
    kind: `half-open ${store}` as const,
    ...onlyWithIts(store),
    strike: (target: FaultTarget) =>
      swallow(proxiesOf(target, whose, store), whose === 'an API server'),
  })),
)

export const CUTS: readonly ChaosFault[] = STORES.map((store) => ({
  name: `all connections to ${store} are cut`,
  kind: 'cut links',
  ...onlyWithIts(store),
  strike: async (target) => {
    for (const proxy of proxiesOf(target, 'every process', store)) proxy.cut()
    return undefined
  },
}))

export const SLOWNESS: readonly ChaosFault[] = STORES.map((store) => ({
  name: `${store} is ${LATENCY_MS} ms away for every process`,
  kind: 'slow links',
  ...onlyWithIts(store),
  strike: async (target) => {
    const proxies = proxiesOf(target, 'every process', store)
    for (const proxy of proxies) proxy.slow(LATENCY_MS)
    return async () => {
      for (const proxy of proxies) proxy.slow(0)
    }
  },
}))

function onlyWithIts(store: Store): Pick<ChaosFault, 'on'> {
  return store === 'Redis' ? { on: 'redis' } : {}
}

function proxiesOf(
  { processes, random }: FaultTarget,
  whose: Whose,
  store: Store,
): readonly ServerProxy[] {
  const chosen: Readonly<Record<Whose, () => readonly Slot[]>> = {
    'an API server': () => [pick(random, processes.apis)],
    'a worker': () => [pick(random, processes.workers)],
    'every process': () => [...processes.apis, ...processes.workers],
  }
  return chosen[whose]().map((slot) => proxyOf(processes.linksOf(slot), store))
}

function proxyOf({ database, redis }: Links, store: Store): ServerProxy {
  const proxy = store === 'PostgreSQL' ? database : redis
  if (proxy === undefined) throw new Error(`there is no ${store}`)
  return proxy
}

async function swallow(
  proxies: readonly ServerProxy[],
  isHealedAtOnce: boolean,
): Promise<Mend | undefined> {
  for (const proxy of proxies) proxy.swallow()
  const heal = async () => {
    for (const proxy of proxies) proxy.heal()
  }
  if (!isHealedAtOnce) return heal
  await heal()
  return undefined
}
