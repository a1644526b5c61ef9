// The messages that were kept because no provider is set up, the newest of all accounts first.
//
// They are kept by account: the newest n lie in the n accounts whose newest are newest, so that
// each account is asked for one, and few for more. What narrows the list is looked at row by row,
// among what retention has left.

import { containing } from '../db/terms.ts'
import type { World } from '../world.ts'

export interface OutboxWish {
  readonly channel: 'email' | 'sms' | undefined
  /** Stands in the address or the number. */
  readonly recipient: string | undefined
  readonly accountIds: readonly string[] | undefined
  /** Only what is older than this one. */
  readonly before: string | undefined
  readonly most: number
}

export interface ListedMessage {
  readonly accountId: string
  readonly id: string
  readonly channel: 'email' | 'sms'
  readonly recipient: string
  readonly subject: string | null
  /** How its text begins. */
  readonly beginning: string
  readonly createdAt: Date
  readonly teamName: string
  readonly mode: string
}

const BEGINNING = 120

/** `run` is an account, the limit is a parameter's name or a number. */
const newestOf = (limit: string) => `
  SELECT m.* FROM outbox_message m
  WHERE m.account_id = run.id
    AND ($1::delivery_channel IS NULL OR m.channel = $1::delivery_channel)
    AND ($2::text IS NULL OR m.recipient ILIKE $2::text)
    AND m.id < coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  ORDER BY m.id DESC LIMIT ${limit}`

export const LIST = `
  SELECT m.account_id, m.id, m.channel, m.recipient, m.subject,
    left(m.text, ${BEGINNING}) AS beginning, m.created_at, b.name, run.mode
  FROM (
    SELECT run.* FROM account run CROSS JOIN LATERAL (${newestOf('1')}) m
    WHERE $3::uuid[] IS NULL OR run.id = ANY($3::uuid[])
    ORDER BY m.id DESC LIMIT $5
  ) run
  CROSS JOIN LATERAL (${newestOf('$5')}) m
  JOIN team b ON b.id = run.team_id
  ORDER BY m.id DESC LIMIT $5`

export async function listOutbox(
  world: World,
  { channel, recipient, accountIds, before, most }: OutboxWish,
): Promise<readonly ListedMessage[]> {
  const pattern = recipient && containing(recipient)
  const values = [channel ?? null, pattern ?? null, accountIds ?? null, before ?? null, most]
  const rows = await world.db.query(LIST, values)
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    channel: row.channel,
    recipient: row.recipient,
    subject: row.subject,
    beginning: row.beginning,
    createdAt: row.created_at,
    teamName: row.name,
    mode: row.mode,
  }))
}
