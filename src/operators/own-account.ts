// An operator's changes of their own account: the password and the second factor. Each change
// and its audit entry are one commit.

import { changeRow } from '../db/change-row.ts'
import type { Operator as OperatorRow } from '../generated/client.ts'
import type { World } from '../world.ts'
import { inOneCommit, writeAuditEntry } from './audit-entries.ts'
import { hashPassword, isPassword, passwordFault } from './password-hash.ts'
import { isTotpSecret, sealTotpSecret, stepOfCode } from './second-factor.ts'
import { type Operator, secretHash } from './session.ts'
import { codeFault } from './sign-in-operator.ts'

/** The faults of a form, by field. An empty object means that it was done. */
type Faults = Readonly<Record<string, string>>

const DONE: Faults = {}

/** The name of the operator whose password can be chosen at a link. */
export async function nameOfLink(
  { db, clock }: World,
  secret: string,
): Promise<string | undefined> {
  const found = await db.prisma.operator.findFirst({
    where: { linkHash: secretHash(secret), linkExpiresAt: { gt: clock.now() }, disabledAt: null },
    select: { name: true },
  })
  return found?.name
}

const CHOOSE = `
  UPDATE operator SET password = $3, link_hash = NULL, link_expires_at = NULL
  WHERE link_hash = $1 AND link_expires_at > $2 AND disabled_at IS NULL
  RETURNING id, name`

/** All, or all but the one of this form token. */
const END_SESSIONS = `
  DELETE FROM operator_session WHERE operator_id = $1 AND form_token IS DISTINCT FROM $2`

/**
 * Uses the link up, and ends every session that the earlier password has opened. Returns false if
 * the link does not work any more.
 */
export async function choosePassword(
  world: World,
  { secret, password, address }: { secret: string; password: string; address: string },
): Promise<boolean> {
  // Hashing a password is expensive, so a caller without a link is refused first.
  if ((await nameOfLink(world, secret)) === undefined) return false
  const hash = await hashPassword(password)
  return inOneCommit(world, 'password link', async (own) => {
    const [chosen] = await own.db.query(CHOOSE, [secretHash(secret), world.clock.now(), hash])
    if (chosen === undefined) return false
    const { id, name } = chosen
    await own.db.query(END_SESSIONS, [id, null])
    const entry = { action: 'password chosen', subject: id, detail: { name } }
    await writeAuditEntry(own, { name, address }, entry)
    return true
  })
}

export interface OwnOperator extends Operator {
  readonly id: string
}

export async function changeOwnPassword(
  world: World,
  operator: OwnOperator,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<Faults> {
  const fault = passwordFault(password, operator.name)
  if (fault !== undefined) return { password: fault }
  const hash = await hashPassword(password)
  return change(world, operator, current, {
    data: { password: hash, linkHash: null, linkExpiresAt: null },
    action: 'password changed',
  })
}

/** The code shows that the app has the secret. One that is set up is removed first. */
export async function setUpSecondFactor(
  world: World,
  operator: OwnOperator,
  typed: { readonly current: string; readonly secret: string; readonly code: string },
): Promise<Faults> {
  const { current, secret, code } = typed
  const step = isTotpSecret(secret) ? stepOfCode(world, secret, code) : undefined
  if (step === undefined) return { code: 'This is not the code that the app shows now.' }
  const totpSecret = sealTotpSecret(world, operator.id, secret)
  return change(world, operator, current, {
    data: { totpSecret, totpStep: BigInt(step), wrongCodes: 0 },
    action: 'second factor set up',
    where: { totpSecret: null },
  })
}

/** Needs a code too: a stolen session and password must not do away with it. */
export async function removeSecondFactor(
  world: World,
  operator: OwnOperator,
  { current, code }: { readonly current: string; readonly code: string },
): Promise<Faults> {
  const { password, totpSecret } = await stored(world, operator)
  // The password first, so that a caller without it cannot use up the tries.
  if (!(await isPassword(current, password))) return WRONG_PASSWORD
  if (totpSecret === null) return DONE
  const fault = await codeFault(world, { id: operator.id, totpSecret, code })
  if (fault !== undefined) return { code: CODE_FAULTS[fault] }
  return change(world, operator, current, {
    data: { totpSecret: null, totpStep: null, wrongCodes: 0 },
    action: 'second factor removed',
    where: { totpSecret },
  })
}

const CODE_FAULTS = {
  'code needed': 'Enter the code that the app shows now.',
  'wrong code': 'Wrong code. Wait for the app to show the next one.',
  locked: 'Too many wrong codes. An admin has to reset your second factor.',
  unreadable: 'The key that sealed your second factor is lost. An admin has to reset it.',
} as const

interface OwnChange {
  readonly data: Partial<OperatorRow>
  readonly action: string
  /** A condition that must still hold. */
  readonly where?: { readonly totpSecret: string | null }
}

const CHANGED_MEANWHILE: Faults = {
  current: 'Your account was changed meanwhile. Open this page again.',
}

const WRONG_PASSWORD: Faults = { current: 'Wrong password.' }

function stored({ db }: World, { id }: OwnOperator) {
  const select = { password: true, totpSecret: true } as const
  return db.prisma.operator.findUniqueOrThrow({ where: { id }, select })
}

const HOLD = `
  SELECT password, totp_secret FROM operator WHERE id = $1 AND disabled_at IS NULL
  FOR NO KEY UPDATE`

/**
 * The current password is asked for, because a session may be left open on a desk. The operator's
 * other sessions end.
 */
async function change(
  world: World,
  operator: OwnOperator,
  current: string,
  { data, action, where }: OwnChange,
): Promise<Faults> {
  const { id, name, formToken } = operator
  const { password } = await stored(world, operator)
  if (!(await isPassword(current, password))) return WRONG_PASSWORD
  return inOneCommit(world, `operator ${id}`, async (own) => {
    const [held] = await own.db.query(HOLD, [id])
    const isSecretOther = where !== undefined && held?.totp_secret !== where.totpSecret
    if (held?.password !== password || isSecretOther) return CHANGED_MEANWHILE
    await changeRow(own.db.query, 'operator', { id }, data)
    await own.db.query(END_SESSIONS, [id, formToken])
    await writeAuditEntry(own, operator, { action, subject: id, detail: { name } })
    return DONE
  })
}
