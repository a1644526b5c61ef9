// Writes a payment method after the gateway has made its token: row, event and answer, and a new
// customer if none is named, in one commit.

import type { RequestContext } from '../accounts/acting-account.ts'
import { unknownId } from '../core/errors.ts'
import type { Query } from '../db/database.ts'
import type { PaymentMethod } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { Tokenised } from '../outside/gateway/port.ts'
import { firstVersion } from '../resource/row-versions.ts'
import type { World } from '../world.ts'
import { newCustomerRow } from './create-customer.ts'
import { customers } from './customer.ts'
import {
  endDefault,
  holdDefault,
  PAYMENT_METHOD,
  type PaymentMethodInput,
  paymentMethods,
  paymentMethodView,
} from './payment-method.ts'
import { isForOnePayment } from './refuse-page-method.ts'

export const CREATE_PAYMENT_METHOD = 'create_payment_method'

/** The owner: an existing customer, or a new one with this name. */
export interface Payer {
  readonly customerId: string | undefined
  readonly personName: string
  /** For a new customer. */
  readonly email: string | undefined
}

export interface TokenisedMethod extends Payer {
  readonly method: 'card' | 'bank'
  /** Columns that are stored as they were sent. */
  readonly fields: PaymentMethodInput
  /** If undefined, it becomes the default of a customer who has none. */
  readonly isDefault: boolean | undefined
  readonly gatewayName: string
  readonly tokenised: Tokenised
}

/** Once for each key: a repeat gets the first answer. */
export function writePaymentMethod(
  world: World,
  context: RequestContext,
  input: TokenisedMethod,
  request: CanonicalRequest,
): Promise<Done> {
  const id = world.newId()
  const claim = {
    operation: CREATE_PAYMENT_METHOD,
    request,
    resourceId: id,
    locks: input.customerId,
  }
  return once(world, context, claim, async (query) => {
    const owner = await holdOwner(world, query, context, input)
    const row = newRow(world, context, id, input, owner)
    if (row.isDefault && owner.former !== undefined) {
      await endDefault(world, query, context, owner.id, row.createdAt)
    }
    await paymentMethods.insert(world, query, context, row)
    return paymentMethodView(row)
  })
}

interface Owner {
  readonly id: string
  /** The default payment method so far. */
  readonly former: PaymentMethod | undefined
}

async function holdOwner(
  world: World,
  query: Query,
  context: RequestContext,
  { customerId, personName, email }: Payer,
): Promise<Owner> {
  const { accountId } = context
  if (customerId !== undefined) {
    const customer = await customers.hold(query, { accountId, id: customerId })
    if (customer === undefined) throw unknownId('customer_id')
    return { id: customerId, former: await holdDefault(query, { accountId, customerId }) }
  }
  const named = { ...namedAfter(personName), email: email ?? null }
  const customer = newCustomerRow(world, context, named)
  await customers.insert(world, query, context, customer)
  return { id: customer.id, former: undefined }
}

/** The last word is the last name, as in forms with a single field. */
function namedAfter(personName: string) {
  const [, firstname, lastname] = /^(.*\S)\s+(\S+)$/.exec(personName.trim()) ?? []
  return firstname === undefined
    ? { firstname: personName }
    : { firstname, lastname: lastname ?? null }
}

/** Earlier versions made a card from a page the default. One for one payment is good for no other. */
function hasDefault(world: World, { former }: Owner): boolean {
  return former !== undefined && !isForOnePayment(world, former)
}

function newRow(
  world: World,
  context: RequestContext,
  id: string,
  input: TokenisedMethod,
  owner: Owner,
): PaymentMethod {
  const now = world.accountNow(context)
  const { tokenised } = input
  return {
    ...PAYMENT_METHOD.newColumns(input.fields),
    accountId: context.accountId,
    id,
    customerId: owner.id,
    method: input.method,
    gatewayName: input.gatewayName,
    gatewayToken: tokenised.token,
    lastFour: tokenised.lastFour,
    cardType: tokenised.cardType,
    isDefault: input.isDefault ?? !hasDefault(world, owner),
    ...firstVersion(now),
    forgetDueAt: null,
  }
}
