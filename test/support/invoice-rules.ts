// The database's answer to a change of an invoice.

import pg from 'pg'
import type { TestService } from './test-service.ts'

/** The name of the rule that refused the change; undefined if it was made. */
export async function ruleAgainstInvoice(
  service: TestService,
  id: string,
  change: string,
): Promise<string | undefined> {
  try {
    await service.world.db.query(`UPDATE invoice SET ${change} WHERE id = $1`, [id])
    return undefined
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.constraint
    throw error
  }
}
