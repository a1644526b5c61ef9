// Changes what an operator may change of a key.

import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findKey, notActive, whileActive } from './manage-keys.ts'
import { OperatorError } from './operator-error.ts'
import { readExpiry } from './read-instant.ts'

const FORM = 'name=…, expires=<a date, a time from now such as 90d, or never>'

export interface KeyChange {
  readonly name?: string
  /** null: never. */
  readonly expiresAt?: Date | null
}

export async function setKey(
  world: World,
  id: string,
  data: KeyChange,
  accountContext: Prisma.TransactionClient = world.db.prisma,
): Promise<void> {
  const now = world.clock.now()
  const key = await findKey(world, id)
  const { accountId } = key
  // What has ended stays so; it may still be given a name to be known by.
  const where = data.expiresAt === undefined ? { accountId, id } : whileActive(key, now)
  const { count } = await accountContext.apiKey.updateMany({ where, data })
  if (count === 0) throw notActive(id)
}

/** Reads changes as the command line takes them: `name=shop`, `expires=90d`. */
export function readKeyChange(texts: readonly string[], now: Date): KeyChange {
  return Object.assign({}, ...texts.map((text) => readChange(text, now)))
}

function readChange(change: string, now: Date): KeyChange {
  const [, name = '', value = ''] = /^([a-z]+)=(.+)$/.exec(change) ?? []
  if (name === 'name') return { name: value }
  if (name !== 'expires') throw new OperatorError(`${change} is no change of a key: ${FORM}`)
  return { expiresAt: readExpiryOrNever(value, now) }
}

export function readExpiryOrNever(text: string, now: Date): Date | null {
  return text === 'never' ? null : readExpiry(text, now)
}
