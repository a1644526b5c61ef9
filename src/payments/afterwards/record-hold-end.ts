// Writes on a pre_auth that its hold has lapsed at the gateway, with its event, in one commit. Its
// follow-ups under way are decided first: a void releases the hold as well, and a capture ends it.
// For one that waits for a person this does not wait longer than other news.

import assert from 'node:assert'
import { ACTING_COLUMNS, readActing } from '../../accounts/acting-account.ts'
import type { Query } from '../../db/database.ts'
import type { GatewayHoldEnd } from '../../outside/gateway/feed-port.ts'
import type { World } from '../../world.ts'
import { contextOfCaller } from '../transaction/account-context.ts'
import { lockTransaction, transactionTurn } from '../transaction/lock-transaction.ts'
import type { TransactionRow } from '../transaction/transaction-row.ts'
import { versionAfter } from '../transaction/transaction-version.ts'
import { writeChange } from '../transaction/write-change.ts'
import type { NewsContext, NewsResult } from './record-payment-news.ts'

export function recordHoldEnd(
  world: World,
  context: NewsContext,
  { payment: { accountId, gatewayId, key: id } }: GatewayHoldEnd,
): Promise<NewsResult> {
  const key = { accountId, id }
  return world.db.commit(transactionTurn(key), async (query) => {
    const row = await lockTransaction(query, key)
    if (row?.type !== 'pre_auth' || row.gatewayName !== context.gatewayName) return 'nothing new'
    if (row.status === 'PENDING') return 'too early'
    if (row.authId !== gatewayId || row.status === 'FAILED') return 'nothing new'
    if (row.isVoided || row.holdEndedAt !== null) return 'nothing new'
    const isAsked = row.voidId !== null || row.reserved > 0n
    if (isAsked && context.isOverdue !== true) return 'too early'
    await write(world, query, context, row)
    return 'written'
  })
}

const ACCOUNT = `
  SELECT ${ACTING_COLUMNS} FROM account a JOIN team t ON t.id = a.team_id WHERE a.id = $1`

async function write(
  world: World,
  query: Query,
  context: NewsContext,
  row: TransactionRow,
): Promise<void> {
  const [account] = await query(ACCOUNT, [row.accountId])
  assert(account !== undefined, 'a transaction has an account')
  const { now } = context
  const ended = { holdEndedAt: now, updatedAt: now, version: versionAfter(row.version) }
  const accountContext = contextOfCaller(world, readActing(account))
  await writeChange(world, query, accountContext, context, { ...row, ...ended })
}
