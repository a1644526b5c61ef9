// A resource whose every change is an event: its rows are locked here and written together with
// their events.

import { undeleted } from '../core/or-not-found.ts'
import type { Columns, Lock, RowKey, RowWrite } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { World } from '../world.ts'
import type { EventType } from './event-names.ts'
import { type Change, changeOf, writeWithEvents } from './insert-event.ts'

interface ResourceRow extends RowKey {
  readonly version: number
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

type Write<T> = (
  world: World,
  query: Query,
  context: Pick<Change, 'requestId'>,
  ...rows: readonly T[]
) => Promise<void>

export interface Resource<T, R> {
  /** Locks the row until the commit. Undefined if it is unknown or deleted. */
  readonly hold: (query: Query, key: RowKey, lock?: Lock) => Promise<T | undefined>
  readonly insert: Write<R>
  /** Writes the next versions of locked rows. */
  readonly update: Write<R>
  /** Writes the last versions of locked rows. They stay, because other rows refer to them. */
  readonly delete: Write<R>
}

/** `viewOf` returns what the resource's GET returns. */
export function resourceOf<T extends ResourceRow, R extends T = T>(
  { hold, insertion, change }: Columns<T>,
  name: 'customer' | 'payment_method' | 'payment_link' | 'scheduled_invoice',
  viewOf: (row: R, world: World) => object,
): Resource<T, R> {
  const write =
    (statement: RowWrite<T>, type: EventType): Write<R> =>
    (world, query, context, ...rows) => {
      const changes = rows.map((row) => {
        const changed = { ...row, updatedAt: row.deletedAt ?? row.updatedAt }
        return changeOf(type, changed, viewOf(row, world), context)
      })
      return writeWithEvents(world, query, statement, rows, changes)
    }
  return {
    hold: async (query, key, lock = 'FOR NO KEY UPDATE') => undeleted(await hold(query, key, lock)),
    insert: write(insertion, `create_${name}`),
    update: write(change, `update_${name}`),
    delete: write(change, `delete_${name}`),
  }
}
