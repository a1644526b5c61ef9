// The service as a test deploys it: stores of its own, and processes that use them, which the test
// starts when it needs them.

import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { NO_FAULTS } from './fault-rates.ts'
import { type Processes, type ProcessesNeeds, startProcesses } from './processes.ts'
import { freePort } from './proxies.ts'
import { isWorkPending } from './run-figures.ts'
import { environmentOf } from './setting.ts'
import { type Backend, openStores, type Stores } from './stores.ts'

export interface Deployment extends AsyncDisposable {
  readonly stores: Stores
  /** A client of the stores' database, for the whole test. */
  readonly client: pg.Client
  /** The address of the API server, while one runs. */
  readonly address: string
  readonly environment: Readonly<Record<string, string>>
  /** Starts processes, and resolves when they run. The caller must end them. */
  start(needs: Omit<Partial<ProcessesNeeds>, 'environment' | 'logFd'>): Promise<Processes>
  /** Resolves when no work is due any more. */
  quiet(): Promise<void>
  /** The log of all processes so far. */
  log(): Promise<string>
}

/** A busy machine takes ten times as long as an idle one. */
const MOST_QUIET_MS = 150_000
const LOOK_MS = 100

export async function openDeployment(
  backend: Backend,
  settings: Readonly<Record<string, string>> = {},
): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-deployment-'))
  const log = await open(join(folder, 'log'), 'a')
  const stores = await openStores(backend)
  const port = await freePort()
  const environment = { ...environmentOf(stores, port), ...settings }
  const client = new pg.Client(stores.superuserUrl)
  client.on('error', () => {}) // The test may stop its server.
  await client.connect()
  return {
    stores,
    client,
    address: `http://127.0.0.1:${port}`,
    environment,
    async start(needs) {
      const common = { environment, workers: 1, seed: 1, faultRates: NO_FAULTS, logFd: log.fd }
      const processes = startProcesses({ ...common, ...needs })
      await Promise.all([processes.api, ...processes.workers].map((slot) => slot.ready()))
      return processes
    },
    async quiet() {
      const startedMs = performance.now()
      while (await isWorkPending(stores.databaseUrl)) {
        if (performance.now() - startedMs > MOST_QUIET_MS)
          throw new Error('not everything was done in time')
        await delay(LOOK_MS)
      }
    },
    log: () => readFile(join(folder, 'log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await client.end()
      await stores.close()
      await log.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
