// Makes and changes operators, for the console and the command line. Each change and its audit
// entry are one commit. An operator is never deleted, because the audit log has their name.

import { OperatorError } from '../core/operator-error.ts'
import type { Role } from '../core/role.ts'
import { after, DAY } from '../core/time-units.ts'
import type { Query } from '../db/database.ts'
import type { CommittingWorld, QueryWorld, WritingWorld } from '../world.ts'
import { type Actor, inOneCommit, writeAuditEntry } from './audit-entries.ts'
import { holdOperators, holdOperatorsAsAdmin } from './hold-operators.ts'
import { nameFault, nameKeyOf } from './names.ts'
import { MOST_WRONG_CODES } from './second-factor.ts'
import { randomSecret, type Operator as SignedIn, secretHash } from './session.ts'

export interface ListedOperator {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly hasPassword: boolean
  /** It is locked after too many wrong codes, until an admin resets it. */
  readonly secondFactor: 'off' | 'on' | 'locked'
  readonly isDisabled: boolean
  readonly createdAt: Date
  readonly lastSignedInAt: Date | null
  /** When the latest link expires; null once it was used. */
  readonly linkExpiresAt: Date | null
}

/** The command line has no id. */
type Admin = Actor & Partial<Pick<SignedIn, 'id'>>

/** An operator with the address at which they choose a password. */
export interface PasswordLink {
  readonly id: string
  readonly name: string
  /** It is not stored. */
  readonly url: string
  readonly expiresAt: Date
}

/** Over a weekend with its Friday and Monday. */
const LINK_LASTS_MS = 4 * DAY

/** No team of people has more. */
const MOST_OPERATORS = 500

/** Named as in `ListedOperator`. */
const COLUMNS = `id, name, role, password IS NOT NULL AS "hasPassword",
  CASE WHEN totp_secret IS NULL THEN 'off' WHEN wrong_codes < ${MOST_WRONG_CODES} THEN 'on'
    ELSE 'locked' END AS "secondFactor", disabled_at IS NOT NULL AS "isDisabled",
  created_at AS "createdAt", last_signed_in_at AS "lastSignedInAt",
  link_expires_at AS "linkExpiresAt"`

const ALL = `SELECT ${COLUMNS} FROM operator ORDER BY name_key`
const BY_ID = `SELECT ${COLUMNS} FROM operator WHERE id = $1`
const BY_NAME = `SELECT ${COLUMNS} FROM operator WHERE name_key = $1`

/** The operators, by name. */
export async function listOperators({ db }: QueryWorld): Promise<readonly ListedOperator[]> {
  return (await db.query(ALL)) as readonly ListedOperator[]
}

export async function operatorById(
  { db }: QueryWorld,
  id: string,
): Promise<ListedOperator | undefined> {
  const [found] = (await db.query(BY_ID, [id])) as readonly ListedOperator[]
  return found
}

export async function operatorNamed({ db }: QueryWorld, name: string): Promise<ListedOperator> {
  const [found] = (await db.query(BY_NAME, [nameKeyOf(name)])) as readonly ListedOperator[]
  if (found !== undefined) return found
  throw new OperatorError(`no operator is called ${name}: lamplighter operators lists them`)
}

const COUNT = 'SELECT count(*)::int FROM operator'

const WRITE = `
  INSERT INTO operator (id, name, name_key, role, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING RETURNING id`

export async function addOperator(
  world: CommittingWorld,
  by: Admin,
  { name, role }: Pick<ListedOperator, 'name' | 'role'>,
): Promise<PasswordLink> {
  const fault = nameFault(name)
  if (fault !== undefined) throw new OperatorError(fault)
  const id = world.newId()
  const nameKey = nameKeyOf(name)
  return inOneCommit(world, `operator ${id}`, async (own) => {
    const { query } = own.db
    await holdOperators(query)
    const [all] = await query(COUNT)
    if (all?.count >= MOST_OPERATORS) {
      throw new OperatorError(`there are ${MOST_OPERATORS} operators, and no more are allowed`)
    }
    const made = await query(WRITE, [id, name, nameKey, role, world.clock.now()])
    if (made.length === 0)
      throw new OperatorError(`an operator is called ${name} already: choose a different name`)
    if (nameKeyOf(by.name) !== nameKey) await endSharedSessions(query, nameKey)
    await writeAuditEntry(own, by, entryOf('operator made', { id, name }, { role }))
    return writeLink(own, { id, name })
  })
}

const SHARED_SESSIONS = 'SELECT hash, name FROM operator_session WHERE operator_id IS NULL'
const END_SESSIONS = 'DELETE FROM operator_session WHERE hash = ANY($1)'

/** A session of the service's one password under that name would act for the operator, as an admin. */
async function endSharedSessions(query: Query, nameKey: string): Promise<void> {
  const open = await query(SHARED_SESSIONS)
  const named = open.filter(({ name }) => nameKeyOf(name) === nameKey)
  await query(END_SESSIONS, [named.map(({ hash }) => hash)])
}

const SET_ROLE = `
  UPDATE operator new SET role = $2 FROM operator old
  WHERE new.id = $1 AND old.id = new.id AND old.role <> $2 RETURNING old.role AS before`

/** It takes effect with the operator's next request. */
export async function setOperatorRole(
  world: CommittingWorld,
  by: Admin,
  { id, name }: Named,
  role: Role,
): Promise<void> {
  await inOneCommit(world, `operator ${id}`, async (own) => {
    await holdOperatorsAsAdmin(own.db.query, by)
    const [changed] = await own.db.query(SET_ROLE, [id, role])
    if (changed === undefined) return
    const detail = { role: `${changed.before} → ${role}` }
    await writeAuditEntry(own, by, entryOf('operator role set', { id, name }, detail))
  })
}

const ENABLE = `
  UPDATE operator SET disabled_at = NULL WHERE id = $1 AND disabled_at IS NOT NULL RETURNING id`

const DISABLE = `
  UPDATE operator SET disabled_at = $2, link_hash = NULL, link_expires_at = NULL
  WHERE id = $1 AND disabled_at IS NULL RETURNING id`

const SIGN_OUT = 'DELETE FROM operator_session WHERE operator_id = $1'

/** A disabled operator is signed out everywhere, and neither password nor link lets them in. */
export async function setOperatorEnabled(
  world: CommittingWorld,
  by: Admin,
  { id, name }: Named,
  isEnabled: boolean,
): Promise<void> {
  await inOneCommit(world, `operator ${id}`, async (own) => {
    const { query } = own.db
    await holdOperatorsAsAdmin(query, by)
    const changed = await (isEnabled
      ? query(ENABLE, [id])
      : query(DISABLE, [id, world.clock.now()]))
    if (changed.length === 0) return
    if (!isEnabled) await query(SIGN_OUT, [id])
    const action = isEnabled ? 'operator enabled' : 'operator disabled'
    await writeAuditEntry(own, by, entryOf(action, { id, name }))
  })
}

/** The password works until another one is chosen at the link. Earlier links end. */
export function makePasswordLink(
  world: CommittingWorld,
  by: Admin,
  { id, name }: Named,
): Promise<PasswordLink> {
  return inOneCommit(world, `operator ${id}`, async (own) => {
    const link = await writeLink(own, { id, name })
    await writeAuditEntry(own, by, entryOf('password link made', { id, name }))
    return link
  })
}

const RESET = `
  UPDATE operator SET totp_secret = NULL, totp_step = NULL, wrong_codes = 0
  WHERE id = $1 AND totp_secret IS NOT NULL RETURNING id`

/** It is needed after a telephone was lost, and after too many wrong codes. */
export async function resetSecondFactor(
  world: CommittingWorld,
  by: Admin,
  { id, name }: Named,
): Promise<void> {
  await inOneCommit(world, `operator ${id}`, async (own) => {
    const reset = await own.db.query(RESET, [id])
    if (reset.length === 0) throw new OperatorError(`${name} has no second factor`)
    await writeAuditEntry(own, by, entryOf('second factor reset', { id, name }))
  })
}

type Named = Pick<ListedOperator, 'id' | 'name'>

const WRITE_LINK = `
  UPDATE operator SET link_hash = $2, link_expires_at = $3
  WHERE id = $1 AND disabled_at IS NULL RETURNING id`

async function writeLink(own: WritingWorld, { id, name }: Named): Promise<PasswordLink> {
  const secret = randomSecret()
  const expiresAt = after(own.clock.now(), LINK_LASTS_MS)
  const written = await own.db.query(WRITE_LINK, [id, secretHash(secret), expiresAt])
  if (written.length === 0) throw new OperatorError(`${name} is disabled: enable them first`)
  return { id, name, url: `${own.adminAddress()}/admin/password?once=${secret}`, expiresAt }
}

function entryOf(
  action: string,
  { id, name }: Named,
  detail: Readonly<Record<string, string>> = {},
) {
  return { action, subject: id, detail: { name, ...detail } }
}
