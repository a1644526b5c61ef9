// The team in whose name a message is sent. Every statement of this folder reads it together with
// the message's subject.

import type { Mode } from '../accounts/key.ts'
import { LOOK_COLUMNS, LOOK_JOIN, type Look, readLook } from '../accounts/look.ts'
import type { Row } from '../db/gathered.ts'

export interface Sender {
  readonly team: { readonly name: string; readonly email: string | null }
  /** False if the team may not, or may no longer, send text messages. */
  readonly smsEnabled: boolean
  readonly mode: Mode
  readonly timezone: string
  readonly look: Look
}

/** The columns that belong to SENDER_JOINS. */
export const SENDER_COLUMNS = `b.name AS team_name, b.email AS team_email, b.sms_enabled, a.mode,
      a.timezone, ${LOOK_COLUMNS}`

/** Every row has an account and every account a team. OFFSET 0 makes each join a look-up by key. */
export const SENDER_JOINS = `
  CROSS JOIN LATERAL (SELECT * FROM account WHERE id = i.account_id OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM team WHERE id = a.team_id OFFSET 0) b ${LOOK_JOIN}`

export function readSender(row: Row): Sender {
  return {
    team: { name: row.team_name, email: row.team_email },
    smsEnabled: row.sms_enabled,
    mode: row.mode,
    timezone: row.timezone,
    look: readLook(row),
  }
}
