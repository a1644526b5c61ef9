// Makes a payment method of a card or a bank account in the clear, or of a gateway's own token.
//
//   tokenise  the gateway keeps what it must know
//               died here: an unused token at the gateway, nothing of ours
//   write     row, event, answer, and the customer where there was none, in one commit

import type { Asking } from '../accounts/asking.ts'
import type { Mode } from '../accounts/key.ts'
import { Refusal } from '../core/errors.ts'
import { retryLostRace } from '../db/retry-lost-race.ts'
import type { Customer, PaymentMethod, Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { findClaim } from '../idempotency/find-claim.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { newCustomerRow } from './create-customer.ts'
import { customerWrites, heldCustomer } from './customer-writes.ts'
import { keptRequest } from './kept-request.ts'
import type { NewPaymentMethod } from './new-payment-method.ts'
import { paymentMethodView } from './payment-method-view.ts'
import { paymentMethodWrites } from './payment-method-writes.ts'
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
  await ownerOf(world, asking, input) // before the gateway hears of it
  const token = await tokenise(world, asking, input)
  const about = { accountId: asking.accountId, id: input.customerId ?? world.newId() }
  return retryLostRace(world.db, about, () => write(world, asking, input, request, token))
}

/** Lost to whoever deletes the customer, or becomes his default, in the same moment. */
async function write(
  world: World,
  asking: Asking,
  input: NewPaymentMethod,
  request: CanonicalRequest,
  token: Token,
): Promise<Done> {
  const owner = await ownerOf(world, asking, input)
  const row = newRow(world, asking, input, owner, token)
  const { customer } = owner
  return once(world, {
    accountId: asking.accountId,
    operation: OPERATION,
    idempotencyKey: asking.idempotencyKey,
    request,
    resourceId: row.id,
    answer: paymentMethodView(row),
    writes: [
      ...(owner.isNew ? customerWrites(world, asking, customer) : [heldCustomer(world, customer)]),
      ...paymentMethodWrites(world, asking, row),
    ],
  })
}

type Token = Awaited<ReturnType<typeof tokenise>>

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
  { gatewayName, tokenised }: Token,
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
