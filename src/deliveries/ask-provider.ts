// Asks a delivery's provider, as long as there is any point in it, and tells of it to whoever
// traces the deliveries.

import { isTooOld, type SendAnswer } from '../core/delivery.ts'
import type { World } from '../world.ts'
import type { Carrier } from './carrier.ts'
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
  signal: AbortSignal,
): Promise<Asked> {
  if (isTooOld(delivery, world.clock.now())) return { answer: TOO_OLD, isAsked: false }
  try {
    const answer = await send(world, carrier, delivery, signal)
    const isOurs = answer.kind === 'refused' && answer.reason !== 'refused'
    return { answer, isAsked: !isOurs }
  } catch (err) {
    world.log.error({ ...aboutDelivery(delivery), err }, `${delivery.channel} failed`)
    return { answer: OUR_FAULT, isAsked: false }
  }
}

function send(
  world: World,
  carrier: Carrier,
  delivery: TakenDelivery,
  signal: AbortSignal,
): Promise<SendAnswer> {
  return world.tracer.span(
    { name: `send ${carrier.channel}`, kind: 'client', attributes: aboutDelivery(delivery) },
    () => carrier.send(world, delivery, signal),
    (answer) => ({ answer: answer.kind }),
  )
}

const OUR_FAULT: SendAnswer = { kind: 'failed', detail: 'a fault of the service; its log has it' }

const TOO_OLD: SendAnswer = {
  kind: 'refused',
  reason: 'expired',
  detail: 'it was owed for so long that it would only puzzle',
}

/** In the log's words; `tries` are those before this one. */
export function aboutDelivery({ channel, id, accountId, requestId, tries }: TakenDelivery) {
  return { job: channel, request_id: requestId, account_id: accountId, id, tries }
}
