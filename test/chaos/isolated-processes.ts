// The processes of a run: API servers and workers, each with proxies and a clock of its own, so that
// a fault of the network or of time can hit one of them alone.

import type { Timings } from '../../src/timings.ts'
import type { FaultRates } from './fault-rates.ts'
import { type Processes, type Slot, startProcesses } from './processes.ts'
import { freePort } from './proxies.ts'
import { environmentOf } from './setting.ts'
import type { Links, Stores } from './stores.ts'
import { openWrongClock, type WrongClock } from './wrong-clock.ts'

export interface IsolatedProcesses extends Processes {
  /** The addresses of the API servers, in order. */
  readonly addresses: readonly string[]
  linksOf(slot: Slot): Links
  clockOf(slot: Slot): WrongClock
}

export interface IsolatedProcessesNeeds {
  readonly stores: Stores
  readonly apis: number
  readonly workers: number
  readonly seed: number
  readonly faultRates: FaultRates
  readonly logFd: number
  readonly timings?: Partial<Timings>
  /** Beside the settings of all processes of a run. */
  readonly settings?: Readonly<Record<string, string>>
}

interface Own {
  readonly port: number
  readonly links: Links
  readonly clock: WrongClock
}

export async function startIsolatedProcesses(
  needs: IsolatedProcessesNeeds,
): Promise<IsolatedProcesses> {
  const { stores, apis, workers, settings, ...rest } = needs
  const all = new Map<string, Own>()
  for (const name of [...namesOf('api', apis), ...namesOf('worker', workers)]) {
    all.set(name, {
      port: await freePort(),
      links: await stores.links(),
      clock: await openWrongClock(),
    })
  }
  const own = (name: string): Own => {
    const found = all.get(name)
    if (found === undefined) throw new Error(`no process is called ${name}`)
    return found
  }
  const processes = startProcesses({
    ...rest,
    apis,
    workers,
    environment: environmentOf(stores, 0),
    own(name) {
      const { port, links, clock } = own(name)
      const probes = name.startsWith('worker') ? { WORKER_PORT: String(port) } : {}
      return { PORT: String(port), ...probes, ...links.environment, ...settings, ...clock.env }
    },
  })
  return {
    ...processes,
    addresses: processes.apis.map(({ name }) => `http://127.0.0.1:${own(name).port}`),
    linksOf: ({ name }) => own(name).links,
    clockOf: ({ name }) => own(name).clock,
    async close() {
      await processes.close()
      for (const { clock } of all.values()) await clock[Symbol.asyncDispose]()
    },
  }
}

function namesOf(role: 'api' | 'worker', count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${role} ${i + 1}`)
}
