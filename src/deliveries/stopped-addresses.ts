// Addresses that an account has stopped sending to, until that is lifted.
//
//   no_such_address  nothing is sent to it, because its provider refused it for good
//   opted_out        its owner wants no scheduled bills; other messages are sent
//
// Each account has its own, so that no team can silence the recipients of another. The answer STOP
// to a text message is kept apart (opt-outs.ts), because all accounts share one number.

import type { MessageChannel, SendAnswer } from '../core/delivery.ts'
import { addressKey } from '../core/mail-address.ts'
import { cleanText } from '../core/redact.ts'
import { storable } from '../core/text.ts'
import { dateText } from '../core/whole-days.ts'
import { columnsOf } from '../db/columns.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { QueryWorld, World } from '../world.ts'
import type { ClaimedDelivery } from './claim-due-deliveries.ts'

export const STOP_REASONS = ['no_such_address', 'opted_out'] as const

export type StopReason = (typeof STOP_REASONS)[number]

export interface StopKey {
  readonly accountId: string
  readonly channel: MessageChannel
  /** The spelling of a message or an operator. */
  readonly address: string
  readonly reason: StopReason
}

export interface StoppedAddress extends StopKey {
  /** The provider's words. */
  readonly detail: string | null
  readonly createdAt: Date
}

/** The first of the reasons counts; the second stops only scheduled bills. */
const findStop = gatheredStatement({
  name: 'find-stop',
  columns: {
    accountId: 'uuid',
    channel: 'delivery_channel',
    address: 'text',
    isScheduled: 'boolean',
  },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, s.* FROM input i
    CROSS JOIN LATERAL (
      SELECT reason, detail, created_at FROM stopped_address
      WHERE account_id = i.account_id AND channel = i.channel AND address = i.address
        AND (reason = 'no_such_address' OR i.is_scheduled)
      ORDER BY reason LIMIT 1
    ) s`,
  read: ({ reason, created_at: at, detail }) => refusalOf(reason, dateText(at), detail),
})

function refusalOf(stop: StopReason, since: string, reply: string | null): SendAnswer {
  switch (stop) {
    case 'no_such_address': {
      const words = reply === null ? '' : ` (${reply})`
      const detail = `suppressed since ${since}: this address does not exist${words}`
      return { kind: 'refused', reason: 'suppressed', detail }
    }
    case 'opted_out': {
      const detail = `the recipient opted out of scheduled bills on ${since}`
      return { kind: 'refused', reason: 'opted_out', detail }
    }
  }
}

/** The answer to a delivery that must not be sent. Undefined if it may be. */
export async function refusalOfStopped(
  world: World,
  { accountId, channel, recipient, isScheduled }: ClaimedDelivery,
): Promise<SendAnswer | undefined> {
  if (channel === 'webhook') return undefined
  return world.db.ask(findStop, { accountId, channel, address: addressKey(recipient), isScheduled })
}

const INSERT = `
  INSERT INTO stopped_address (account_id, channel, address, reason, detail, created_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, channel, address, reason) DO NOTHING`

/** An address that is stopped already keeps its first date and words. */
export async function stopAddress(
  world: World,
  { accountId, channel, address, reason }: StopKey,
  detail: string | null = null,
): Promise<void> {
  const words = detail === null ? null : storable(cleanText(detail))
  const values = [accountId, channel, addressKey(address), reason, words, world.clock.now()]
  await world.db.query(INSERT, values)
}

const DELETE = `
  DELETE FROM stopped_address
  WHERE account_id = $1 AND channel = $2 AND address = $3 AND reason = $4
  RETURNING address`

/** Returns false if there is no such stop. Deliveries that it ended stay as they are. */
export async function deleteStop(
  { db }: QueryWorld,
  { accountId, channel, address, reason }: StopKey,
): Promise<boolean> {
  const rows = await db.query(DELETE, [accountId, channel, addressKey(address), reason])
  return rows.length > 0
}

const stop = columnsOf<StoppedAddress>('StoppedAddress', 's')

const OF_ADDRESSES = `
  SELECT ${stop.list} FROM stopped_address s
  WHERE account_id = $1 AND address = ANY($2::text[]) AND channel IN ('email', 'sms')
  ORDER BY channel, address, reason`

/** Those of a few addresses, on any channel. */
export async function stopsOf(
  { db }: World,
  accountId: string,
  addresses: readonly string[],
): Promise<readonly StoppedAddress[]> {
  if (addresses.length === 0) return []
  return (await db.query(OF_ADDRESSES, [accountId, addresses.map(addressKey)])).map(stop.read)
}

/** The order of their key is that of the index. */
const LIST = `
  SELECT ${stop.list} FROM stopped_address s
  WHERE ($1::uuid[] IS NULL OR account_id = ANY($1::uuid[]))
    AND ($2::delivery_channel IS NULL OR channel = $2::delivery_channel)
  ORDER BY account_id, channel, address, reason LIMIT $3`

export async function listStops(
  { db }: QueryWorld,
  {
    accountIds,
    channel,
    limit,
  }: {
    readonly accountIds: readonly string[] | undefined
    readonly channel: MessageChannel | undefined
    readonly limit: number
  },
): Promise<readonly StoppedAddress[]> {
  return (await db.query(LIST, [accountIds ?? null, channel ?? null, limit])).map(stop.read)
}
