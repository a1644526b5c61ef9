// Derives the stored form of an operator's password: slow on purpose, so that a stolen table gives
// few guesses a second.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { isNameAgain, isStrongPassword, STRONG_PASSWORD } from '../core/strong-password.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** 2 to this power steps: 32 MB and about 60 ms for each try. */
const COST = 15
const BLOCK = 8
const MOST_BYTES = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32

export const LONGEST_PASSWORD = 200

/** Why an operator of this name cannot choose the password. */
export function passwordFault(password: string, name: string): string | undefined {
  if ([...password].length > LONGEST_PASSWORD) {
    return `Choose a password of ${LONGEST_PASSWORD} characters at most.`
  }
  if (!isStrongPassword(password)) return `Choose a password of ${STRONG_PASSWORD}.`
  return isNameAgain(password, name) ? 'Choose a password that is not your own name.' : undefined
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashOf(password, salt, COST)
  return ['scrypt', COST, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Without a stored hash it is as slow, so that the time does not reveal which names exist. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, cost, salt = '', hash = ''] = (stored ?? '').split('$')
  const expected = Buffer.from(hash, 'base64url')
  const found = await hashOf(password, Buffer.from(salt, 'base64url'), Number(cost ?? COST))
  return expected.length === HASH_BYTES && timingSafeEqual(found, expected)
}

/**
 * Keyboards differ in how they compose a letter with its accent. The text is cut first as well,
 * because to normalize a long one may take minutes.
 */
function hashOf(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const text = cut(cut(password).normalize('NFKC'))
  return derive(text, salt, HASH_BYTES, { N: 2 ** cost, r: BLOCK, p: 1, maxmem: MOST_BYTES })
}

function cut(text: string): string {
  return [...text].slice(0, LONGEST_PASSWORD + 1).join('')
}
