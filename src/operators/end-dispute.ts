// An operator records how a dispute ended whose gateway cannot be asked about it any more: that of
// a former account, or of one that was disconnected. Otherwise it would be open, and to answer,
// for ever, and the payment's money would stay held. The gateway's own word goes before: it is
// asked first, and a later event of the dispute is written over the operator's word.

import { type CLOSED_DISPUTES, isClosedDispute } from '../core/dispute.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { RowKey } from '../db/columns.ts'
import { changeOf, writeWithEvents } from '../events/insert-event.ts'
import type { Dispute } from '../generated/client.ts'
import {
  DISPUTE_COLUMNS,
  disputeChange,
  disputeView,
  readDispute,
} from '../payments/afterwards/dispute.ts'
import { lockTransaction } from '../payments/transaction/lock-transaction.ts'
import type { World } from '../world.ts'
import { type Actor, writeAuditEntry } from './audit-entries.ts'

export interface DisputeDecision {
  readonly status: (typeof CLOSED_DISPUTES)[number]
  /** Even if the gateway does not answer. */
  readonly evenIfUnsaid: boolean
}

const FIND = `SELECT ${DISPUTE_COLUMNS} FROM dispute d WHERE d.id = $1`

const HOLD = `${FIND} AND d.account_id = $2 FOR NO KEY UPDATE`

export async function endDispute(
  world: World,
  operator: Actor,
  id: string,
  { status, evenIfUnsaid }: DisputeDecision,
): Promise<Dispute> {
  const [found] = await world.db.query(FIND, [id])
  if (found === undefined) throw new OperatorError(`there is no dispute ${id}`)
  const dispute = openOf(readDispute(found))
  await refuseKnown(world, dispute, evenIfUnsaid)
  const { accountId, transactionId } = dispute
  const key: RowKey = { accountId, id: transactionId }
  return world.db.commit(`after ${accountId} ${dispute.gatewayId}`, async (query) => {
    await lockTransaction(query, key)
    const [held] = await query(HOLD, [id, accountId])
    const before = held === undefined ? dispute : openOf(readDispute(held))
    const now = world.clock.now()
    const end = { status, respondBy: null, closedAt: now, readAt: now, updatedAt: now }
    const row: Dispute = { ...before, ...end, version: before.version + 1 }
    const change = changeOf('update_dispute', row, disputeView(row), { requestId: world.newId() })
    await writeWithEvents(world, query, disputeChange, [row], [change])
    const detail = { account: accountId, status, before: before.status }
    const entry = { action: 'dispute ended', subject: id, detail }
    await writeAuditEntry({ ...world, db: { query } }, operator, entry)
    return row
  })
}

function openOf(dispute: Dispute): Dispute {
  if (!isClosedDispute(dispute.status)) return dispute
  throw new OperatorError(`the dispute has ended already: ${dispute.status}`)
}

async function refuseKnown(
  { gateways, log }: World,
  { gatewayId, gatewayName, place }: Dispute,
  evenIfUnsaid: boolean,
): Promise<void> {
  if (gatewayName === 'sandbox') {
    throw new OperatorError('a dispute of the sandbox is ended by its API')
  }
  if (!gateways.serves({ gatewayName })) return
  const known = await gateways
    .named(gatewayName)
    .feed?.findDispute(place, gatewayId)
    .catch((err: unknown) => {
      log.warn({ err, gateway: gatewayName, place, gatewayId }, 'a gateway did not name a dispute')
      if (evenIfUnsaid) return undefined
      throw new OperatorError(
        'the gateway did not say whether it knows it: try again later, or --even-if-unsaid',
      )
    })
  if (known === undefined) return
  throw new OperatorError(
    `the gateway knows the dispute, as ${known.status}: its end is read from there`,
  )
}
