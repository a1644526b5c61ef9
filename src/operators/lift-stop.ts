// An operator has an account send to an address again. The audit entry is in the same commit.

import { addressKey } from '../core/mail-address.ts'
import { OperatorError } from '../core/operator-error.ts'
import { deleteStop, type StopKey } from '../deliveries/stopped-addresses.ts'
import type { DatabaseWorld } from '../world.ts'
import { type Actor, writeAuditEntry } from './audit-entries.ts'
import { noteFault } from './note.ts'

/** An opt-out is lifted only with a note of how the recipient asked for it. */
export async function liftStop(
  world: DatabaseWorld,
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
  await world.db.prisma.$transaction(async (tx) => {
    if (!(await deleteStop(tx, key))) {
      throw new OperatorError(`${address} is not stopped in that account, or not any more`)
    }
    const entry = { action, subject: addressKey(address), detail }
    await writeAuditEntry(world, operator, entry, tx)
  })
}
