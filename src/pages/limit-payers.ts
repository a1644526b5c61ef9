// Limits how often one network address may try a card, pay, request a receipt or opt out. Testing
// stolen cards takes many attempts.

import type { FastifyReply, FastifyRequest } from 'fastify'
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
  request: FastifyRequest,
  reply: FastifyReply,
  what: keyof typeof LIMITS,
): Promise<void> {
  const subject = `page-${what}:${clientAddress(request.ip)}`
  const tooMany = what === 'unsubscribe' ? 'tooManyRequests' : 'tooMany'
  await countOrRefuse(world, reply, subject, world.timings[LIMITS[what]], tooMany)
}

/**
 * Counts an attempt as failed before the gateway is called, so that concurrent attempts are bounded
 * too. Resolves to a function that takes the count back once the payment is approved.
 *
 * Failures never close a page to all payers: an attacker could then close any shop. Too many on one
 * page leave each address fewer attempts there.
 */
export async function limitAttempts(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<() => Promise<void>> {
  const { limits, timings } = world
  const address = clientAddress(request.ip)
  const [ofAddress, ofPage] = [`page-failed:${address}`, `page-failed:${path}`]
  await countOrRefuse(world, reply, ofAddress, timings.failedPaymentsAMinute)
  const { isOver } = await limits.count(ofPage, timings.failedPaymentsOfPageAMinute)
  if (!isOver) return () => giveBack(world, [ofAddress, ofPage])
  const ofBoth = `page-failed:${path}:${address}`
  await countOrRefuse(world, reply, ofBoth, timings.failedPaymentsUnderAttackAMinute)
  return () => giveBack(world, [ofAddress, ofBoth])
}

async function giveBack({ limits }: World, subjects: readonly string[]): Promise<void> {
  await Promise.all(subjects.map((subject) => limits.giveBack(subject)))
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
