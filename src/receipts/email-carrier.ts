// What is sent by e-mail, and how.

import type { Carrier } from '../deliveries/carrier.ts'
import type { World } from '../world.ts'
import { emailOf } from './email-of.ts'

/** As many as there are connections: who goes out at his instant must not wait for one. */
const AT_ONCE = 10

export function emailCarrier({ config, timings }: World): Carrier {
  return {
    channel: 'email',
    atOnce: AT_ONCE,
    atOnceALane: AT_ONCE / 2,
    timeoutMs: timings.messageTimeoutMs,
    perSecond: config.emailPerSecond,
    async send(world, delivery, timeLimit) {
      const mail = await emailOf(world, delivery)
      if (mail === undefined) return NO_TARGET
      return world.mailer.send(mail, timeLimit())
    },
  }
}

const NO_TARGET = {
  kind: 'refused',
  reason: 'no_target',
  detail: 'what it tells of is gone',
} as const
