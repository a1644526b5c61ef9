// Signs an operator in by a password of their own and, if they have set one up, by a code of their
// authenticator app.

import type { World } from '../world.ts'
import { writeAuditEntry } from './audit-entries.ts'
import { nameKeyOf } from './names.ts'
import { isPassword } from './password-hash.ts'
import { MOST_WRONG_CODES, readableTotpSecret, stepOfCode } from './second-factor.ts'
import { openSession } from './session.ts'

export interface OwnSignIn {
  readonly name: string
  readonly password: string
  readonly code: string
  readonly address: string
}

/**
 * `unknown`: no operator has the name. Only a caller who has typed the right password learns of
 * a `CodeFault`.
 */
export type SignInOutcome =
  | { readonly secret: string; readonly name: string }
  | 'unknown'
  | 'wrong'
  | CodeFault

/** `unreadable`: the key that sealed the second factor is lost. */
export type CodeFault = 'code needed' | 'wrong code' | 'locked' | 'unreadable'

export async function signInOperator(world: World, typed: OwnSignIn): Promise<SignInOutcome> {
  const found = await world.db.prisma.operator.findUnique({
    where: { nameKey: nameKeyOf(typed.name) },
  })
  // With no operators there are no names to guess, so nothing needs to take its time.
  if (found === null && (await world.db.prisma.operator.count()) === 0) return 'unknown'
  const isRight = await isPassword(typed.password, found?.password ?? null)
  if (found === null) return 'unknown'
  if (!isRight || found.disabledAt !== null) return 'wrong'
  const { id, name, password, totpSecret } = found
  if (totpSecret !== null) {
    const fault = await codeFault(world, { id, totpSecret, code: typed.code })
    if (fault !== undefined) return fault
  }
  const { address } = typed
  return world.db.prisma.$transaction(async (tx) => {
    // The password or the operator may be gone by now; then this is refused.
    const { count } = await tx.operator.updateMany({
      where: { id, password, totpSecret, disabledAt: null },
      data: { lastSignedInAt: world.clock.now() },
    })
    if (count === 0) return 'wrong'
    const secret = await openSession(world, { id, name, address }, tx)
    const detail = { by: totpSecret === null ? 'own password' : 'own password and code' }
    await writeAuditEntry(world, { name, address }, { action: 'signed in', detail }, tx)
    return { secret, name }
  })
}

interface TypedCode {
  readonly id: string
  /** Sealed. */
  readonly totpSecret: string
  readonly code: string
}

/** Each code is counted before it is checked, so that many at once cannot slip through. */
const COUNT_CODE = `
  UPDATE operator SET wrong_codes = wrong_codes + 1
  WHERE id = $1 AND totp_secret = $2 AND wrong_codes < ${MOST_WRONG_CODES} RETURNING id`

const ACCEPT_CODE = `
  UPDATE operator SET wrong_codes = 0, totp_step = $2
  WHERE id = $1 AND (totp_step IS NULL OR totp_step < $2) RETURNING id`

/** Undefined for a right code, which is used up then. */
export async function codeFault(
  world: World,
  { id, totpSecret, code }: TypedCode,
): Promise<CodeFault | undefined> {
  if (code === '') return 'code needed'
  const secret = readableTotpSecret(world, id, totpSecret)
  if (secret === undefined) return 'unreadable'
  const [counted] = await world.db.query(COUNT_CODE, [id, totpSecret])
  if (counted === undefined) return 'locked'
  const step = stepOfCode(world, secret, code)
  if (step === undefined) return 'wrong code'
  const [accepted] = await world.db.query(ACCEPT_CODE, [id, step])
  return accepted === undefined ? 'wrong code' : undefined
}
