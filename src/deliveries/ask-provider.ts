// Asks a delivery's provider, as long as there is any point in it, and tells of it to whoever
// traces the deliveries.

import { isTooOld, type SendAnswer } from '../core/delivery.ts'
import { isDatabaseAway } from '../db/failure.ts'
import type { World } from '../world.ts'
import type { Carrier, TimeLimit } from './carrier.ts'
import type { TakenDelivery } from './claim-due.ts'

interface Asked {
  readonly answer: SendAnswer
  /** Nothing of its provider is known where he was not. */
  readonly isAsked: boolean
}

export async function ask(
  world: World,
  carrier: Carrier,
  delivery: TakenDelivery,
  timeLimit: TimeLimit,
): Promise<Asked> {
  if (isTooOld(delivery, world.clock.now())) return { answer: TOO_OLD, isAsked: false }
  try {
    const answer = await send(world, carrier, delivery, timeLimit)
    const isOurs = answer.kind === 'refused' && answer.reason !== 'refused'
    return { answer, isAsked: !isOurs }
  } catch (err) {
    // What could not be read of it, or noted of its endpoint, is no try of the recipient's.
    if (isDatabaseAway(err)) return { answer: NOT_READ, isAsked: false }
    world.log.error({ ...aboutDelivery(delivery), err }, `${delivery.channel} failed`)
    return { answer: OUR_FAULT, isAsked: false }
  }
}

function send(
  world: World,
  carrier: Carrier,
  delivery: TakenDelivery,
  timeLimit: TimeLimit,
): Promise<SendAnswer> {
  return world.tracer.span(
    { name: `send ${carrier.channel}`, kind: 'client', attributes: aboutDelivery(delivery) },
    () => carrier.send(world, delivery, timeLimit),
    (answer) => ({ answer: answer.kind }),
  )
}

const OUR_FAULT: SendAnswer = { kind: 'failed', detail: 'a fault of the service; its log has it' }

const NOT_READ: SendAnswer = { kind: 'away', detail: 'the database was away' }

const TOO_OLD: SendAnswer = {
  kind: 'refused',
  reason: 'expired',
  detail: 'it was owed for so long that it would only puzzle',
}

/** In the log's words; `tries` are those before this one. */
export function aboutDelivery({ channel, id, accountId, requestId, tries }: TakenDelivery) {
  return { job: channel, request_id: requestId, account_id: accountId, id, tries }
}
