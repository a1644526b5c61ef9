// What is sent by text message, and how. Who has refused text messages is asked first, here: not
// every provider keeps that list, and those who do count it against the sender.

import type { SendAnswer } from '../core/delivery.ts'
import type { Carrier, TimeLimit } from '../deliveries/carrier.ts'
import type { TakenDelivery } from '../deliveries/claim-due.ts'
import { hasOptedOut, optOut } from '../deliveries/opt-outs.ts'
import type { World } from '../world.ts'
import { textOf } from './text-of.ts'

const AT_ONCE = 16

export function smsCarrier({ config, timings }: World): Carrier {
  return {
    channel: 'sms',
    atOnce: AT_ONCE,
    atOnceALane: AT_ONCE / 2,
    timeoutMs: timings.messageTimeoutMs,
    perSecond: config.smsPerSecond,
    send,
  }
}

async function send(
  world: World,
  delivery: TakenDelivery,
  timeLimit: TimeLimit,
): Promise<SendAnswer> {
  if (await hasOptedOut(world, delivery.recipient)) return OPTED_OUT
  const message = await textOf(world, delivery)
  if (message === undefined) return NO_TARGET
  const answer = await world.texter.send(message, timeLimit())
  const isOptOut = answer.kind === 'refused' && answer.reason === 'opted_out'
  if (isOptOut) await optOut(world, delivery.recipient)
  return answer
}

const OPTED_OUT = {
  kind: 'refused',
  reason: 'opted_out',
  detail: 'the recipient wants no text messages',
} as const

const NO_TARGET = {
  kind: 'refused',
  reason: 'no_target',
  detail: 'what it tells of is gone',
} as const
