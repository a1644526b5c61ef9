// Two kinds of tests: those that need no queue run once, those that do run on both backends.

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What stands or falls with the queues. */
const HOUSE = ['test/house/**/*.test.ts']

/**
 * No answer depends on where the host stands: so what runs twice runs in two zones, the second one
 * far from everything, where it is tomorrow already.
 */
const FAR_AWAY = { TZ: 'Pacific/Apia' }

const hasRedis = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'redis-server')))

if (!hasRedis) {
  const missing = 'redis-server is not on the PATH: the suite runs on the PostgreSQL backend only'
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`SKIPPED: ${missing}`)
}

const common = {
  globalSetup: ['test/support/global-setup.ts'],
  pool: 'forks' as const,
  testTimeout: 20_000,
  hookTimeout: 30_000,
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...common,
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: HOUSE,
          provide: { backend: 'postgres' },
        },
      },
      ...(hasRedis ? (['postgres', 'redis'] as const) : (['postgres'] as const)).map((backend) => ({
        test: {
          ...common,
          name: `on ${backend}`,
          include: HOUSE,
          provide: { backend },
          env: backend === 'redis' ? FAR_AWAY : {},
        },
      })),
    ],
  },
})
