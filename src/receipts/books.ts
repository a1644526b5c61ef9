// Whose message it is: what every statement of this room reads beside its subject.

import type { Mode } from '../accounts/key.ts'
import type { Row } from '../db/gathered.ts'

export interface Books {
  readonly team: { readonly name: string; readonly email: string | null }
  readonly mode: Mode
  readonly timezone: string
}

/** To select of BOOKS_JOINS. */
export const BOOKS_COLUMNS = 'b.name AS team_name, b.email AS team_email, a.mode, a.timezone'

/** Whoever names an account has one, and it has its team: OFFSET 0 keeps each a look-up by key. */
export const BOOKS_JOINS = `
  CROSS JOIN LATERAL (SELECT * FROM account WHERE id = i.account_id OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM team WHERE id = a.team_id OFFSET 0) b`

export function readBooks(row: Row): Books {
  return {
    team: { name: row.team_name, email: row.team_email },
    mode: row.mode,
    timezone: row.timezone,
  }
}
