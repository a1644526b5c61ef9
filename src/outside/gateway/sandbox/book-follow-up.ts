// Captures, voids and refunds in the sandbox gateway's ledger. Like a real gateway it keeps its own
// sums and declines what exceeds them.

import type { Database, Query } from '../../../db/database.ts'
import {
  type Booked,
  INSERT_ORDER,
  orderValues,
  type SandboxEntry,
  type SandboxOrder,
} from './sandbox-ledger.ts'

/** Carried out once for each key; a repeat gets the first result. */
export function bookFollowUp(db: Database, entry: SandboxOrder): Promise<Booked> {
  const about = `sandbox gateway ${entry.accountId} ${entry.parentKey}`
  return db.commit(about, async (query) => {
    const parent = await lockParent(query, entry)
    const known = await find(query, entry)
    if (known !== undefined) return known
    const outcome = isCovered(entry, parent) ? 'approved' : 'declined'
    await query(INSERT_ORDER, orderValues(entry, outcome))
    return { gatewayId: entry.gatewayId, outcome }
  })
}

/** The amounts approved so far. */
interface Parent {
  readonly operation: string
  readonly amount: bigint
  readonly taken: bigint
  readonly isVoided: boolean
}

const LOCK = `
  SELECT operation, amount FROM sandbox_gateway_payment
  WHERE account_id = $1 AND key = $2 AND outcome = 'approved'
  FOR UPDATE`

const SUMS = `
  SELECT coalesce(sum(amount) FILTER (WHERE operation <> 'void'), 0)::bigint AS taken,
    coalesce(bool_or(operation = 'void'), false) AS is_voided
  FROM sandbox_gateway_payment
  WHERE account_id = $1 AND parent_key = $2 AND outcome = 'approved'`

const FIND = `
  SELECT gateway_id, outcome FROM sandbox_gateway_payment WHERE account_id = $1 AND key = $2`

async function lockParent(query: Query, entry: SandboxOrder): Promise<Parent | undefined> {
  const place = [entry.accountId, entry.parentKey]
  const [parent] = await query(LOCK, place)
  const [sums] = await query(SUMS, place)
  if (parent === undefined || sums === undefined) return undefined
  return {
    operation: parent.operation,
    amount: BigInt(parent.amount),
    taken: BigInt(sums.taken),
    isVoided: sums.is_voided,
  }
}

async function find(query: Query, { accountId, key }: SandboxEntry): Promise<Booked | undefined> {
  const [row] = await query(FIND, [accountId, key])
  return row && { gatewayId: row.gateway_id, outcome: row.outcome }
}

function isCovered({ operation, amount }: SandboxEntry, parent: Parent | undefined): boolean {
  if (parent === undefined || parent.isVoided) return false
  const isOfPreAuth = parent.operation === 'pre_auth'
  switch (operation) {
    case 'void':
      return amount === parent.amount && parent.taken === 0n
    case 'capture':
      return isOfPreAuth && parent.taken + amount <= parent.amount
    case 'refund':
      return !isOfPreAuth && parent.taken + amount <= parent.amount
    default:
      return false
  }
}
