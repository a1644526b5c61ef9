// Heartbeat rows, with or without real processes.

import type { ProcessHeartbeat, ProcessWork } from '../../src/generated/client.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import type { World } from '../../src/world.ts'

export async function insertHeartbeat(
  world: World,
  fields: Partial<ProcessHeartbeat> = {},
): Promise<void> {
  const now = world.clock.now()
  await world.db.prisma.processHeartbeat.create({
    data: {
      id: world.newId(),
      role: 'worker',
      host: 'here',
      pid: process.pid,
      version: '1.0.0',
      queues: [...QUEUE_NAMES],
      isDraining: false,
      startedAt: now,
      seenAt: now,
      ...fields,
    },
  })
}

/** The work of a process in one minute, or in one hour. */
export async function insertWork(
  world: Pick<World, 'db' | 'clock' | 'newId'>,
  fields: Partial<Omit<ProcessWork, 'queues'>> & { readonly queues?: object } = {},
): Promise<void> {
  await world.db.prisma.processWork.create({
    data: {
      processId: world.newId(),
      process: 'a-host · 17',
      span: 'minute',
      at: world.clock.now(),
      requests: 0,
      approved: 0,
      declined: 0,
      durations: [],
      queues: {},
      ...fields,
    },
  })
}
