// BullMQ does not wait at its end for all that it has under way, which then fails for want of a
// connection.

import { expect, it } from 'vitest'
import { openTestService } from '../support/test-service.ts'

it.each([
  ['logs that its queues fail', 'while it runs', 1],
  ['does not log it', 'once it has ended', 0],
] as const)('a process %s %s', async (_what, when, count) => {
  const logged: string[] = []
  const log = { write: (line: string) => logged.push(line) }
  const service = await openTestService({ queues: ['charge'], log })
  const queue = service.world.queues.queue('charge')
  const fail = () => queue.emit('error', new Error('there is no connection'))
  if (when === 'while it runs') fail()
  await service.close()
  if (when === 'once it has ended') fail()
  expect(logged.filter((line) => line.includes('there is no connection'))).toHaveLength(count)
})
