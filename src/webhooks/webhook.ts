// An endpoint: its fields without its secrets, its columns, and the list of them.

import { Refusal } from '../core/errors.ts'
import { orNotFound, undeleted } from '../core/or-not-found.ts'
import { columnsOf, type RowKey } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import type { Webhook } from '../generated/client.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField } from '../resource/schemas.ts'
import type { World } from '../world.ts'

export const ENDPOINT_STATUSES = ['active', 'disabled'] as const

export const WEBHOOK = declareFields<Webhook>()({
  id: { shown: answerField.id },
  target_url: { shown: Type.String({ description: 'As it was sent.' }) },
  event: {
    shown: Type.Unsafe<string | string[] | undefined>({
      type: ['string', 'array'],
      items: { type: 'string' },
      description: 'A list of one name is returned as that name.',
    }),
    from: ({ events }) => (events.length === 1 ? events[0] : events),
  },
  status: { shown: Type.Enum(ENDPOINT_STATUSES) },
  disabled_reason: {
    shown: {
      ...answerField.textOrNull,
      description: 'Why the service disabled it; null if you did.',
    },
  },
  paused_at: {
    shown: {
      ...answerField.timeOrNull,
      description:
        'Since when the operator of the service has paused it: its deliveries wait, and none is lost. Usually null.',
    },
  },
  replaying: {
    shown: {
      ...answerField.flag,
      description: 'A replay is under way: some of its events are not queued yet.',
    },
    from: ({ dueAt }) => dueAt !== null,
  },
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
})

export const webhookView = (webhook: Webhook) => WEBHOOK.view(webhook)

const webhooks = columnsOf<Webhook>('Webhook', 'w')

/** The columns for statements that call the table `w`. */
export const {
  list: WEBHOOK_COLUMNS,
  read: readWebhook,
  hold: holdRow,
  update: updateRow,
} = webhooks

export const WEBHOOKS = declareList({
  table: 'webhook',
  alias: 'w',
  always: 'w.deleted_at IS NULL',
  filters: {
    status: 'w.status = $value',
    // An endpoint for `*` gets every event.
    event: "w.events && ARRAY['*', $value::text]",
  },
  sorts: { created_at: 'w.created_at', updated_at: 'w.updated_at' },
  columns: WEBHOOK_COLUMNS,
  view: (row) => webhookView(readWebhook(row)),
})

/** A deleted endpoint is not found. */
export async function findWebhook(world: World, key: RowKey): Promise<Webhook> {
  return orNotFound(undeleted(await webhooks.find(world.db.query, key)))
}

/** A disabled endpoint gets no deliveries. */
export function refuseDisabled({ status }: Webhook): void {
  if (status === 'disabled') {
    throw new Refusal('wrong_state', { message: 'the webhook is disabled; enable it first' })
  }
}
