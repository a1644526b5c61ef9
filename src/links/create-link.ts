// Makes a payment link. Row, name, event and the answer to repeats are one commit.

import { randomBytes } from 'node:crypto'
import type { Asking } from '../accounts/asking.ts'
import type { Cents } from '../core/money.ts'
import { eventWrite } from '../events/event-write.ts'
import type { PaymentLink, Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { linkView } from './link-view.ts'

export interface NewLink {
  readonly commonName: string
  /** null: the payer types it. */
  readonly amount: Cents | null
  readonly active: boolean
  readonly linkMeta: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

const OPERATION = 'create_payment_link'

/** Whoever knows the id can open the page, so it is random throughout: no time in it, no count. */
const ID_BYTES = 16

export async function createLink(world: World, asking: Asking, input: NewLink): Promise<Done> {
  const row = newRow(world, asking, input)
  return once(world, {
    accountId: asking.accountId,
    operation: OPERATION,
    idempotencyKey: asking.idempotencyKey,
    request: canonical(world, row),
    resourceId: row.id,
    answer: linkView(world, row),
    writes: linkWrites(world, asking, row),
  })
}

function newRow(world: World, asking: Asking, input: NewLink): PaymentLink {
  const now = world.accountNow(asking)
  return {
    accountId: asking.accountId,
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

/** What a repeat is compared with: all that the caller has said, and nothing that we have added. */
function canonical(world: World, row: PaymentLink): CanonicalRequest {
  const { common_name, amount, active, link_meta, meta } = linkView(world, row)
  return JSON.parse(JSON.stringify({ common_name, amount, active, link_meta, meta }))
}

function linkWrites(
  world: World,
  asking: Asking,
  row: PaymentLink,
): Prisma.PrismaPromise<unknown>[] {
  const { accountId, id } = row
  const linkMeta = row.linkMeta as Prisma.InputJsonObject
  const meta = row.meta as Prisma.InputJsonObject
  return [
    world.db.prisma.paymentLink.create({ data: { ...row, linkMeta, meta } }),
    world.db.prisma.paymentLinkName.create({ data: { id, accountId } }),
    eventWrite(world, {
      accountId,
      type: OPERATION,
      resourceId: id,
      sequence: row.version,
      view: linkView(world, row),
      requestId: asking.requestId,
      at: row.createdAt,
    }),
  ]
}
