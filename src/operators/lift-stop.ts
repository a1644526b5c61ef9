// An operator has an account send to an address again. The audit entry is in the same commit.

import { addressKey } from '../core/mail-address.ts'
import { OperatorError } from '../core/operator-error.ts'
import { deleteStop, type StopKey } from '../deliveries/stopped-addresses.ts'
import type { CommittingWorld } from '../world.ts'
import { type Actor, inOneCommit, writeAuditEntry } from './audit-entries.ts'
import { noteFault } from './note.ts'

/** An opt-out is lifted only with a note of how the recipient asked for it. */
export async function liftStop(
  world: CommittingWorld,
  operator: Actor,
  key: StopKey,
  note: string,
): Promise<void> {
  const { accountId: account, channel, address, reason } = key
  if (reason === 'opted_out' && note === '') {
    throw new OperatorError('an opt-out is lifted only with a note: how did the recipient ask?')
  }
  const fault = noteFault(note)
  if (fault !== undefined) throw new OperatorError(`the note was refused: ${fault}`)
  const action = reason === 'opted_out' ? 'opt-out lifted' : 'suppression lifted'
  const detail = { account, channel, ...(note === '' ? {} : { note }) }
  await inOneCommit(world, `stopped address ${account} ${address}`, async (own) => {
    if (!(await deleteStop(own, key))) {
      throw new OperatorError(`${address} is not stopped in that account, or not any more`)
    }
    const entry = { action, subject: addressKey(address), detail }
    await writeAuditEntry(own, operator, entry)
  })
}
