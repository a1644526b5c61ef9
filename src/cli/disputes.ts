// `lamplighter disputes end` records how a dispute ended that no gateway can be asked about.

import type { CLOSED_DISPUTES } from '../core/dispute.ts'
import { isId } from '../core/id.ts'
import { OperatorError } from '../core/operator-error.ts'
import { BY_COMMAND } from '../operators/audit-entries.ts'
import { endDispute } from '../operators/end-dispute.ts'
import { disputeView } from '../payments/afterwards/dispute.ts'
import { withWorld } from './open-service.ts'
import { type Output, printOne } from './output.ts'

interface EndOptions extends Output {
  readonly evenIfUnsaid?: boolean
}

type Ending = (typeof CLOSED_DISPUTES)[number]

export function endDisputeCommand(id: string, status: Ending, options: EndOptions): Promise<void> {
  if (!isId(id)) throw new OperatorError(`${id} is not the id of a dispute`)
  return withWorld(async (world) => {
    const decision = { status, evenIfUnsaid: options.evenIfUnsaid === true }
    printOne(disputeView(await endDispute(world, BY_COMMAND, id, decision)), options)
  })
}
