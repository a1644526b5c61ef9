// Makes a customer. Row, event and the answer to repeats are one commit.

import type { Asking } from '../accounts/asking.ts'
import type { Customer, Prisma } from '../generated/client.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { customerView } from './customer-view.ts'
import { customers } from './customers.ts'

/** Absent and null are the same: nothing is known. Phone numbers are E.164 by now. */
export interface NewCustomer {
  readonly firstname?: string | null
  readonly lastname?: string | null
  readonly company?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly ccEmails?: readonly string[]
  readonly ccSms?: readonly string[]
  readonly address1?: string | null
  readonly address2?: string | null
  readonly addressCity?: string | null
  readonly addressState?: string | null
  readonly addressZip?: string | null
  readonly addressCountry?: string | null
  readonly notes?: string | null
  readonly reference?: string | null
  readonly meta?: Readonly<Record<string, unknown>>
}

export async function createCustomer(
  world: World,
  asking: Asking,
  input: NewCustomer,
): Promise<Done> {
  const row = newCustomerRow(world, asking, input)
  const { accountId, idempotencyKey } = asking
  const doing = {
    accountId,
    idempotencyKey,
    operation: 'create_customer',
    request: canonical(row),
    resourceId: row.id,
  }
  return once(world, doing, async (query) => {
    await customers.insert(world, query, asking, row)
    return customerView(row)
  })
}

/** What a repeat is compared with: all that the caller has said, and nothing that we have added. */
function canonical(row: Customer): CanonicalRequest {
  const { id: _id, created_at: _created, updated_at: _updated, ...said } = customerView(row)
  return JSON.parse(JSON.stringify(said))
}

export function newCustomerRow(world: World, asking: Asking, input: NewCustomer): Customer {
  const now = world.accountNow(asking)
  return {
    accountId: asking.accountId,
    id: world.newId(),
    firstname: input.firstname ?? null,
    lastname: input.lastname ?? null,
    company: input.company ?? null,
    email: input.email ?? null,
    phone: input.phone ?? null,
    ccEmails: [...(input.ccEmails ?? [])],
    ccSms: [...(input.ccSms ?? [])],
    address1: input.address1 ?? null,
    address2: input.address2 ?? null,
    addressCity: input.addressCity ?? null,
    addressState: input.addressState ?? null,
    addressZip: input.addressZip ?? null,
    addressCountry: input.addressCountry ?? null,
    notes: input.notes ?? null,
    reference: input.reference ?? null,
    meta: (input.meta ?? {}) as Prisma.JsonObject,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
}
