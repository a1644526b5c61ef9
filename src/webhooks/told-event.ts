// What an endpoint is to be told, and where it is: read for all deliveries of the moment at once.

import { gatheredStatement } from '../db/gathered.ts'
import type { Secrets } from './sign.ts'

export interface ToldEvent {
  readonly event:
    | {
        readonly type: string
        readonly sequence: number
        readonly createdAt: Date
        /** The text in the row, byte by byte: never read as JSON, never printed again. */
        readonly body: string
      }
    | undefined
  readonly endpoint: ToldEndpoint | undefined
}

export interface ToldEndpoint extends Secrets {
  readonly targetUrl: string
  readonly isDisabled: boolean
  readonly failingSince: Date | null
}

export const toldEvent = gatheredStatement<
  { readonly accountId: string; readonly eventId: string; readonly webhookId: string },
  ToldEvent
>({
  name: 'told-event',
  columns: { accountId: 'uuid', eventId: 'uuid', webhookId: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, e.type, e.sequence, e.created_at, e.snapshot::text AS body,
      CASE WHEN w.deleted_at IS NULL THEN w.target_url END AS target_url,
      w.secret, w.previous_secret, w.previous_secret_until,
      w.status = 'disabled' AS is_disabled, w.failing_since
    FROM input i
    LEFT JOIN event e ON e.account_id = i.account_id AND e.id = i.event_id
    LEFT JOIN webhook w ON w.account_id = i.account_id AND w.id = i.webhook_id`,
  read: (row) => ({
    event:
      row.type === null
        ? undefined
        : {
            type: row.type,
            sequence: row.sequence,
            createdAt: row.created_at,
            body: row.body,
          },
    endpoint:
      row.target_url === null
        ? undefined
        : {
            targetUrl: row.target_url,
            secret: row.secret,
            previousSecret: row.previous_secret,
            previousSecretUntil: row.previous_secret_until,
            isDisabled: row.is_disabled,
            failingSince: row.failing_since,
          },
  }),
  isPatient: true,
})
