// Thousands of rows are overdue at once, as while a busy process still works on a burst of them. The
// sweep nudges all of them with few jobs, since jobs of waiting callers come behind these.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobKind, type QueueName } from '../../src/queue/catalogue.ts'
import type { OverdueRow } from '../../src/queue/job-options.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const ROWS = 1_000

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [] })
})
afterAll(() => service.close())

function overdueRows(): readonly OverdueRow[] {
  const accountId = randomUUID()
  return Array.from({ length: ROWS }, () => {
    return { accountId, id: randomUUID(), requestId: randomUUID(), dueAt: new Date() }
  })
}

async function jobsOf(
  queue: QueueName,
  states: ('waiting' | 'delayed')[] = ['waiting'],
): Promise<readonly (readonly string[])[]> {
  const jobs = await service.world.queues.queue(queue).getJobs(states)
  return jobs.map(({ data }) => data.items.map(({ id }) => id))
}

describe.each(['charge', 'refund', 'doubt'] as const)('overdue rows of the queue %s', (queue) => {
  const { rowsAJob } = jobKind(queue)
  const rows = overdueRows()

  it('are each nudged once, as many in a job as share one', async () => {
    await service.world.queues.nudgeOverdue(queue, rows)
    const jobs = await jobsOf(queue)
    expect(jobs.length).toBeLessThanOrEqual(Math.ceil(ROWS / (rowsAJob ?? 1)))
    expect(jobs.flat().toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  })

  it('get no second nudge while the first waits', async () => {
    await service.world.queues.nudgeOverdue(queue, rows)
    expect((await jobsOf(queue)).flat().length).toBe(ROWS)
  })

  it('are nudged beside others although their job is stuck', async () => {
    const [later] = overdueRows()
    if (later === undefined) throw new Error('there are no rows')
    await service.world.queues.nudgeOverdue(queue, [...rows.slice(0, 10), later])
    expect((await jobsOf(queue)).flat()).toContain(later.id)
  })
})

describe('batches have a job each, since only so many are closed at once', () => {
  it('as the sweep nudges them', async () => {
    const rows = overdueRows().slice(0, 10)
    await service.world.queues.nudgeOverdue('settlement', rows)
    expect((await jobsOf('settlement')).map((ids) => ids.length)).toEqual(rows.map(() => 1))
  })

  it('as they are nudged in the same moment, for now or for later', async () => {
    const { queues } = service.world
    const [now, later] = [overdueRows().slice(0, 10), overdueRows().slice(0, 10)]
    for (const row of now) queues.nudge('settlement', row)
    for (const row of later) queues.nudgeAt('settlement', row, new Date(Date.now() + 3_600_000))
    const expected = [...now, ...later].map(({ id }) => [id]).toSorted()
    const jobsOfThese = async () =>
      (await jobsOf('settlement', ['waiting', 'delayed']))
        .filter((ids) => ids.some((id) => expected.flat().includes(id)))
        .toSorted()
    await expect.poll(jobsOfThese).toEqual(expected)
  })
})
