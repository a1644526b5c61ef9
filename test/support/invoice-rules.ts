// What the database says to a change of an invoice.

import pg from 'pg'
import type { TestHouse } from './house.ts'

/** The name of the rule by which the change was refused; undefined where it was made. */
export async function ruleAgainstInvoice(
  house: TestHouse,
  id: string,
  change: string,
): Promise<string | undefined> {
  try {
    await house.world.db.query(`UPDATE invoice SET ${change} WHERE id = $1`, [id])
    return undefined
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.constraint
    throw error
  }
}
