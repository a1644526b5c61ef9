import { writeRolledKey } from '../../src/accounts/manage-keys.ts'
import { inOneCommit } from '../../src/operators/audit-entries.ts'
import type { CommittingWorld } from '../../src/world.ts'

/** Rolls a key without an audit entry. */
export function rollKey(world: CommittingWorld, id: string, until: Date) {
  return inOneCommit(world, 'roll', (own) => writeRolledKey(own, id, until))
}
