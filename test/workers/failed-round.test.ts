// A round that fails: BullMQ keeps the error for the board, and the log says it too.

import type { Job } from 'bullmq'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { World } from '../../src/world.ts'
import { processorOf } from '../../workers/run.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterAll(() => service.close())

it('is in the log, with its error', async () => {
  const reported: unknown[] = []
  const report: World['outages']['report'] = (...words) => reported.push(words)
  const world = { ...service.world, outages: { ...service.world.outages, report } }
  const err = new Error('the index is corrupt')
  const round = () => Promise.reject(err)
  const job = { data: { items: [] }, attemptsMade: 0, timestamp: 0, opts: {} } as unknown as Job
  await expect(processorOf(world, 'sweep', { round })(job)).rejects.toBe(err)
  expect(reported).toEqual([['sweep failed', { err }]])
})
