// The transactions of a batch, and those that somebody names, as far as a gateway's books can be
// compared with them.

import { isId } from '../core/id.ts'
import { dateText } from '../core/whole-days.ts'
import type { Row } from '../db/gathered.ts'
import type { Transaction } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch-row.ts'

export interface OurTransaction
  extends Pick<
    Transaction,
    | 'id'
    | 'type'
    | 'status'
    | 'total'
    | 'authId'
    | 'gatewayName'
    | 'businessDate'
    | 'batchId'
    | 'voidId'
    | 'isVoided'
    | 'createdAt'
  > {}

/** Of one statement. */
const PAGE = 1_000

const FIRST = { id: '00000000-0000-0000-0000-000000000000', createdAt: new Date(0) }

const COLUMNS = `id, type, status, total, auth_id, gateway_name, business_date, batch_id, void_id,
    is_voided, created_at`

const TAKEN = `
  SELECT ${COLUMNS} FROM transaction
  WHERE account_id = $1 AND batch_id = $2 AND (created_at, id) > ($3, $4)
  ORDER BY created_at, id
  LIMIT ${PAGE}`

const NOT_TAKEN = `
  SELECT ${COLUMNS} FROM transaction
  WHERE account_id = $1 AND (business_date, id) > ($2::date, $3) AND business_date <= $2::date
    AND batch_id IS NULL AND NOT is_voided AND void_id IS NULL
  ORDER BY business_date, id
  LIMIT ${PAGE}`

/** What it took, and of one that is not closed what it would take, page by page. */
export async function* pagesOfBatch(
  world: World,
  { accountId, id, status, businessDate }: BatchRow,
): AsyncGenerator<readonly OurTransaction[]> {
  const { query } = world.db
  yield* pages(({ createdAt, id: last }) => query(TAKEN, [accountId, id, createdAt, last]))
  if (status === 'closed') return
  const date = dateText(businessDate)
  yield* pages(({ id: last }) => query(NOT_TAKEN, [accountId, date, last]))
}

async function* pages(
  pageAfter: (last: Pick<OurTransaction, 'id' | 'createdAt'>) => Promise<readonly Row[]>,
): AsyncGenerator<readonly OurTransaction[]> {
  let last: Pick<OurTransaction, 'id' | 'createdAt'> | undefined = FIRST
  while (last !== undefined) {
    const page: readonly OurTransaction[] = (await pageAfter(last)).map(read)
    if (page.length > 0) yield page
    last = page.length === PAGE ? page.at(-1) : undefined
  }
}

const NAMED = `
  SELECT ${COLUMNS} FROM transaction WHERE account_id = $1 AND id = ANY($2::uuid[])`

/** What a gateway calls something else than by an id was not made by us. */
export async function ourTransactions(
  world: World,
  accountId: string,
  keys: readonly string[],
): Promise<readonly OurTransaction[]> {
  return (await world.db.query(NAMED, [accountId, keys.filter(isId)])).map(read)
}

function read(row: Row): OurTransaction {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    total: BigInt(row.total),
    authId: row.auth_id,
    gatewayName: row.gateway_name,
    businessDate: row.business_date,
    batchId: row.batch_id,
    voidId: row.void_id,
    isVoided: row.is_voided,
    createdAt: row.created_at,
  }
}
