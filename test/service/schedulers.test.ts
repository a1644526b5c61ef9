// The job schedulers of BullMQ, on either backend.

import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { EASTERN } from '../../src/core/business-day.ts'
import { ensureSchedulers } from '../../src/queue/ensure-schedulers.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const EIGHT = { time: '20:00', zone: EASTERN }
const CHICAGO = { time: '18:30', zone: 'America/Chicago' }

describe('the schedulers', () => {
  it('wake the settlement at 20:00 Eastern and at every other cutoff in use', async () => {
    await using service = await openTestService({ queues: [] })
    await service.world.queues.keepSchedulers([EIGHT, CHICAGO])
    const [eight, chicago] = await schedulersOf(service, 'settlement')
    expect(eight).toMatchObject({ pattern: '0 20 * * *', tz: EASTERN })
    expect(chicago).toMatchObject({ pattern: '30 18 * * *', tz: 'America/Chicago' })
    expect(localTime(eight?.next, EASTERN)).toBe('20:00')
    expect(localTime(chicago?.next, 'America/Chicago')).toBe('18:30')
    expect(Number(eight?.next)).toBeGreaterThan(Date.now())
  })

  it('run the schedules each minute, and sweep', async () => {
    await using service = await openTestService({ queues: [] })
    await service.world.queues.keepSchedulers([EIGHT])
    expect(await schedulersOf(service, 'schedules')).toMatchObject([{ every: 60_000 }])
    const every = service.world.timings.sweepEveryMs
    expect(await schedulersOf(service, 'sweep')).toMatchObject([{ every }])
  })

  it('of an unknown time zone are refused, and all others are made', async () => {
    await using service = await openTestService({ queues: [] })
    const unknown = { time: '18:00', zone: 'America/Not_There_Yet' }
    const keeping = service.world.queues.keepSchedulers([unknown, EIGHT])
    await expect(keeping).rejects.toThrow('the time zone America/Not_There_Yet: update')
    expect(await schedulersOf(service, 'settlement')).toMatchObject([{ tz: EASTERN }])
    expect(await schedulersOf(service, 'schedules')).toHaveLength(1)
    expect(await schedulersOf(service, 'sweep')).toHaveLength(1)
  })

  it('of a cutoff that no account uses any more are removed', async () => {
    await using service = await openTestService({ queues: [] })
    await service.world.queues.keepSchedulers([EIGHT, CHICAGO])
    await service.world.queues.keepSchedulers([EIGHT])
    expect(await schedulersOf(service, 'settlement')).toMatchObject([{ tz: EASTERN }])
  })

  it('are left as they are if nothing has changed', async () => {
    await using service = await openTestService({ queues: [] })
    await service.world.queues.keepSchedulers([EIGHT, CHICAGO])
    const before = await jobsOf(service)
    await service.world.queues.keepSchedulers([CHICAGO, EIGHT])
    expect(await jobsOf(service)).toEqual(before)
    expect(before.length).toBe(4)
  })

  it.each([-10, -11])(
    'that another process keeps at the same moment are left to it (%i)',
    async (code) => {
      await using service = await openTestService({ queues: [] })
      const { clock, queues, timings } = service.world
      const queue = queues.queue('sweep')
      const failing = (error: Error) =>
        Object.assign(Object.create(queue), {
          upsertJobScheduler: () => Promise.reject(error),
          getJobSchedulers: async () => [],
        })
      const taken = Object.assign(new Error('another has it'), { code })
      const keep = (error: Error) =>
        ensureSchedulers(failing(error), 'sweep', [EIGHT], clock, timings)
      await keep(taken)
      await expect(keep(new Error('no connection'))).rejects.toThrow('no connection')
    },
  )

  it('are made anew if a wrong clock has delayed their next job', async () => {
    await using service = await openTestService({ queues: [] })
    const { queues, timings } = service.world
    const every = timings.sweepEveryMs
    const startDate = Date.now() + HOUR
    await queues.queue('sweep').upsertJobScheduler('sweep', { every, startDate }, { name: 'sweep' })
    expect(Number((await schedulersOf(service, 'sweep'))[0]?.next)).toBeGreaterThan(
      startDate - every,
    )
    await queues.keepSchedulers([EIGHT])
    expect(Number((await schedulersOf(service, 'sweep'))[0]?.next)).toBeLessThan(
      Date.now() + MINUTE,
    )
    expect(await queues.queue('sweep').getJobCountByTypes('delayed', 'waiting')).toBe(1)
  })

  it('have at most one waiting round, however often it is nudged', async () => {
    await using service = await openTestService({ queues: [] })
    const { queues } = service.world
    for (let n = 0; n < 3; n += 1) await queues.ensureRound('schedules')
    expect(await queues.queue('schedules').getJobCounts('waiting')).toEqual({ waiting: 1 })
  })
})

async function schedulersOf(service: TestService, queue: 'settlement' | 'schedules' | 'sweep') {
  const found = await service.world.queues.queue(queue).getJobSchedulers()
  return found.sort((one, other) => other.key.localeCompare(one.key))
}

async function jobsOf(service: TestService): Promise<readonly string[]> {
  const queues = (['settlement', 'schedules', 'sweep'] as const).map((name) =>
    service.world.queues.queue(name),
  )
  const jobs = await Promise.all(queues.map((queue) => queue.getJobs(['delayed', 'waiting'])))
  return jobs
    .flat()
    .map(({ id }) => id ?? '')
    .sort()
}

function localTime(next: number | undefined, zone: string): string {
  return DateTime.fromMillis(next ?? 0, { zone }).toFormat('HH:mm')
}
