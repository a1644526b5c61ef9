// How often an address may do what costs somebody something: try a card, pay, have a receipt sent.
// Who tries out stolen cards needs many tries.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '../core/time-units.ts'
import { clientAddress } from '../limits/client-address.ts'
import { sentences } from '../receipts/shown.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'

const LIMITS = {
  payment: 'paymentsAMinute',
  token: 'tokensAMinute',
  receipt: 'receiptsAMinute',
} as const

export async function limitPayers(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  what: keyof typeof LIMITS,
): Promise<void> {
  const subject = `page-${what}:${clientAddress(request.ip)}`
  const { isOver, resetMs } = await world.limits.count(subject, world.timings[LIMITS[what]])
  if (!isOver) return
  const seconds = Math.max(1, Math.ceil(resetMs / SECOND))
  reply.header('retry-after', seconds)
  throw new PageRefusal(
    429,
    'Too many tries',
    sentences(
      'Too much came from your network at once. Nothing was charged by this try.',
      `Please wait for ${seconds} seconds, and try again.`,
    ),
  )
}
