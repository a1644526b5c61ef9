// The account behind a link or a bill, with the columns that its pages need.

import {
  ACTING_COLUMNS,
  type ActingAccount,
  type RequestContext,
  readActing,
} from '../accounts/acting-account.ts'
import { LOOK_COLUMNS, LOOK_JOIN, type Look, readLook } from '../accounts/look.ts'
import type { Row } from '../db/gathered.ts'

export interface Payee extends ActingAccount {
  /** Dates are shown in this zone. */
  readonly timezone: string
  readonly look: Look
}

/** Expects the aliases `a` for the account and `t` for its team, and PAYEE_JOIN after them. */
export const PAYEE_COLUMNS = `${ACTING_COLUMNS}, a.timezone, ${LOOK_COLUMNS}`

export const PAYEE_JOIN = LOOK_JOIN

export function readPayee(row: Row): Payee {
  return { ...readActing(row), timezone: row.timezone, look: readLook(row) }
}

export function payeeContextOf(
  { accountId, clockAt }: Payee,
  requestId: string,
  idempotencyKey: string | undefined,
): RequestContext {
  return { accountId, clockAt, requestId, idempotencyKey }
}
