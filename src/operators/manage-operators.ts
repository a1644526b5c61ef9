// Makes and changes operators, for the console and the command line. Each change and its audit
// entry are one commit. An operator is never deleted, because the audit log has their name.

import { OperatorError } from '../core/operator-error.ts'
import type { Role } from '../core/role.ts'
import { after, DAY } from '../core/time-units.ts'
import type { Prisma } from '../generated/client.ts'
import type { DatabaseWorld, QueryWorld } from '../world.ts'
import { type Actor, writeAuditEntry } from './audit-entries.ts'
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

export async function addOperator(
  world: DatabaseWorld,
  by: Admin,
  { name, role }: Pick<ListedOperator, 'name' | 'role'>,
): Promise<PasswordLink> {
  const fault = nameFault(name)
  if (fault !== undefined) throw new OperatorError(fault)
  const id = world.newId()
  const nameKey = nameKeyOf(name)
  return world.db.prisma.$transaction(async (tx) => {
    await holdOperators(tx)
    if ((await tx.operator.count()) >= MOST_OPERATORS) {
      throw new OperatorError(`there are ${MOST_OPERATORS} operators, and no more are allowed`)
    }
    const data = { id, name, nameKey, role, createdAt: world.clock.now() }
    const made = await tx.operator.createMany({ data, skipDuplicates: true })
    if (made.count === 0)
      throw new OperatorError(`an operator is called ${name} already: choose a different name`)
    if (nameKeyOf(by.name) !== nameKey) await endSharedSessions(tx, nameKey)
    await writeAuditEntry(world, by, entryOf('operator made', { id, name }, { role }), tx)
    return writeLink(world, tx, { id, name })
  })
}

/** A session of the service's one password under that name would act for the operator, as an admin. */
async function endSharedSessions(tx: Prisma.TransactionClient, nameKey: string): Promise<void> {
  const open = await tx.operatorSession.findMany({ where: { operatorId: null } })
  const own = open.filter(({ name }) => nameKeyOf(name) === nameKey)
  await tx.operatorSession.deleteMany({ where: { hash: { in: own.map(({ hash }) => hash) } } })
}

/** It takes effect with the operator's next request. */
export async function setOperatorRole(
  world: DatabaseWorld,
  by: Admin,
  { id, name }: Named,
  role: Role,
): Promise<void> {
  await world.db.prisma.$transaction(async (tx) => {
    await holdOperatorsAsAdmin(tx, by)
    const before = await tx.operator.findUnique({ where: { id }, select: { role: true } })
    const { count } = await tx.operator.updateMany({
      where: { id, role: { not: role } },
      data: { role },
    })
    if (before === null || count === 0) return
    const detail = { role: `${before.role} → ${role}` }
    await writeAuditEntry(world, by, entryOf('operator role set', { id, name }, detail), tx)
  })
}

/** A disabled operator is signed out everywhere, and neither password nor link lets them in. */
export async function setOperatorEnabled(
  world: DatabaseWorld,
  by: Admin,
  { id, name }: Named,
  isEnabled: boolean,
): Promise<void> {
  await world.db.prisma.$transaction(async (tx) => {
    await holdOperatorsAsAdmin(tx, by)
    const { count } = await tx.operator.updateMany({
      where: { id, disabledAt: isEnabled ? { not: null } : null },
      data: isEnabled
        ? { disabledAt: null }
        : { disabledAt: world.clock.now(), linkHash: null, linkExpiresAt: null },
    })
    if (count === 0) return
    if (!isEnabled) await tx.operatorSession.deleteMany({ where: { operatorId: id } })
    const action = isEnabled ? 'operator enabled' : 'operator disabled'
    await writeAuditEntry(world, by, entryOf(action, { id, name }), tx)
  })
}

/** The password works until another one is chosen at the link. Earlier links end. */
export async function makePasswordLink(
  world: DatabaseWorld,
  by: Admin,
  { id, name }: Named,
): Promise<PasswordLink> {
  return world.db.prisma.$transaction(async (tx) => {
    const link = await writeLink(world, tx, { id, name })
    await writeAuditEntry(world, by, entryOf('password link made', { id, name }), tx)
    return link
  })
}

/** It is needed after a telephone was lost, and after too many wrong codes. */
export async function resetSecondFactor(world: DatabaseWorld, by: Admin, { id, name }: Named) {
  await world.db.prisma.$transaction(async (tx) => {
    const { count } = await tx.operator.updateMany({
      where: { id, totpSecret: { not: null } },
      data: { totpSecret: null, totpStep: null, wrongCodes: 0 },
    })
    if (count === 0) throw new OperatorError(`${name} has no second factor`)
    await writeAuditEntry(world, by, entryOf('second factor reset', { id, name }), tx)
  })
}

type Named = Pick<ListedOperator, 'id' | 'name'>

async function writeLink(
  world: DatabaseWorld,
  tx: Prisma.TransactionClient,
  { id, name }: Named,
): Promise<PasswordLink> {
  const secret = randomSecret()
  const expiresAt = after(world.clock.now(), LINK_LASTS_MS)
  const { count } = await tx.operator.updateMany({
    where: { id, disabledAt: null },
    data: { linkHash: secretHash(secret), linkExpiresAt: expiresAt },
  })
  if (count === 0) throw new OperatorError(`${name} is disabled: enable them first`)
  return { id, name, url: `${world.adminAddress()}/admin/password?once=${secret}`, expiresAt }
}

function entryOf(
  action: string,
  { id, name }: Named,
  detail: Readonly<Record<string, string>> = {},
) {
  return { action, subject: id, detail: { name, ...detail } }
}
