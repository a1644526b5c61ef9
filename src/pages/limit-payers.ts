// Limits how often one network address may try a card, pay, request a receipt or opt out. Testing
// stolen cards takes many attempts.

import type { FastifyReply } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import { clientAddress } from '../limits/client-address.ts'
import type { World } from '../world.ts'
import { PayerRefusal } from './payment-refusals.ts'

const LIMITS = {
  payment: 'paymentsAMinute',
  token: 'tokensAMinute',
  receipt: 'receiptsAMinute',
  unsubscribe: 'unsubscribesAMinute',
} as const

export async function limitPayers(
  world: World,
  reply: FastifyReply,
  what: keyof typeof LIMITS,
): Promise<void> {
  const subject = `page-${what}:${clientAddress(reply.request.ip)}`
  const tooMany = what === 'unsubscribe' ? 'tooManyRequests' : 'tooMany'
  await countOrRefuse(world, reply, subject, world.timings[LIMITS[what]], tooMany)
}

export interface CountedAttempt {
  /** For a payment that has not failed. */
  takeBack(): Promise<void>
  /** For one whose count was taken back, and that failed later. */
  countAgain(): Promise<void>
}

/** A subject, and the attempts that it has. */
type Limited = readonly [subject: string, limit: number]

/**
 * Counts an attempt as failed before the gateway is called, so that concurrent attempts are bounded
 * too.
 *
 * Failures never close a page to all payers: an attacker could then close any shop. Too many on one
 * page leave each address fewer attempts there.
 */
export async function limitAttempts(
  world: World,
  reply: FastifyReply,
  path: string,
): Promise<CountedAttempt> {
  const { limits, timings } = world
  const address = clientAddress(reply.request.ip)
  const ofAddress: Limited = [`page-failed:${address}`, timings.failedPaymentsAMinute]
  const ofPage: Limited = [`page-failed:${path}`, timings.failedPaymentsOfPageAMinute]
  await countOrRefuse(world, reply, ...ofAddress)
  const { isOver } = await limits.count(...ofPage)
  if (!isOver) return countedAttempt(world, [ofAddress, ofPage])
  const inAttack = timings.failedPaymentsUnderAttackAMinute
  const ofBoth: Limited = [`page-failed:${path}:${address}`, inAttack]
  await countOrRefuse(world, reply, ...ofBoth)
  return countedAttempt(world, [ofAddress, ofBoth])
}

function countedAttempt({ limits }: World, counted: readonly Limited[]): CountedAttempt {
  return {
    async takeBack() {
      await Promise.all(counted.map(([subject]) => limits.giveBack(subject)))
    },
    async countAgain() {
      await Promise.all(counted.map((one) => limits.count(...one)))
    },
  }
}

async function countOrRefuse(
  { limits }: World,
  reply: FastifyReply,
  subject: string,
  limit: number,
  tooMany: 'tooMany' | 'tooManyRequests' = 'tooMany',
): Promise<void> {
  const { isOver, resetMs } = await limits.count(subject, limit)
  if (!isOver) return
  const seconds = Math.max(1, Math.ceil(resetMs / SECOND))
  reply.header('retry-after', seconds)
  throw new PayerRefusal(429, ({ refusals }) => refusals[tooMany](seconds))
}
