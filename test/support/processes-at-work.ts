// Processes with their own proxies and stores, and callers: the effect of a fault is the time until
// all of them serve again, and the final audit.

import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import { NO_FAULTS } from '../chaos/fault-rates.ts'
import {
  type IsolatedProcesses,
  type IsolatedProcessesNeeds,
  startIsolatedProcesses,
} from '../chaos/isolated-processes.ts'
import { type Load, startLoad } from '../chaos/load.ts'
import { seeded } from '../chaos/random.ts'
import { recovered } from '../chaos/recovery.ts'
import { isWorkPending } from '../chaos/run-figures.ts'
import { type Introduced, introduce } from '../chaos/setting.ts'
import { type Backend, openStores, type Stores } from '../chaos/stores.ts'

export interface ProcessesAtWork extends AsyncDisposable {
  readonly stores: Stores
  readonly processes: IsolatedProcesses
  readonly caller: Introduced
  readonly load: Load
  /** Waits until all serve again; answers those that finally do not. */
  missingAfter(mostMs: number): Promise<readonly string[]>
  /** Ends the load; answers the violations once no work is due, or cannot be done. */
  violations(): Promise<readonly string[]>
  log(): Promise<string>
}

export type ProcessesAtWorkNeeds = Pick<
  IsolatedProcessesNeeds,
  'apis' | 'workers' | 'timings' | 'settings'
> & {
  readonly backend: Backend
}

const CALLERS = 3
const PAUSE_MS = 100
const MOST_PENDING_MS = 60_000
const LOOK_MS = 100

export async function openProcessesAtWork({
  backend,
  ...needs
}: ProcessesAtWorkNeeds): Promise<ProcessesAtWork> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-processes-'))
  const log = await open(join(folder, 'log'), 'a')
  const stores = await openStores(backend)
  const processes = await startIsolatedProcesses({
    ...needs,
    stores,
    seed: 1,
    faultRates: NO_FAULTS,
    logFd: log.fd,
  })
  await Promise.all([...processes.apis, ...processes.workers].map((slot) => slot.ready()))
  const caller = await introduce(processes.addresses[0] ?? '')
  const { addresses } = processes
  const load = startLoad({
    ...caller,
    addresses,
    random: seeded(1),
    callers: CALLERS,
    pauseMs: PAUSE_MS,
  })
  return {
    stores,
    processes,
    caller,
    load,
    async missingAfter(mostMs) {
      return (await recovered({ stores, processes, caller, mostMs })).missing
    },
    async violations() {
      const untilMs = performance.now() + MOST_PENDING_MS
      await load.settle(MOST_PENDING_MS)
      while ((await isWorkPending(stores.databaseUrl)) && performance.now() < untilMs) {
        await delay(LOOK_MS)
      }
      return [...load.strange, ...(await audit(stores.databaseUrl, load.journal, ALL_CHECKS))]
    },
    log: () => readFile(join(folder, 'log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await load.settle(0)
      await processes.close()
      await stores.close()
      await log.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
