// The requests of the last day, for operators: the API server writes them, the console lists them,
// and the retention deletes them.

import { columnsOf, type RowKey } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import { forgetByAccount } from '../db/forget-by-account.ts'
import type { RecentRequest } from '../generated/client.ts'
import type { World } from '../world.ts'

export type KeptRequest = RecentRequest

export interface ListedRequest extends KeptRequest {
  readonly keyName: string
}

export const recentRequests = columnsOf<KeptRequest>('RecentRequest', 'r')

export const ANSWER_KINDS = ['done', 'refused', 'failed'] as const

export const RECENT_REQUESTS = declareList({
  table: 'recent_request',
  alias: 'r',
  filters: {
    keyId: 'r.key_id = $value',
    requestId: 'r.request_id = $value',
    answer: (kind: (typeof ANSWER_KINDS)[number]) => {
      switch (kind) {
        case 'done':
          return 'r.status < 400'
        case 'refused':
          return 'r.status BETWEEN 400 AND 499'
        case 'failed':
          return 'r.status >= 500'
      }
    },
  },
  sorts: {},
  columns: `${recentRequests.list}, key.name AS key_name`,
  joins: 'LEFT JOIN api_key key ON key.account_id = r.account_id AND key.id = r.key_id',
  view: (row): ListedRequest => ({ ...recentRequests.read(row), keyName: row.key_name ?? '' }),
})

/** More refusals are those of a program that repeats them. */
const MOST_REFUSALS = 20

/** The refused requests whose path names a row, the newest first. */
export function refusalsOf(
  { db }: Pick<World, 'db'>,
  { accountId, id }: RowKey,
): Promise<readonly KeptRequest[]> {
  return db.prisma.recentRequest.findMany({
    where: { accountId, subjectId: id, status: { gte: 400 } },
    orderBy: { id: 'desc' },
    take: MOST_REFUSALS,
  })
}

/** Whether a request of an account is still kept: its list says which key sent it. */
export async function isKeptRequest(
  { db }: Pick<World, 'db'>,
  accountId: string,
  requestId: string,
): Promise<boolean> {
  return (await db.prisma.recentRequest.count({ where: { accountId, requestId }, take: 1 })) > 0
}

export function forgetRequests({ db }: Pick<World, 'db'>, madeBefore: Date, most: number) {
  return forgetByAccount(db, { table: 'recent_request', madeBefore, most })
}
