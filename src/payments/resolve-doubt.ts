// The job `doubt`: asks the gateway what became of a payment that it may or may not have made.
//
//   take    the question is ours until the lease ends    died after it: asked again
//   ask     by our own reference                         died after it: asked again
//   record  the outcome; or that it was never made, and is ordered with the same key; or when to
//           ask again

import type { Verdict } from '../core/verdict.ts'
import type { World } from '../world.ts'
import { askGateway } from './ask-gateway.ts'
import type { RowKey } from './row-key.ts'
import { settleFinding } from './settle-finding.ts'
import { isVerdict, take } from './take-payment.ts'

export async function resolveDoubt(
  world: World,
  key: RowKey,
  signal: AbortSignal,
): Promise<Verdict> {
  const taken = await take(world, key, 'doubt')
  if (isVerdict(taken)) return taken
  const { accountId, id, requestId, gatewayName } = taken
  const question = { accountId, key: id, now: world.accountNow(taken.account) }
  const asked = { gatewayName, question: 'look_up', accountId, id, requestId } as const
  const found = await askGateway(world, asked, signal, (gateway, limit) =>
    gateway.lookUp(question, limit),
  )
  return settleFinding(world, taken, found, question.now)
}
