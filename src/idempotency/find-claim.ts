// Finds the request that has an idempotency key, and whether a repeat may have its answer.

import { Refusal } from '../core/errors.ts'
import type { FirstWork } from '../core/transaction.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'
import type { Keyed } from './claim-key.ts'
import { type CanonicalRequest, differences } from './compare-requests.ts'

interface Repeat {
  readonly operation: string
  readonly request: CanonicalRequest
  /** Fields that the repeat leaves to the resource, which may have other values by now. */
  readonly left?: readonly string[]
  /** The repeat's own names of fields, where the API takes several for one. */
  readonly called?: Readonly<Record<string, string>>
}

interface KeyClaim {
  readonly operation: string
  readonly request: CanonicalRequest
  readonly resourceId: string
  /**
   * For requests that are decided at once. The answer of a payment is the event of its outcome, as
   * long as that exists.
   */
  readonly answer: { readonly status: number; readonly body: string } | undefined
}

export const findClaimByKey = gatheredStatement({
  name: 'find-claim',
  columns: { accountId: 'uuid', key: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, k.operation, k.request, k.resource_id, k.answer_status, k.answer::text AS answer
    FROM input i JOIN idempotency k ON k.account_id = i.account_id AND k.key = i.key`,
  read: (row): KeyClaim => ({
    operation: row.operation,
    request: row.request,
    resourceId: row.resource_id,
    answer: row.answer === null ? undefined : { status: row.answer_status, body: row.answer },
  }),
})

export interface AcceptedRequest {
  readonly id: string
  /** Undefined for a repeat of an earlier request, which has started the work. */
  readonly work: FirstWork | undefined
}

/** The resource that the first request with this key created. */
export async function acceptedBefore(
  world: World,
  keyed: Keyed,
  repeat: Repeat,
): Promise<AcceptedRequest> {
  const claim = await findClaim(world, keyed, repeat)
  if (claim === undefined) throw new Error('the key was claimed, and its claim is missing')
  return { id: claim.resourceId, work: undefined }
}

/**
 * Returns the claim of the same request, or undefined if the key is free or there is none. Throws a
 * conflict if the key belongs to another request.
 */
export async function findClaim(
  world: World,
  { accountId, idempotencyKey: key }: Keyed,
  repeat: Repeat,
): Promise<KeyClaim | undefined> {
  if (key === undefined) return undefined
  const claim = await world.db.ask(findClaimByKey, { accountId, key })
  if (claim === undefined) return undefined
  if (claim.operation !== repeat.operation) {
    throw new Refusal('idempotency_conflict', {
      message: `this idempotency key belongs to a request of another kind (${claim.operation})`,
    })
  }
  const { request, left = [], called = {} } = repeat
  const kept = Object.fromEntries(left.map((field) => [field, claim.request[field]]))
  const found = Object.entries(differences(claim.request, { ...request, ...kept }))
  if (found.length === 0) return claim
  const faults = Object.fromEntries(found.map(([field, said]) => [called[field] ?? field, said]))
  throw new Refusal('idempotency_conflict', { faults })
}
