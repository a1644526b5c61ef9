// A page of an account's events, the newest first unless asked otherwise.

import type { Span } from '../core/whole-days.ts'
import type { Page, Paged } from '../db/page.ts'
import type { World } from '../world.ts'

export interface EventFilters {
  readonly type: string | undefined
  readonly resourceId: string | undefined
  readonly created: Span
}

export interface ListedEvent {
  readonly id: string
  readonly type: string
  readonly resource_id: string
  /** Counts the changes of the resource. */
  readonly sequence: number
  readonly created_at: Date
  /** The resource as it was from then on. */
  readonly data: unknown
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export async function listEvents(
  world: World,
  accountId: string,
  page: Page<'created_at'>,
  filters: EventFilters,
): Promise<Paged<ListedEvent>> {
  const { count, rows } = eventStatements(accountId, page, filters)
  const [[counted], found] = await Promise.all([
    world.db.query(count.text, count.values),
    world.db.query(rows.text, rows.values),
  ])
  return { total: counted?.total, rows: found as unknown as readonly ListedEvent[] }
}

/** What the list asks of the database. */
export function eventStatements(
  accountId: string,
  { order, skip, take }: Page<'created_at'>,
  { type, resourceId, created }: EventFilters,
): { readonly count: Statement; readonly rows: Statement } {
  const values: unknown[] = [accountId]
  const term = (condition: string, value: unknown) =>
    value === undefined ? [] : [`${condition} $${values.push(value)}`]
  const terms = [
    'account_id = $1',
    ...term('type =', type),
    ...term('resource_id =', resourceId),
    ...term('created_at >=', created.from),
    ...term('created_at <', created.before),
  ]
  const from = `FROM event WHERE ${terms.join(' AND ')}`
  const count = { text: `SELECT count(*)::integer AS total ${from}`, values: [...values] }
  const text = `
    SELECT id, type, resource_id, sequence, created_at, snapshot AS data ${from}
    ORDER BY created_at ${order}, id ${order}
    LIMIT $${values.push(take)} OFFSET $${values.push(skip)}`
  return { count, rows: { text, values } }
}
