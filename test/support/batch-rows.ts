// Batches as rows in the database, without business days.

import type { Merchant, TestService } from './test-service.ts'

export interface BatchFields {
  readonly business_date: string
  readonly cutoff_at: string
  readonly status: 'open' | 'closing' | 'closed'
  readonly count: number
  /** In whole cents. */
  readonly sales: number
  readonly refunds: number
  readonly created_at: string
  readonly closed_at: string | null
  readonly deposit_at: string | null
}

/** A batch of a Monday, with one sale of 10.00. */
const CLOSED: BatchFields = {
  business_date: '2026-01-05',
  cutoff_at: '2026-01-06T01:00:00.000Z',
  status: 'closed',
  count: 1,
  sales: 1_000,
  refunds: 0,
  created_at: '2026-01-05T15:00:00.000Z',
  closed_at: '2026-01-06T01:00:00.000Z',
  deposit_at: '2026-01-06T14:00:00.000Z',
}

/** The columns that a batch which is not closed cannot have. */
export const OPEN: Partial<BatchFields> = {
  status: 'open',
  count: 0,
  sales: 0,
  closed_at: null,
  deposit_at: null,
}

/** Answers its id. */
export async function insertBatch(
  service: TestService,
  { accountId }: Pick<Merchant, 'accountId'>,
  own: Partial<BatchFields> = {},
): Promise<string> {
  const id = service.world.newId()
  const fields = { account_id: accountId, id, timezone: 'America/New_York', ...CLOSED, ...own }
  const names = Object.keys(fields)
  const places = names.map((_, i) => `$${i + 1}`)
  await service.world.db.query(
    `INSERT INTO batch (${names.join()}) VALUES (${places.join()})`,
    Object.values(fields),
  )
  return id
}
