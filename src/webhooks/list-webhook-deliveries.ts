// A page of what an endpoint was told, or is to be told: each delivery with the name of its event.

import type { Span } from '../core/whole-days.ts'
import { columnsOf } from '../db/columns.ts'
import { askPage, type Page, type Paged } from '../db/page.ts'
import { type DeliveryView, deliveryView } from '../deliveries/delivery-view.ts'
import type { Delivery, DeliveryStatus } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findWebhook } from './find-webhook.ts'

export interface WebhookDeliveryView extends DeliveryView {
  readonly event_id: string
  /** null: deliveries are kept for longer than events. */
  readonly event: string | null
}

/** Undefined is any. */
export interface WebhookDeliveryQuery {
  readonly page: Page<'created_at'>
  readonly status: DeliveryStatus | undefined
  readonly created: Span
}

const delivery = columnsOf<Delivery>('Delivery', 'd')

/** Not found, where there is no such endpoint any more. */
export async function listWebhookDeliveries(
  world: World,
  accountId: string,
  webhookId: string,
  query: WebhookDeliveryQuery,
): Promise<Paged<WebhookDeliveryView>> {
  await findWebhook(world, accountId, webhookId)
  return askPage(world.db.query, deliveryStatements(accountId, webhookId, query), (row) =>
    webhookDeliveryView(delivery.read(row), row.event),
  )
}

/** What the list asks of the database. Events are looked up for the page alone. */
export function deliveryStatements(
  accountId: string,
  webhookId: string,
  { page, status, created }: WebhookDeliveryQuery,
) {
  const values: unknown[] = [accountId, webhookId]
  const term = (condition: string, value: unknown) =>
    value === undefined ? [] : [`${condition} $${values.push(value)}`]
  const terms = [
    "d.account_id = $1 AND d.lane = $2 AND d.channel = 'webhook'",
    ...term('d.status =', status),
    ...term('d.created_at >=', created.from),
    ...term('d.created_at <', created.before),
  ]
  const from = `FROM delivery d WHERE ${terms.join(' AND ')}`
  const order = `d.created_at ${page.order}, d.id ${page.order}`
  // Numbers of ours, so that both statements take the same values.
  const paged = `SELECT d.* ${from} ORDER BY ${order} LIMIT ${page.take} OFFSET ${page.skip}`
  return {
    values,
    count: `SELECT count(*)::integer AS total ${from}`,
    page: `
      SELECT ${delivery.list}, e.type AS event FROM (${paged}) d
      LEFT JOIN event e ON e.account_id = d.account_id AND e.id = d.subject_id
      ORDER BY ${order}`,
  }
}

export function webhookDeliveryView(row: Delivery, event: string | null): WebhookDeliveryView {
  return { ...deliveryView(row), event_id: row.subjectId, event }
}
