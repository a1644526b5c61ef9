// An account with its team: the facts that decide what may be done in its name, for a key and for a
// page of its links or bills.

import type { Row } from '../db/gathered.ts'
import type { InCommit } from '../db/queries.ts'
import type { Mode } from './key.ts'

export interface ActingAccount {
  readonly accountId: string
  readonly mode: Mode
  /** The gateway that the team has chosen for live payments. Null is the default. */
  readonly liveGateway: string | null
  readonly clockAt: Date | null
  /** Its clock is being advanced, and meanwhile nothing may change. */
  readonly isClockAdvancing: boolean
  readonly team: {
    readonly id: string
    readonly name: string
    readonly status: 'active' | 'inactive'
    readonly enabled: boolean
    readonly smsEnabled: boolean
    readonly splitFundingEnabled: boolean
    readonly settlementTokenizationEnabled: boolean
  }
}

/** The columns of an account `a` and its team `t`. */
export const ACTING_COLUMNS = `a.id AS account_id, a.mode, a.live_gateway, a.clock_at,
      a.clock_target IS NOT NULL AS is_clock_advancing,
      t.id AS team_id, t.name AS team_name, t.status AS team_status, t.enabled,
      t.sms_enabled, t.split_funding_enabled, t.settlement_tokenization_enabled`

export function readActing(row: Row): ActingAccount {
  return {
    accountId: row.account_id,
    mode: row.mode,
    liveGateway: row.live_gateway,
    clockAt: row.clock_at,
    isClockAdvancing: row.is_clock_advancing,
    team: {
      id: row.team_id,
      name: row.team_name,
      status: row.team_status,
      enabled: row.enabled,
      smsEnabled: row.sms_enabled,
      splitFundingEnabled: row.split_funding_enabled,
      settlementTokenizationEnabled: row.settlement_tokenization_enabled,
    },
  }
}

/** Why the team may not move money. Undefined if it may. */
export function obstacleOf({
  status,
  enabled,
}: ActingAccount['team']): 'team_inactive' | 'team_disabled' | undefined {
  if (status !== 'active') return 'team_inactive'
  return enabled ? undefined : 'team_disabled'
}

/** The account, the request and its idempotency key: every action of the API gets them. */
export interface RequestContext {
  readonly accountId: string
  /** The account's own time, if it has a clock of its own. */
  readonly clockAt: Date | null
  readonly requestId: string
  readonly idempotencyKey: string | undefined
  /** An operator's action adds its audit entry, with the id of what it makes; a repeat none. */
  readonly record?: InCommit<[id: string]>
}
