// Whom a page pays: the account behind a link or a bill, and what its pages need to know of it.

import { ACTING_COLUMNS, type ActingAccount, readActing } from '../accounts/acting-account.ts'
import type { Asking } from '../accounts/asking.ts'
import type { Row } from '../db/gathered.ts'

export interface Payee extends ActingAccount {
  /** In which its dates are told. */
  readonly timezone: string
}

/** To select of an account `a` and its team `t`. */
export const PAYEE_COLUMNS = `${ACTING_COLUMNS}, a.timezone`

export function readPayee(row: Row): Payee {
  return { ...readActing(row), timezone: row.timezone }
}

export function askingOf(
  { accountId, clockAt }: Payee,
  requestId: string,
  idempotencyKey: string | undefined,
): Asking {
  return { accountId, clockAt, requestId, idempotencyKey }
}
