// The event of a change, as a write to be committed with the change itself.

import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { EventType } from './event-names.ts'

export interface Change {
  readonly accountId: string
  readonly type: EventType
  readonly resourceId: string
  /** The resource's version after the change. */
  readonly sequence: number
  /** The resource as its GET answers it from now on. */
  readonly view: object
  readonly requestId: string
  readonly at: Date
}

export function eventWrite(world: World, change: Change): Prisma.PrismaPromise<unknown> {
  const { accountId, type, resourceId, sequence, requestId, at } = change
  return world.db.prisma.event.create({
    data: {
      accountId,
      id: world.newId(),
      type,
      resourceId,
      sequence,
      snapshot: JSON.parse(JSON.stringify(change.view)),
      requestId,
      createdAt: at,
    },
  })
}
