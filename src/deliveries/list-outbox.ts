// The messages in the outbox: they were not sent because no provider is configured.

import type { MessageChannel } from '../core/delivery.ts'
import { declareList } from '../db/declared-list.ts'
import type { Row } from '../db/gathered.ts'
import type { RowOwner } from '../db/newest-anywhere.ts'
import { containing } from '../db/terms.ts'

interface KeptMessage {
  readonly accountId: string
  readonly id: string
  readonly channel: MessageChannel
  readonly recipient: string
  readonly subject: string | null
  /** The beginning of its text. */
  readonly beginning: string
  readonly createdAt: Date
}

export type ListedMessage = KeptMessage & RowOwner

const BEGINNING = 120

/** Filters are checked row by row: retention keeps the outbox small. */
export const OUTBOX = declareList({
  table: 'outbox_message',
  alias: 'm',
  filters: {
    channel: 'm.channel = $value::delivery_channel',
    recipient: (part: string, put) => `m.recipient ILIKE ${put(containing(part))}`,
  },
  sorts: {},
  columns: `m.account_id, m.id, m.channel, m.recipient, m.subject,
    left(m.text, ${BEGINNING}) AS beginning, m.created_at`,
  view: (row: Row): KeptMessage => ({
    accountId: row.account_id,
    id: row.id,
    channel: row.channel,
    recipient: row.recipient,
    subject: row.subject,
    beginning: row.beginning,
    createdAt: row.created_at,
  }),
})
