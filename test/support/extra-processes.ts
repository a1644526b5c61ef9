// Processes of the service with a service's stores: API servers at their own ports, each a worker
// as well.

import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Timings } from '../../src/timings.ts'
import { NO_FAULTS } from '../chaos/fault-rates.ts'
import { type Processes, startProcesses } from '../chaos/processes.ts'
import { freePort } from '../chaos/proxies.ts'
import type { TestService } from './test-service.ts'

export interface ExtraProcesses {
  readonly addresses: readonly string[]
  /** Returns their log of warnings and errors. */
  close(): Promise<string>
}

export interface ExtraProcessesOptions {
  readonly settings: Readonly<Record<string, string>>
  readonly timings: Partial<Timings>
}

export async function openExtraProcesses(
  service: TestService,
  count: number,
  options: ExtraProcessesOptions,
): Promise<ExtraProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-extra-processes-'))
  const path = join(folder, 'log')
  const log = await open(path, 'a')
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const all = ports.map((port, i) => startExtraProcess(service, options, port, i, log.fd))
  await Promise.all(all.map(({ api }) => api.ready()))
  return {
    addresses: ports.map((port) => `http://127.0.0.1:${port}`),
    async close() {
      await Promise.all(all.map((processes) => processes.close()))
      await log.close()
      const text = await readFile(path, 'utf8')
      await rm(folder, { recursive: true, force: true })
      return text
    },
  }
}

function startExtraProcess(
  { databaseUrl, redis }: TestService,
  { settings, timings }: ExtraProcessesOptions,
  port: number,
  seed: number,
  logFd: number,
): Processes {
  return startProcesses({
    environment: {
      LOG_LEVEL: 'warn',
      ...settings,
      DATABASE_URL: databaseUrl,
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
      PORT: String(port),
    },
    apiRole: 'start',
    workers: 0,
    seed,
    faultRates: NO_FAULTS,
    timings,
    logFd,
  })
}
