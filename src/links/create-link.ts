// Creates a payment link. Row, name, event and the answer to repeats are one commit.

import { randomBytes } from 'node:crypto'
import type { RequestContext } from '../accounts/acting-account.ts'
import type { PaymentLink } from '../generated/client.ts'
import { type Done, once } from '../idempotency/once.ts'
import { firstVersion } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { links, linkView, type NewLink, PAYMENT_LINK } from './link.ts'

/** The id alone opens the page, so all of it is random: no time and no counter. */
const ID_BYTES = 16

const INSERT_NAME = 'INSERT INTO payment_link_name (id, account_id) VALUES ($1, $2)'

export async function createLink(
  world: World,
  context: RequestContext,
  input: NewLink,
): Promise<Done> {
  const row = newLinkRow(world, context, input)
  const request = PAYMENT_LINK.canonical(row)
  const claim = { operation: 'create_payment_link', request, resourceId: row.id }
  return once(world, context, claim, async (query) => {
    await links.insert(world, query, context, row)
    await query(INSERT_NAME, [row.id, row.accountId])
    return linkView(world, row)
  })
}

function newLinkRow(world: World, context: RequestContext, input: NewLink): PaymentLink {
  const now = world.accountNow(context)
  return {
    ...PAYMENT_LINK.newColumns(input),
    accountId: context.accountId,
    id: randomBytes(ID_BYTES).toString('hex'),
    totalSales: 0n,
    totalTransactions: 0,
    ...firstVersion(now),
  }
}
