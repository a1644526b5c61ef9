// Makes and changes teams and their keys, for the console and the command line. Each change and its
// audit entry are one commit. No audit entry contains a key.

import { changedTexts, changeTeam, holdTeam, type TeamChange } from '../accounts/change-team.ts'
import { type CreatedTeam, createTeam } from '../accounts/create-team.ts'
import type { TeamWithAccounts } from '../accounts/find-teams.ts'
import {
  type CreatedKey,
  changedKeyTexts,
  createKey,
  type NewKey,
  type RolledKey,
  writeChangedKey,
  writeRevokedKey,
  writeRolledKey,
} from '../accounts/manage-keys.ts'
import type { KeyChange } from '../accounts/read-key-change.ts'
import type { CommittingWorld, World } from '../world.ts'
import { type Actor, inOneCommit, writeAuditEntry } from './audit-entries.ts'

export function addTeam(world: CommittingWorld, by: Actor, name: string): Promise<CreatedTeam> {
  return inOneCommit(world, 'team names', async (own) => {
    const made = await createTeam(own, name)
    await writeAuditEntry(own, by, { action: 'team made', subject: made.id, detail: { name } })
    return made
  })
}

/**
 * How many settings are new. Since the caller read the team, somebody may have set other values:
 * the entry has those that are replaced. `check` throws if they must not be.
 */
export async function saveTeam(
  world: World,
  by: Actor,
  seen: TeamWithAccounts,
  changes: readonly TeamChange[],
  check: (team: TeamWithAccounts) => void = () => {},
): Promise<number> {
  return inOneCommit(world, `team ${seen.id}`, async (own) => {
    const team = await holdTeam(own, seen)
    check(team)
    const detail = await changedTexts(own, team, changes)
    const count = Object.keys(detail).length
    if (changes.length > 0) await changeTeam(own, team.id, changes)
    const entry = { action: 'team changed', subject: team.id, detail }
    if (count > 0) await writeAuditEntry(own, by, entry)
    return count
  })
}

export function addKey(
  world: CommittingWorld,
  by: Actor,
  team: string,
  key: NewKey,
): Promise<CreatedKey> {
  return inOneCommit(world, `keys of ${key.accountId}`, async (own) => {
    const made = await createKey(own, key)
    const { mode, name, dialect = 'standard', expiresAt } = key
    const ends = expiresAt?.toISOString() ?? 'never'
    const detail = { team, mode, name, prefix: made.prefix, dialect, ends }
    await writeAuditEntry(own, by, { action: 'key made', subject: made.id, detail })
    return made
  })
}

/** How many settings are new. The key is read in the commit, so the entry has what was replaced. */
export function saveKey(
  world: CommittingWorld,
  by: Actor,
  id: string,
  change: KeyChange,
): Promise<number> {
  return inOneCommit(world, `key ${id}`, async (own) => {
    const before = await writeChangedKey(own, id, change)
    const changed = changedKeyTexts(before, change)
    const count = Object.keys(changed).length
    const detail = { team: before.teamId, ...changed }
    const entry = { action: 'key changed', subject: id, detail }
    if (count > 0) await writeAuditEntry(own, by, entry)
    return count
  })
}

export function rollKey(
  world: CommittingWorld,
  by: Actor,
  id: string,
  until: Date,
): Promise<RolledKey> {
  return inOneCommit(world, `key ${id}`, async (own) => {
    const rolled = await writeRolledKey(own, id, until)
    const { teamId: team, name, prefix } = rolled.old
    const ends = { new_key: rolled.id, old_ends: rolled.oldUntil.toISOString() }
    const detail = { team, name, prefix, ...ends }
    await writeAuditEntry(own, by, { action: 'key rolled', subject: id, detail })
    return rolled
  })
}

/** A second time changes nothing, and writes no entry. */
export async function revokeKey(world: CommittingWorld, by: Actor, id: string): Promise<void> {
  await inOneCommit(world, `key ${id}`, async (own) => {
    const revoked = await writeRevokedKey(own, id)
    if (revoked === undefined) return
    const { teamId: team, name, prefix } = revoked
    const detail = { team, name, prefix }
    await writeAuditEntry(own, by, { action: 'key revoked', subject: id, detail })
  })
}
