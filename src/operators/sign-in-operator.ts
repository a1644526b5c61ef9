// Signs an operator in by a password of their own and, if they have set one up, by a code of their
// authenticator app.

import type { World } from '../world.ts'
import { inOneCommit, writeAuditEntry } from './audit-entries.ts'
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
export type SignInOutcome = { readonly secret: string } | 'unknown' | 'wrong' | CodeFault

/** `unreadable`: the key that sealed the second factor is lost. */
export type CodeFault = 'code needed' | 'wrong code' | 'locked' | 'unreadable'

/** The password or the operator may be gone by now. */
const NOTE_SIGN_IN = `
  UPDATE operator SET last_signed_in_at = $4
  WHERE id = $1 AND password = $2 AND totp_secret IS NOT DISTINCT FROM $3 AND disabled_at IS NULL
  RETURNING id`

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
  return inOneCommit(world, `operator ${id}`, async (own) => {
    const noted = await own.db.query(NOTE_SIGN_IN, [id, password, totpSecret, world.clock.now()])
    if (noted.length === 0) return 'wrong'
    const secret = await openSession(own, { id, name, address })
    const detail = { by: totpSecret === null ? 'own password' : 'own password and code' }
    await writeAuditEntry(own, { name, address }, { action: 'signed in', detail })
    return { secret }
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
