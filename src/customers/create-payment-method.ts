// Makes a payment method of a card or a bank account in the clear, or of a gateway's own token.
//
//   tokenise  the gateway keeps what it must know
//               died here: an unused token at the gateway, nothing of ours
//   write     row, event, answer, and the customer where there was none, in one commit

import type { Asking } from '../accounts/asking.ts'
import type { Mode } from '../accounts/key.ts'
import { Refusal } from '../core/errors.ts'
import { sqlState, UNIQUE_VIOLATION } from '../db/failure.ts'
import { eventWrite } from '../events/event-write.ts'
import type { Customer, PaymentMethod, Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { findClaim } from '../idempotency/find-claim.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { Tokenised } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { customerWrites, newCustomerRow } from './create-customer.ts'
import { keptRequest } from './kept-request.ts'
import type { NewPaymentMethod } from './new-payment-method.ts'
import { paymentMethodView } from './payment-method-view.ts'
import { refuseWrongMode, tokenise } from './tokenise.ts'

const OPERATION = 'create_payment_method'

export async function createPaymentMethod(
  world: World,
  asking: Asking & { readonly mode: Mode },
  input: NewPaymentMethod,
): Promise<Done> {
  refuseWrongMode(asking.mode, input.instrument)
  const request = keptRequest(input)
  const claim = await claimOf(world, asking, request)
  if (claim?.answer !== undefined) return { ...claim.answer, isReplayed: true }
  try {
    return await write(world, asking, input, request)
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    // Another became the customer's default in the same moment: this one is not the first any more.
    return write(world, asking, input, request)
  }
}

async function write(
  world: World,
  asking: Asking,
  input: NewPaymentMethod,
  request: CanonicalRequest,
): Promise<Done> {
  const owner = await ownerOf(world, asking, input)
  const { gatewayName, tokenised } = await tokenise(world, asking, input)
  const row = newRow(world, asking, input, owner, gatewayName, tokenised)
  return once(world, {
    accountId: asking.accountId,
    operation: OPERATION,
    idempotencyKey: asking.idempotencyKey,
    request,
    resourceId: row.id,
    answer: paymentMethodView(row),
    writes: [
      ...(owner.isNew ? customerWrites(world, asking, owner.customer) : []),
      ...methodWrites(world, asking, row),
    ],
  })
}

interface Owner {
  readonly customer: Customer
  readonly isNew: boolean
  readonly hasDefault: boolean
}

function claimOf(world: World, asking: Asking, request: CanonicalRequest) {
  if (asking.idempotencyKey === undefined) return undefined
  return findClaim(world, asking.accountId, asking.idempotencyKey, {
    operation: OPERATION,
    request,
  })
}

async function ownerOf(world: World, asking: Asking, input: NewPaymentMethod): Promise<Owner> {
  if (input.customerId === undefined) {
    const customer = newCustomerRow(world, asking, namedAfter(input.personName))
    return { customer, isNew: true, hasDefault: false }
  }
  const found = await world.db.prisma.customer.findUnique({
    where: {
      accountId_id: { accountId: asking.accountId, id: input.customerId },
      deletedAt: null,
    },
    include: {
      paymentMethods: { where: { isDefault: true, deletedAt: null }, select: { id: true } },
    },
  })
  if (found === null) throw new Refusal('not_found', { faults: { customer_id: ['is unknown'] } })
  const { paymentMethods, ...customer } = found
  return { customer, isNew: false, hasDefault: paymentMethods.length > 0 }
}

/** The last word is the last name, as forms with a single field have it. */
function namedAfter(personName: string) {
  const [, firstname, lastname] = /^(.*\S)\s+(\S+)$/.exec(personName.trim()) ?? []
  return firstname === undefined
    ? { firstname: personName }
    : { firstname, lastname: lastname ?? null }
}

function newRow(
  world: World,
  asking: Asking,
  input: NewPaymentMethod,
  owner: Owner,
  gatewayName: string,
  tokenised: Tokenised,
): PaymentMethod {
  const now = world.accountNow(asking)
  return {
    ...input.details,
    accountId: asking.accountId,
    id: world.newId(),
    customerId: owner.customer.id,
    method: input.method,
    gatewayName,
    gatewayToken: tokenised.token,
    personName: input.personName,
    lastFour: tokenised.lastFour,
    cardType: tokenised.cardType,
    isDefault: !owner.hasDefault,
    meta: input.meta as Prisma.JsonObject,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
}

function methodWrites(
  world: World,
  asking: Asking,
  row: PaymentMethod,
): Prisma.PrismaPromise<unknown>[] {
  return [
    world.db.prisma.paymentMethod.create({
      data: { ...row, meta: row.meta as Prisma.InputJsonObject },
    }),
    eventWrite(world, {
      accountId: row.accountId,
      type: OPERATION,
      resourceId: row.id,
      sequence: row.version,
      view: paymentMethodView(row),
      requestId: asking.requestId,
      at: row.createdAt,
    }),
  ]
}
