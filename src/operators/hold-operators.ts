// Operators are made and changed one after the other, since a change may depend on another
// operator: on the admin who makes it, or on there being none of a name.

import { OperatorError } from '../core/operator-error.ts'
import type { Prisma } from '../generated/client.ts'
import type { Operator } from './session.ts'

const OPERATORS_LOCK = 72_707_375

/** Prisma cannot read the type of the lock's own answer. */
const LOCK = 'SELECT pg_advisory_xact_lock($1)::text'

/** Until the commit, no other one that holds them is under way. */
export async function holdOperators(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$queryRawUnsafe(LOCK, OPERATORS_LOCK)
}

/**
 * The same for an admin who acts on another operator, and must be one still: two who disable each
 * other at the same moment would lock everybody out. The command line has no id.
 */
export async function holdOperatorsAsAdmin(
  tx: Prisma.TransactionClient,
  { id, name }: Pick<Operator, 'name'> & Partial<Pick<Operator, 'id'>>,
): Promise<void> {
  await holdOperators(tx)
  if (id === undefined) return
  const admins = await tx.operator.count({ where: { id, role: 'admin', disabledAt: null } })
  if (admins === 0) throw new OperatorError(`${name} is not an admin any more: nothing was done`)
}
