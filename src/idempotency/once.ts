// Writes what is decided at once, at most once an idempotency key, with the key's claim and answer
// in the same commit.

import { sqlState, UNIQUE_VIOLATION } from '../db/failure.ts'
import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import type { CanonicalRequest } from './compare-requests.ts'
import { findClaim } from './find-claim.ts'

export interface Doing {
  readonly accountId: string
  readonly operation: string
  readonly idempotencyKey: string | undefined
  /** Without anything that must not be kept. */
  readonly request: CanonicalRequest
  readonly resourceId: string
  readonly answer: object
  readonly writes: readonly Prisma.PrismaPromise<unknown>[]
}

export interface Done {
  readonly status: number
  readonly body: string
  readonly isReplayed: boolean
}

export async function once(world: World, doing: Doing): Promise<Done> {
  const { accountId, idempotencyKey, operation, request } = doing
  const body = JSON.stringify(doing.answer)
  try {
    await world.db.prisma.$transaction([...claimOf(world, doing, body), ...doing.writes])
    return { status: 200, body, isReplayed: false }
  } catch (error) {
    if (idempotencyKey === undefined || sqlState(error) !== UNIQUE_VIOLATION) throw error
    const claim = await findClaim(world, accountId, idempotencyKey, { operation, request })
    if (claim?.answer === undefined) throw error
    return { ...claim.answer, isReplayed: true }
  }
}

/** The answer that the same request got before, for those who must look around before they write. */
export async function answeredBefore(
  world: World,
  { accountId, idempotencyKey }: Pick<Doing, 'accountId' | 'idempotencyKey'>,
  repeat: Pick<Doing, 'operation' | 'request'>,
): Promise<Done | undefined> {
  if (idempotencyKey === undefined) return undefined
  const claim = await findClaim(world, accountId, idempotencyKey, repeat)
  return claim?.answer && { ...claim.answer, isReplayed: true }
}

/** First of the writes: whoever comes second waits here, and then finds the answer. */
function claimOf(world: World, doing: Doing, body: string): Prisma.PrismaPromise<unknown>[] {
  if (doing.idempotencyKey === undefined) return []
  const data = {
    accountId: doing.accountId,
    key: doing.idempotencyKey,
    operation: doing.operation,
    request: doing.request as Prisma.InputJsonObject,
    resourceId: doing.resourceId,
    answerStatus: 200,
    answer: JSON.parse(body),
    createdAt: world.clock.now(),
  }
  return [world.db.prisma.idempotency.create({ data })]
}
