import { Refusal } from '../core/errors.ts'
import type { World } from '../world.ts'
import { INVOICE_COLUMNS, type InvoiceRow, readInvoice } from './invoice-row.ts'

const FIND = `SELECT ${INVOICE_COLUMNS} FROM invoice v WHERE v.account_id = $1 AND v.id = $2`

/** A deleted one says that it is. */
export async function findInvoice(
  world: World,
  accountId: string,
  id: string,
): Promise<InvoiceRow> {
  const [row] = await world.db.query(FIND, [accountId, id])
  if (row === undefined) throw new Refusal('not_found')
  return readInvoice(row)
}
