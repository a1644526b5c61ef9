// Operators are made and changed one after the other, since a change may depend on another
// operator: on the admin who makes it, or on there being none of a name.

import { OperatorError } from '../core/operator-error.ts'
import type { Query } from '../db/database.ts'
import type { Operator } from './session.ts'

const OPERATORS_LOCK = 72_707_375

const LOCK = 'SELECT pg_advisory_xact_lock($1)'

/** Until the commit, no other one that holds them is under way. */
export async function holdOperators(query: Query): Promise<void> {
  await query(LOCK, [OPERATORS_LOCK])
}

const ADMIN = `
  SELECT FROM operator WHERE id = $1 AND role = 'admin' AND disabled_at IS NULL`

/**
 * The same for an admin who acts on another operator, and must be one still: two who disable each
 * other at the same moment would lock everybody out. The command line has no id.
 */
export async function holdOperatorsAsAdmin(
  query: Query,
  { id, name }: Pick<Operator, 'name'> & Partial<Pick<Operator, 'id'>>,
): Promise<void> {
  await holdOperators(query)
  if (id === undefined || (await query(ADMIN, [id])).length > 0) return
  throw new OperatorError(`${name} is not an admin any more: nothing was done`)
}
