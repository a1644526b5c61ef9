// An operator's changes of their own account: the password and the second factor. Each change
// and its audit entry are one commit.

import type { World } from '../world.ts'
import { writeAuditEntry } from './audit-entries.ts'
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
  return world.db.prisma.$transaction(async (tx) => {
    const [chosen] = await tx.operator.updateManyAndReturn({
      where: {
        linkHash: secretHash(secret),
        linkExpiresAt: { gt: world.clock.now() },
        disabledAt: null,
      },
      data: { password: hash, linkHash: null, linkExpiresAt: null },
      select: { id: true, name: true },
    })
    if (chosen === undefined) return false
    const { id, name } = chosen
    await tx.operatorSession.deleteMany({ where: { operatorId: id } })
    const entry = { action: 'password chosen', subject: id, detail: { name } }
    await writeAuditEntry(world, { name, address }, entry, tx)
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
    data: { totpSecret, totpStep: step, wrongCodes: 0 },
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
  readonly data: {
    readonly password?: string
    readonly linkHash?: null
    readonly linkExpiresAt?: null
    readonly totpSecret?: string | null
    readonly totpStep?: number | null
    readonly wrongCodes?: number
  }
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
  return world.db.prisma.$transaction(async (tx) => {
    const { count } = await tx.operator.updateMany({
      where: { id, password, disabledAt: null, ...where },
      data,
    })
    if (count === 0) return CHANGED_MEANWHILE
    await tx.operatorSession.deleteMany({
      where: { operatorId: id, formToken: { not: formToken } },
    })
    await writeAuditEntry(world, operator, { action, subject: id, detail: { name } }, tx)
    return DONE
  })
}
