// Writes a payment method of what the gateway has made a token of: row, event, answer, and the
// customer where there was none, in one commit.

import type { Asking } from '../accounts/asking.ts'
import { Refusal } from '../core/errors.ts'
import { retryLostRace } from '../db/retry-lost-race.ts'
import type { Customer, PaymentMethod, Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { Tokenised } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { newCustomerRow } from './create-customer.ts'
import { customerWrites, heldCustomer } from './customer-writes.ts'
import type { NewPaymentMethod } from './new-payment-method.ts'
import { paymentMethodView } from './payment-method-view.ts'
import { paymentMethodWrites } from './payment-method-writes.ts'

export const CREATE_PAYMENT_METHOD = 'create_payment_method'

/** Whose it is to be: a customer who is there, or a new one of that name. */
export interface Payer {
  readonly customerId: string | undefined
  readonly personName: string
  /** Of a new customer. */
  readonly email: string | undefined
}

export interface TokenisedMethod
  extends Payer,
    Pick<NewPaymentMethod, 'method' | 'details' | 'meta'> {
  readonly gatewayName: string
  readonly tokenised: Tokenised
}

/** Once a key: a repeat gets the answer that the same request got before. */
export function writePaymentMethod(
  world: World,
  asking: Asking,
  input: TokenisedMethod,
  request: CanonicalRequest,
): Promise<Done> {
  const about = { accountId: asking.accountId, id: input.customerId ?? world.newId() }
  // Lost to whoever deletes the customer, or becomes his default, in the same moment.
  return retryLostRace(world.db, about, async () => {
    const owner = await ownerOf(world, asking, input)
    const row = newRow(world, asking, input, owner)
    const { customer, isNew } = owner
    return once(world, {
      accountId: asking.accountId,
      operation: CREATE_PAYMENT_METHOD,
      idempotencyKey: asking.idempotencyKey,
      request,
      resourceId: row.id,
      answer: paymentMethodView(row),
      writes: [
        ...(isNew ? customerWrites(world, asking, customer) : [heldCustomer(world, customer)]),
        ...paymentMethodWrites(world, asking, row),
      ],
    })
  })
}

interface Owner {
  readonly customer: Customer
  readonly isNew: boolean
  readonly hasDefault: boolean
}

export async function ownerOf(world: World, asking: Asking, payer: Payer): Promise<Owner> {
  const { customerId, personName, email } = payer
  if (customerId === undefined) {
    const customer = newCustomerRow(world, asking, {
      ...namedAfter(personName),
      email: email ?? null,
    })
    return { customer, isNew: true, hasDefault: false }
  }
  const found = await world.db.prisma.customer.findUnique({
    where: { accountId_id: { accountId: asking.accountId, id: customerId }, deletedAt: null },
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

function newRow(world: World, asking: Asking, input: TokenisedMethod, owner: Owner): PaymentMethod {
  const now = world.accountNow(asking)
  const { tokenised } = input
  return {
    ...input.details,
    accountId: asking.accountId,
    id: world.newId(),
    customerId: owner.customer.id,
    method: input.method,
    gatewayName: input.gatewayName,
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
