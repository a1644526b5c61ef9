// The sweep, when a kind of work cannot be read.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../src/upkeep/sweep.ts'
import type { World } from '../../src/world.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterAll(() => service.close())

/** A world in which statements with one of these texts fail. Returns the rounds that it starts. */
function broken(...texts: readonly string[]) {
  const { world } = service
  const started: string[] = []
  const query: World['db']['query'] = async (text, values) => {
    const found = texts.find((one) => text.includes(one))
    if (found !== undefined) throw new Error(`${found} is corrupt`)
    return world.db.query(text, values)
  }
  const limits = { ...world.limits, forgetEnded: async () => void started.push('limits') }
  const startRound = (queue: string) => started.push(queue)
  const queues = { startRound, nudgeOverdue: async () => {} } as unknown as World['queues']
  return { started, world: { ...world, db: { ...world.db, query }, limits, queues } }
}

const ALL = ['email', 'sms', 'webhook', 'limits']

describe('a sweep', () => {
  it('does all kinds', async () => {
    const { world, started } = broken()
    await sweep(world)
    expect(started).toEqual(ALL)
  })

  it.each(['UPDATE transaction', 'FROM batch', 'FROM account', 'FROM schedule'])(
    'does the others if one fails, and then fails too: %s',
    async (text) => {
      const { world, started } = broken(text)
      await expect(sweep(world)).rejects.toThrow(`${text} is corrupt`)
      expect(started).toEqual(ALL)
    },
  )

  it('names every failure', async () => {
    const { world } = broken('UPDATE transaction', 'SELECT due_at, account_id, id FROM batch')
    await expect(sweep(world)).rejects.toThrow(/transaction is corrupt; .*batch is corrupt/)
  })
})
