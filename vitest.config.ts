// Two kinds of tests: those to which the queue is only how workers hear of a row run once, those that
// stand or fall with it on both backends. What could mind where the host stands runs where it would
// notice.

import { defineConfig } from 'vitest/config'
import { findChromium, findOnPath } from './test/support/find-program.ts'

/** What stands or falls with the queues. */
const SERVICE = ['test/service/**/*.test.ts']

/** What of it asks the rows and the intake, and the queues no more than any charge: on one backend. */
const MOSTLY_ROWS = [
  'test/service/{downtime,follow-up-pending,refund-race,request-id}.test.ts',
  'test/service/{silent-closing,standby,storm}.test.ts',
]

/** What of it has to answer within a time: beside nothing else on the machine. */
const TIMED_SERVICE = [
  'test/service/{frozen-database,rate-limit-store-away,refund-race,rolling-restart}.test.ts',
]

/** What waits for time limits and for processes that it has killed, and needs no queue. */
const WAITING = [
  'test/cli/{database-away,ends}.test.ts',
  'test/db/silent-connections.test.ts',
  'test/deliveries/{hanging-recipients,kill-senders,provider-away}.test.ts',
  'test/http/stalled-readers.test.ts',
  'test/live/{kill,pages-in-browser}.test.ts',
  'test/pages/pay-in-browser.test.ts',
  'test/telemetry/otlp-tracer.test.ts',
]

/** What measures how long others wait: the last, and beside nothing else either. */
const UNDISTURBED = ['test/hostile/**/*.test.ts', 'test/deliveries/{fairness,two-teams}.test.ts']

/** What knows days and hours, and needs no queue. */
const DAYS_AND_HOURS = [
  'test/{accounts,core,invoices,links,payments,receipts}/**/*.test.ts',
  'test/{sandbox-clock,schedules,settlement}/**/*.test.ts',
  'test/http/{batch,clock,event,invoice,receipt,sandbox,schedule,transaction}*.test.ts',
  'test/{console/batches,console/schedules,pages/page-formats}.test.ts',
]

/**
 * No answer depends on where the host stands: so what runs twice runs in two zones, the second one
 * far from everything, where it is tomorrow already; and so does what knows days and hours.
 */
const FAR_AWAY = { TZ: 'Pacific/Apia' }

const hasRedis = findOnPath('redis-server') !== undefined

if (!hasRedis) {
  skip('redis-server is not on the PATH: the suite runs on the PostgreSQL backend only')
}
if (findChromium() === undefined) {
  skip('chromium is not on the PATH: what pages do in a browser is not looked at')
}
if (findOnPath('python3') === undefined) {
  skip('python3 is not on the PATH: the Python client is not tried')
}

/** Where everything must hold, nothing is. */
function skip(missing: string): void {
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`SKIPPED: ${missing}`)
}

const common = {
  pool: 'forks' as const,
  // Read once by each worker and not once by each file: no test leaves anything behind in a module.
  isolate: false,
  // To make a database and to remove its thousand files takes seconds where the disk is busy.
  testTimeout: 30_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 10_000 } },
}

/** One group after the other. No more than there are cores: what is given a second has that second. */
const ALL_CORES = { maxWorkers: 2, sequence: { groupOrder: 0 } }

/** For deadlines, restarts and the dead: a third of the cores is idle beside two of them. */
const MOSTLY_WAITING = { maxWorkers: 3, sequence: { groupOrder: 1 } }

const ONE_BY_ONE = { maxWorkers: 1, sequence: { groupOrder: 2 } }

interface Needs {
  readonly include: string[]
  readonly exclude?: string[]
}

/** Once on each backend, and on the second one in another zone. */
function onBothBackends(suffix: string, { exclude = [], ...needs }: Needs) {
  return (hasRedis ? (['postgres', 'redis'] as const) : (['postgres'] as const)).map((backend) => ({
    test: {
      ...common,
      name: `on ${backend}${suffix}`,
      provide: { backend },
      env: backend === 'redis' ? FAR_AWAY : {},
      exclude: backend === 'redis' ? [...exclude, ...MOSTLY_ROWS] : exclude,
      ...needs,
    },
  }))
}

export default defineConfig({
  test: {
    // Once for all of them.
    globalSetup: ['test/support/global-setup.ts'],
    // What one group has read another need not transform again; nor the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...common,
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...SERVICE, ...UNDISTURBED, ...DAYS_AND_HOURS, ...WAITING],
          provide: { backend: 'postgres' },
          ...ALL_CORES,
        },
      },
      {
        test: {
          ...common,
          name: 'alone, waiting',
          include: WAITING,
          provide: { backend: 'postgres' },
          ...MOSTLY_WAITING,
        },
      },
      {
        test: {
          ...common,
          name: 'alone far away',
          include: DAYS_AND_HOURS,
          provide: { backend: 'postgres' },
          env: FAR_AWAY,
          ...ALL_CORES,
        },
      },
      ...onBothBackends('', { include: SERVICE, exclude: TIMED_SERVICE, ...MOSTLY_WAITING }),
      ...onBothBackends(', undisturbed', { include: TIMED_SERVICE, ...ONE_BY_ONE }),
      {
        test: {
          ...common,
          name: 'undisturbed',
          include: UNDISTURBED,
          provide: { backend: 'postgres' },
          ...ONE_BY_ONE,
        },
      },
    ],
  },
})
