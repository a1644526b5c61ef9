// Tests that depend on the queues run on both backends, all others once. Tests that could depend on
// the time zone of the host run in a zone that would show it.

import { defineConfig } from 'vitest/config'
import { findChromium, findOnPath } from './test/support/find-program.ts'
import { LateFiles } from './test/support/late-files.ts'

/** Tests that depend on the queues. */
const SERVICE = ['test/service/**/*.test.ts']

/** Those that use the queues no more than any charge does run on one backend. */
const MOSTLY_ROWS = [
  'test/service/{batch-close,downtime,follow-up-pending,model}.test.ts',
  'test/service/{refund-race,request-id,standby,storm}.test.ts',
]

/** Those with a time limit. They mostly wait, so two at a time keep to it. */
const TIMED_SERVICE = [
  'test/service/{frozen-database,killed-worker,rate-limit-store-away,refund-race,rolling-restart}.test.ts',
]

/** They mostly wait for time limits and for processes that they killed, and need no queue. */
const WAITING = [
  'test/cli/{database-away,ends}.test.ts',
  'test/db/{replica,silent-connections}.test.ts',
  'test/deliveries/{hanging-recipients,kill-senders,pace,provider-away}.test.ts',
  'test/http/{slow-senders,stalled-readers}.test.ts',
  'test/live/{kill,pages-in-browser}.test.ts',
  'test/pages/pay-in-browser.test.ts',
  'test/telemetry/otlp-tracer.test.ts',
]

/** They measure how long others wait, so they run alone, after all others. */
const UNDISTURBED = ['test/hostile/**/*.test.ts', 'test/deliveries/{fairness,two-teams}.test.ts']

/** They depend on days and hours, and need no queue. */
const DAYS_AND_HOURS = [
  'test/{accounts,core,invoices,links,messages,payments}/**/*.test.ts',
  'test/{sandbox-clock,schedules,settlement}/**/*.test.ts',
  'test/http/{batch,clock,event,invoice,receipt,sandbox,schedule,transaction}*.test.ts',
  'test/{console/batches,console/schedules,pages/page-formats}.test.ts',
]

/**
 * No answer depends on the time zone of the host. So the second run of a test is in this zone, where
 * it is already tomorrow, and so are the tests that depend on days and hours.
 */
const FAR_AWAY = { TZ: 'Pacific/Apia' }

const hasRedis = findOnPath('redis-server') !== undefined

if (!hasRedis) {
  skip('redis-server is not on the PATH: the suite runs on the PostgreSQL backend only')
}
if (findChromium() === undefined) {
  skip('chromium is not on the PATH: pages are not tried in a browser')
}
if (findOnPath('python3') === undefined) {
  skip('python3 is not on the PATH: the Python client is not tried')
}

/** In CI nothing is skipped. */
function skip(missing: string): void {
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`SKIPPED: ${missing}`)
}

const isNode20 = process.versions.node.startsWith('20.')

const common = {
  pool: 'forks' as const,
  // Modules are loaded once by each worker, not once by each file. No test leaves state in a module.
  isolate: false,
  // With more room for new objects the workers take a twelfth less CPU, and a sixth less if V8
  // optimises a function only when it has run six times as long as usual: most functions of a test
  // run too seldom to repay that.
  // Node 22 and later do not know that flag, and refuse to start with it.
  execArgv: ['--max-semi-space-size=32', ...(isNode20 ? ['--interrupt-budget=400000'] : [])],
  // On a busy machine, creating a database and deleting its thousand files takes seconds.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 45_000 } },
}

/**
 * The groups run one after the other. A worker waits for PostgreSQL, a browser or a child process
 * half of the time, so three keep two cores busy.
 */
const BUSY = { maxWorkers: 3, sequence: { groupOrder: 0 } }

/**
 * For deadlines, restarts and killed processes, which mostly wait. With four at a time a slow
 * machine missed their limits.
 */
const MOSTLY_WAITING = { maxWorkers: 3, sequence: { groupOrder: 1 } }

const IN_PAIRS = { maxWorkers: 2, sequence: { groupOrder: 2 } }

const ONE_BY_ONE = { maxWorkers: 1, sequence: { groupOrder: 3 } }

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
      provide: { backend, hasRounds: true },
      env: backend === 'redis' ? FAR_AWAY : {},
      exclude: backend === 'redis' ? [...exclude, ...MOSTLY_ROWS] : exclude,
      ...needs,
    },
  }))
}

const { LATE_FILES } = process.env

export default defineConfig({
  test: {
    reporters: ['default', ...(LATE_FILES === undefined ? [] : [new LateFiles(LATE_FILES)])],
    globalSetup: ['test/support/global-setup.ts'],
    // Transformed modules are kept for the other groups and for the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...common,
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...SERVICE, ...UNDISTURBED, ...DAYS_AND_HOURS, ...WAITING],
          provide: { backend: 'postgres', hasRounds: false },
          ...BUSY,
        },
      },
      {
        test: {
          ...common,
          name: 'alone, waiting',
          include: WAITING,
          provide: { backend: 'postgres', hasRounds: false },
          ...MOSTLY_WAITING,
        },
      },
      {
        test: {
          ...common,
          name: 'alone far away',
          include: DAYS_AND_HOURS,
          provide: { backend: 'postgres', hasRounds: false },
          env: FAR_AWAY,
          ...BUSY,
        },
      },
      ...onBothBackends('', { include: SERVICE, exclude: TIMED_SERVICE, ...MOSTLY_WAITING }),
      ...onBothBackends(', timed', { include: TIMED_SERVICE, ...IN_PAIRS }),
      {
        test: {
          ...common,
          name: 'undisturbed',
          include: UNDISTURBED,
          provide: { backend: 'postgres', hasRounds: false },
          ...ONE_BY_ONE,
        },
      },
    ],
  },
})
