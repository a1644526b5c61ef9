// The log of a process that cannot look after the schedulers.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchSchedulers } from '../../src/upkeep/keep-schedulers.ts'
import type { World } from '../../src/world.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterAll(() => service.close())

it('a failure is said once while it lasts, and again when it returns', async () => {
  const said: unknown[] = []
  let looks = 0
  let failure: Error | undefined = new Error('unknown time zone')
  const world = {
    ...service.world,
    timings: { ...service.world.timings, keepSchedulersEveryMs: 5 },
    outages: { ...service.world.outages, report: (_, { err }) => said.push(err) },
    queues: {
      takesWork: true,
      async keepSchedulers() {
        looks += 1
        if (failure !== undefined) throw failure
      },
    } as unknown as World['queues'],
  } satisfies World
  const later = async () => {
    const before = looks
    await soon(() => expect(looks).toBeGreaterThan(before + 3))
  }
  const watch = watchSchedulers(world)
  try {
    const first = failure
    await later()
    expect(said).toEqual([first])
    failure = undefined
    await later()
    failure = new Error('unknown time zone')
    await later()
    expect(said).toEqual([first, failure])
  } finally {
    watch.close()
  }
})
