// The second factor of an operator: the codes of an authenticator app (TOTP, RFC 6238).

import { Secret, TOTP } from 'otpauth'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'

const PERIOD_SECONDS = 30

/** A code is accepted one period early and one late, since telephones' clocks differ. */
const WINDOW = 1

const SECRET_BYTES = 20

/** A guess is right once in 333,333, so so many wrong codes are no misreading. */
export const MOST_WRONG_CODES = 10

/** The characters of `newTotpSecret`. A browser sends them back with the confirming code. */
const BASE32 = /^[A-Z2-7]{32}$/

export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

export function isTotpSecret(text: string): boolean {
  return BASE32.test(text)
}

/** The address that an authenticator app reads from the QR code. */
export function totpAddress(name: string, secret: string): string {
  return totpOf(secret, name).toString()
}

/** The time step of a right code; undefined for a wrong one. */
export function stepOfCode({ clock }: World, secret: string, code: string): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const nowMs = clock.now().getTime()
  const delta = totpOf(secret).validate({ token, timestamp: nowMs, window: WINDOW })
  return delta === null ? undefined : Math.floor(nowMs / SECOND / PERIOD_SECONDS) + delta
}

export function sealTotpSecret({ vault }: World, operatorId: string, secret: string): string {
  return vault.seal(secret, aboutOf(operatorId))
}

/** Undefined, with a line in the log that says whose it is, if the key that sealed it is missing. */
export function readableTotpSecret(world: World, id: string, sealed: string): string | undefined {
  try {
    return world.vault.open(sealed, aboutOf(id))
  } catch (err) {
    world.log.error({ operator_id: id, err }, 'the second factor of an operator cannot be opened')
    return undefined
  }
}

const UNDER_ANOTHER = `
  SELECT id, totp_secret FROM operator WHERE NOT starts_with(totp_secret, $1)`

const SEAL = 'UPDATE operator SET totp_secret = $3 WHERE id = $1 AND totp_secret = $2 RETURNING id'

/**
 * Seals the secrets that are under other keys with the first one. One that cannot be opened is left
 * as it is, and the log says whose it is.
 */
export async function sealTotpSecrets(world: World) {
  const [keyId = ''] = world.vault.keyIds()
  const rows = await world.db.query(UNDER_ANOTHER, [world.vault.sealedBy(keyId)])
  let sealed = 0
  let left = 0
  for (const { id, totp_secret: former } of rows) {
    const secret = readableTotpSecret(world, id, former)
    // A secret that its operator replaces meanwhile is sealed with the first key already.
    if (secret === undefined) left += 1
    else {
      const resealed = sealTotpSecret(world, id, secret)
      sealed += (await world.db.query(SEAL, [id, former, resealed])).length
    }
  }
  return { sealed, left }
}

function totpOf(secret: string, label = 'operator'): TOTP {
  return new TOTP({ issuer: 'Lamplighter', label, period: PERIOD_SECONDS, secret })
}

function aboutOf(operatorId: string): string {
  return `operator ${operatorId}`
}
