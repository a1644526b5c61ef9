import { writeRolledKey } from '../../src/accounts/manage-keys.ts'
import type { DatabaseWorld } from '../../src/world.ts'

/** Rolls a key without an audit entry. */
export function rollKey(world: DatabaseWorld, id: string, until: Date) {
  return world.db.prisma.$transaction((tx) => writeRolledKey(world, id, until, tx))
}
