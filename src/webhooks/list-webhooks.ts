// A page of an account's endpoints.

import { askPage, type Page, type Paged } from '../db/page.ts'
import type { WebhookStatus } from '../generated/client.ts'
import type { World } from '../world.ts'
import { readWebhook, WEBHOOK_COLUMNS } from './webhook-row.ts'
import { type WebhookView, webhookView } from './webhook-view.ts'

export const WEBHOOK_SORTS = ['created_at', 'updated_at'] as const

export type WebhookSort = (typeof WEBHOOK_SORTS)[number]

/** Undefined is any. */
export interface WebhookQuery {
  readonly page: Page<WebhookSort>
  readonly status: WebhookStatus | undefined
  /** Who is told of it, by its name or because of being told of everything. */
  readonly event: string | undefined
}

export function listWebhooks(
  world: World,
  accountId: string,
  query: WebhookQuery,
): Promise<Paged<WebhookView>> {
  const statements = webhookStatements(accountId, query)
  return askPage(world.db.query, statements, (row) => webhookView(readWebhook(row)))
}

/** What the list asks of the database. */
export function webhookStatements(accountId: string, { page, status, event }: WebhookQuery) {
  const values: unknown[] = [accountId]
  const terms = [
    'w.account_id = $1',
    'w.deleted_at IS NULL',
    ...(status === undefined ? [] : [`w.status = $${values.push(status)}::webhook_status`]),
    ...(event === undefined ? [] : [`w.events && ARRAY['*', $${values.push(event)}::text]`]),
  ]
  const { sort, order, take, skip } = page
  const from = `FROM webhook w WHERE ${terms.join(' AND ')}`
  return {
    values,
    count: `SELECT count(*)::integer AS total ${from}`,
    // Numbers of ours, so that both statements take the same values.
    page: `SELECT ${WEBHOOK_COLUMNS} ${from} ORDER BY w.${sort} ${order}, w.id ${order}
      LIMIT ${take} OFFSET ${skip}`,
  }
}
