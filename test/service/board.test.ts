// The board of the queues, on either backend: what it shows, which actions it offers, which it
// refuses, and which requests may use it.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Queue } from 'bullmq'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { EASTERN } from '../../src/core/business-day.ts'
import { QUEUE_NAMES, type QueueName } from '../../src/queue/catalogue.ts'
import { WORKERS } from '../../workers/index.ts'
import { processorOf } from '../../workers/run.ts'
import { lastAuditEntry, type SignedIn, signIn } from '../support/operator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const OPERATING = join(import.meta.dirname, '../../docs/operating.md')

let service: TestService
let ada: SignedIn

beforeAll(async () => {
  // The sweep is left out, since it prompts the periodic rounds.
  service = await openTestService({ queues: [] })
  await service.world.queues.keepSchedulers([{ time: '20:00', zone: EASTERN }])
  ada = await signIn(service.world)
  // The first request opens the board, which makes the process load a lot of code.
  await read('/api/queues')
}, 60_000)

afterAll(() => service.close())

describe('the board', () => {
  it('shows every queue, and every scheduler', async () => {
    const { queues } = await read('/api/queues')
    expect(namesOf(queues).sort()).toEqual([...QUEUE_NAMES].sort())
    const { schedulers } = await read('/api/job-schedulers')
    const named = schedulers.map(({ queueName }: { queueName: string }) => queueName)
    expect(named.sort()).toEqual(['gateway_feed', 'retention', 'schedules', 'settlement', 'sweep'])
  })

  it('retries a failed job, and writes it to the audit log', async () => {
    let isBroken = true
    const worker = service.world.queues.work('email', async () => {
      if (isBroken) throw new Error('the provider said no')
    })
    const failed = once(worker, 'failed')
    const { id } = await service.world.queues.queue('email').add('email', NOTHING, { attempts: 1 })
    await failed
    const { queues } = await read('/api/queues?activeQueue=email&status=failed')
    const { jobs } = queues.find(({ name }: { name: string }) => name === 'email')
    expect(jobs).toMatchObject([{ id, failedReason: 'the provider said no' }])

    isBroken = false
    const done = once(worker, 'completed')
    expect((await change(`/api/queues/email/${id}/retry`)).statusCode).toBe(204)
    await done
    expect(await lastAuditEntry(service.world)).toMatchObject({
      operator: 'Ada',
      address: '127.0.0.1',
      action: 'job retried',
      subject: 'email',
      detail: { job: id },
    })
  })

  it('shows a foreign job as failed with a sentence, and work goes on after it', async () => {
    const { world } = service
    const id = world.newId()
    const garbage = [
      {},
      'x',
      { items: 'x' },
      { items: [] },
      { items: [null] },
      { items: [{ accountId: id, id: 'x' }] },
    ]
    const worker = world.queues.work('doubt', processorOf(world, 'doubt', WORKERS.doubt))
    const queue: Queue = world.queues.queue('doubt')
    for (const data of garbage) await queue.add('anything', data, { attempts: 5 })
    await expect.poll(() => queue.getFailedCount()).toBe(garbage.length)
    const failed = await queue.getFailed()
    expect(failed.map(({ attemptsMade }) => attemptsMade)).toEqual(garbage.map(() => 1))
    expect(new Set(failed.map(({ failedReason }) => failedReason))).toEqual(
      new Set([expect.stringMatching(/^Not a job of this service: /)]),
    )
    const ended = once(worker, 'completed')
    await queue.add('doubt', { items: [{ accountId: id, id, requestId: 'test' }] })
    await ended
  })

  it.skipIf(inject('backend') === 'postgres')(
    'shows the same to another tool that opens the queues as operating.md says',
    async () => {
      const { Queue } = await import('bullmq')
      const page = await readFile(OPERATING, 'utf8')
      const [, program = ''] =
        /```js\nimport \{ Queue \} from 'bullmq'\n([\s\S]*?)```/.exec(page) ?? []
      const env = { REDIS_URL: service.redis?.url }
      const body = `${program.replace('export const queues =', 'return')}`
      const opened: Queue[] = new Function('Queue', 'process', body)(Queue, { env })
      expect(opened.map(({ name }) => name).sort()).toEqual([...QUEUE_NAMES].sort())
      const depths = await Promise.all(opened.map((queue) => queue.getJobCounts()))
      const own = await Promise.all(
        opened.map(({ name }) => service.world.queues.queue(name as QueueName).getJobCounts()),
      )
      expect(depths).toEqual(own)
      expect(depths.some(({ failed = 0 }) => failed > 0)).toBe(true)
      await Promise.all(opened.map((queue) => queue.close()))
    },
  )

  it('pauses a queue for the workers of all processes, until it is resumed', async () => {
    const { queues } = service.world
    const ran: QueueName[] = []
    const sms = queues.work('sms', async () => void ran.push('sms'))
    const webhook = queues.work('webhook', async () => void ran.push('webhook'))
    await change('/api/queues/sms/pause')
    expect(await queues.queue('sms').isPaused()).toBe(true)
    const completed = once(webhook, 'completed')
    await queues.queue('sms').add('sms', NOTHING)
    await queues.queue('webhook').add('webhook', NOTHING)
    await completed
    expect(ran).toEqual(['webhook'])

    const done = once(sms, 'completed')
    await change('/api/queues/sms/resume')
    await done
    expect(ran).toEqual(['webhook', 'sms'])
    expect(await lastAuditEntry(service.world)).toMatchObject({
      action: 'queue resumed',
      subject: 'sms',
    })
  })

  it('makes a scheduled job run at once', async () => {
    const { queues } = service.world
    const waiting = () => queues.queue('schedules').getWaitingCount()
    // The scheduler has already put its first job into the queue.
    const before = await waiting()
    await change('/api/queues/schedules/job-schedulers/schedules/run')
    expect(await waiting()).toBe(before + 1)
    expect(await lastAuditEntry(service.world)).toMatchObject({
      action: 'scheduler run at once',
      subject: 'schedules',
      detail: { scheduler: 'schedules' },
    })
    await change('/api/queues/schedules/empty')
    expect(await waiting()).toBe(before)
    expect(await lastAuditEntry(service.world)).toMatchObject({
      action: 'queue emptied',
      subject: 'schedules',
    })
  })

  it('shows the last hundred finished jobs of a queue, and their number, on Redis', async () => {
    const { queues } = service.world
    const all = 130
    let done = 0
    const worker = queues.work('clock', async () => {})
    const last = new Promise<void>((resolve) => {
      worker.on('completed', () => {
        done += 1
        if (done === all) resolve()
      })
    })
    const jobs = Array.from({ length: all }, () => ({ name: 'clock', data: NOTHING }))
    await queues.queue('clock').addBulk(jobs)
    await last
    await worker.close()
    const { queues: shown } = await read('/api/queues?activeQueue=clock&status=completed')
    const clock = shown.find(({ name }: { name: string }) => name === 'clock')
    const { meta } = await queues.queue('clock').getMetrics('completed')
    const expected = queues.engine.kind === 'redis' ? [100, 130] : [0, 0]
    expect([clock.counts.completed, meta.count]).toEqual(expected)
  })

  it('shows the queue that replaced a failed one', async () => {
    const { queues } = service.world
    const real = queues.queue.bind(queues)
    const replaced = Object.create(real('clock'), { getJobCounts: { value: async () => COUNTS } })
    queues.queue = (name) => (name === 'clock' ? replaced : real(name))
    try {
      const { queues: shown } = await read('/api/queues')
      const clock = shown.find(({ name }: { name: string }) => name === 'clock')
      expect(clock.counts).toMatchObject(COUNTS)
    } finally {
      queues.queue = real
    }
  })
})

describe('the board does not', () => {
  it.each([
    ['add made-up jobs', 'POST', '/api/queues/charge/add'],
    ['have a job name other rows', 'PATCH', '/api/queues/charge/x/update-data'],
    ['wipe out a queue with its schedule', 'PUT', '/api/queues/sweep/obliterate'],
    ['keep what comes round from coming', 'PUT', '/api/queues/sweep/job-schedulers/sweep/remove'],
    ['change when it comes', 'PATCH', '/api/queues/sweep/job-schedulers/sweep'],
    ['slow a queue down for good', 'PUT', '/api/queues/charge/concurrency'],
    ['limit one', 'PUT', '/api/queues/charge/rate-limit'],
    ['know what is nowhere', 'DELETE', '/api/queues/charge'],
  ] as const)('%s', async (_what, method, path) => {
    const before = await lastAuditEntry(service.world)
    const { statusCode } = await change(path, {}, method)
    expect([403, 404]).toContain(statusCode)
    expect(await lastAuditEntry(service.world)).toEqual(before)
  })

  it.each([
    [300, 200],
    [301, 400],
    [1e9, 400],
  ])('show more than 300 jobs at once: asked for %d, it answers %d', async (most, status) => {
    const path = `/api/queues?activeQueue=charge&jobsPerPage=${most}`
    expect((await change(path, {}, 'GET')).statusCode).toBe(status)
  })

  it('report an action that was not carried out', async () => {
    const before = await lastAuditEntry(service.world)
    expect((await change('/api/queues/charge/nothing/retry')).statusCode).toBe(404)
    expect(await lastAuditEntry(service.world)).toEqual(before)
  })
})

describe('a change', () => {
  it.each([
    ['without a session', { cookie: '' }, 401],
    ['with a made-up cookie', { cookie: 'lamplighter_session=x' }, 401],
    ["without the header of the board's own page", { 'x-xsrf-token': '' }, 403],
    ['with another header', { 'x-xsrf-token': 'x'.repeat(43) }, 403],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['from a site beside ours', { 'sec-fetch-site': 'same-site' }, 403],
  ])('%s is refused', async (_what, headers, status) => {
    const { queues } = service.world
    expect((await change('/api/queues/refund/pause', headers)).statusCode).toBe(status)
    expect(await queues.queue('refund').isPaused()).toBe(false)
  })

  it('with all of these is accepted', async () => {
    const { queues } = service.world
    expect((await change('/api/queues/refund/pause')).statusCode).toBe(200)
    expect(await queues.queue('refund').isPaused()).toBe(true)
  })
})

const NOTHING = { items: [] }

const COUNTS = { active: 0, completed: 0, delayed: 0, failed: 7, waiting: 0, prioritized: 0 }

// biome-ignore lint/suspicious/noExplicitAny: what the board's script reads
async function read(path: string): Promise<any> {
  const { cookie } = ada
  const answer = await service.app.inject({ url: `/admin/queues${path}`, headers: { cookie } })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

function change(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE' = 'PUT',
) {
  const usual = {
    cookie: ada.cookie,
    'x-xsrf-token': ada.formToken,
    'sec-fetch-site': 'same-origin',
  }
  return service.app.inject({
    method,
    url: `/admin/queues${path}`,
    headers: { ...usual, ...headers },
  })
}

function namesOf(queues: readonly { readonly name: string }[]): string[] {
  return queues.map(({ name }) => name)
}
