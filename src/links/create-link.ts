// Creates a payment link. Row, name, event and the answer to repeats are one commit.

import { randomBytes } from 'node:crypto'
import type { RequestContext } from '../accounts/acting-account.ts'
import type { Cents } from '../core/money.ts'
import type { Query } from '../db/database.ts'
import type { PaymentLink, Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { links, linkView } from './link.ts'

export interface NewLink {
  readonly commonName: string
  /** Null if the payer enters the amount. */
  readonly amount: Cents | null
  readonly active: boolean
  readonly linkMeta: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

const OPERATION = 'create_payment_link'

/** The id alone opens the page, so all of it is random: no time and no counter. */
const ID_BYTES = 16

export async function createLink(
  world: World,
  context: RequestContext,
  input: NewLink,
): Promise<Done> {
  const row = newRow(world, context, input)
  const { accountId, idempotencyKey } = context
  const request = canonical(world, row)
  const doing = { accountId, idempotencyKey, operation: OPERATION, request, resourceId: row.id }
  return once(world, doing, (query) => write(world, query, context, row))
}

function newRow(world: World, context: RequestContext, input: NewLink): PaymentLink {
  const now = world.accountNow(context)
  return {
    accountId: context.accountId,
    id: randomBytes(ID_BYTES).toString('hex'),
    commonName: input.commonName,
    amount: input.amount,
    active: input.active,
    linkMeta: input.linkMeta as Prisma.JsonObject,
    meta: input.meta as Prisma.JsonObject,
    totalSales: 0n,
    totalTransactions: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
}

/** A repeat is compared with this: all input of the caller, and nothing that the service added. */
function canonical(world: World, row: PaymentLink): CanonicalRequest {
  const { common_name, amount, active, link_meta, meta } = linkView(world, row)
  return JSON.parse(JSON.stringify({ common_name, amount, active, link_meta, meta }))
}

const INSERT_NAME = 'INSERT INTO payment_link_name (id, account_id) VALUES ($1, $2)'

async function write(
  world: World,
  query: Query,
  context: RequestContext,
  row: PaymentLink,
): Promise<object> {
  await links.insert(world, query, context, row)
  await query(INSERT_NAME, [row.id, row.accountId])
  return linkView(world, row)
}
