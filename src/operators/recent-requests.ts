// The requests of the last day, for operators: the API server writes them, the console lists them,
// and the retention deletes them.

import { firstIdAt } from '../core/id.ts'
import { columnsOf } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import { forgetByAccount, ROWS_PER_COMMIT } from '../db/forget-by-account.ts'
import type { RecentRequest } from '../generated/client.ts'
import type { World } from '../world.ts'

const INSERT = `
  INSERT INTO recent_request
    (account_id, id, key_id, request_id, method, path, status, error, ms, at, subject_id,
     message)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[],
    $7::integer[], $8::text[], $9::integer[], $10::timestamptz[], $11::uuid[],
    $12::text[])`

export async function insertRequests(
  { db }: Pick<World, 'db'>,
  requests: readonly KeptRequest[],
): Promise<void> {
  const columns = [
    'accountId',
    'id',
    'keyId',
    'requestId',
    'method',
    'path',
    'status',
    'error',
    'ms',
    'at',
    'subjectId',
    'message',
  ] as const
  const values = columns.map((name) => requests.map((request) => request[name]))
  await db.query(INSERT, values)
}

export type KeptRequest = RecentRequest

export interface ListedRequest extends KeptRequest {
  readonly keyName: string
}

const request = columnsOf<KeptRequest>('RecentRequest', 'r')

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
  columns: `${request.list}, key.name AS key_name`,
  joins: 'LEFT JOIN api_key key ON key.account_id = r.account_id AND key.id = r.key_id',
  view: (row): ListedRequest => ({ ...request.read(row), keyName: row.key_name ?? '' }),
})

/** More refusals are those of a program that repeats them. */
const MOST_REFUSALS = 20

/** The refused requests whose path names a row, the newest first. */
export function refusalsOf(
  { db }: Pick<World, 'db'>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<readonly KeptRequest[]> {
  return db.prisma.recentRequest.findMany({
    where: { accountId, subjectId: id, status: { gte: 400 } },
    orderBy: { id: 'desc' },
    take: MOST_REFUSALS,
  })
}

const FORGET = `
  WITH old AS MATERIALIZED (
    SELECT ctid, id FROM recent_request
    WHERE account_id = $1 AND id > $2 AND id < $3
    ORDER BY id
    LIMIT ${ROWS_PER_COMMIT}
  ),
  gone AS (
    DELETE FROM recent_request WHERE ctid = ANY(ARRAY(SELECT ctid FROM old LIMIT $4)) RETURNING 1
  )
  SELECT (SELECT count(*) FROM old)::integer AS seen,
    (SELECT count(*) FROM gone)::integer AS gone,
    (SELECT id FROM old ORDER BY id DESC LIMIT 1) AS last`

export function forgetRequests({ db }: Pick<World, 'db'>, madeBefore: Date, most: number) {
  const before = firstIdAt(madeBefore)
  return forgetByAccount(db, { table: 'recent_request', before, most, statement: FORGET })
}
