// Lists the deliveries of an endpoint, each with the name of its event.

import { declareList } from '../db/declared-list.ts'
import { type DeliveryView, deliveryColumns, deliveryView } from '../deliveries/delivery-view.ts'
import type { Delivery } from '../generated/client.ts'

export interface WebhookDeliveryView extends DeliveryView {
  readonly event_id: string
  /** Null if the event was deleted: deliveries are kept longer than events. */
  readonly event: string | null
}

export const WEBHOOK_DELIVERIES = declareList({
  table: 'delivery',
  alias: 'd',
  always: "d.channel = 'webhook'",
  filters: {
    webhook_id: 'd.lane = $value',
    status: 'd.status = $value',
    from: 'd.created_at >= $value',
    before: 'd.created_at < $value',
  },
  sorts: { created_at: 'd.created_at' },
  columns: `${deliveryColumns.list}, e.type AS event`,
  joins: 'LEFT JOIN event e ON e.account_id = d.account_id AND e.id = d.subject_id',
  view: (row) => webhookDeliveryView(deliveryColumns.read(row), row.event),
})

export function webhookDeliveryView(row: Delivery, event: string | null): WebhookDeliveryView {
  return { ...deliveryView(row), event_id: row.subjectId, event }
}
