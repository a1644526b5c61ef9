// A row whose action has the answer to a waiting caller: the caller gets it, and the log does not.

import type { Job } from 'bullmq'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answered, Verdict } from '../../src/core/verdict.ts'
import { processorOf } from '../../workers/run.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const ID = '01941f29-7c00-7000-8000-000000000001'

const ANSWER = { status: 'SUCCESS', body: '{"customer":{"firstname":"Ada"}}' } as const

const logged: string[] = []
let service: TestService

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    backend: 'postgres',
    log: { write: (line: string) => logged.push(line) },
  })
})
afterAll(() => service.close())

it('is answered by its worker, and its answer is not in the log', async () => {
  const { world } = service
  world.log.level = 'trace'
  const answers: (Answered | undefined)[] = []
  const forget = world.queues.replies.expect(ID, (answer) => answers.push(answer))
  const action = async (): Promise<Verdict> => ({ kind: 'done', answer: ANSWER })
  const item = { accountId: ID, id: ID, requestId: 'one', replyTo: world.queues.replies.address }
  const job = { data: { items: [item] }, attemptsMade: 0, timestamp: 0, opts: {} }
  await processorOf(world, 'charge', { action })(job as unknown as Job)
  forget()
  expect(answers).toEqual([ANSWER])
  expect(logged.join('')).toContain('"verdict":{"kind":"done"}')
  expect(logged.join('')).not.toContain('Ada')
})
