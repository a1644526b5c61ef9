// Changes what an operator may change of a key.

import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'
import { findKey, notActive, whileActive } from './manage-keys.ts'
import { OperatorError } from './operator-error.ts'
import { readExpiry } from './read-instant.ts'

const FORM = 'name=…, expires=<a date, a time from now such as 90d, or never>'

interface Changes {
  readonly name?: string
  /** null: never. */
  readonly expiresAt?: Date | null
}

/** `changes` as they are typed: `name=shop`, `expires=90d`. */
export async function setKey(
  world: World,
  id: string,
  changes: readonly string[],
  books: Prisma.TransactionClient = world.db.prisma,
): Promise<void> {
  const now = world.clock.now()
  const data: Changes = Object.assign({}, ...changes.map((change) => readChange(change, now)))
  const key = await findKey(world, id)
  const { accountId } = key
  // What has ended stays so; it may still be given a name to be known by.
  const where = data.expiresAt === undefined ? { accountId, id } : whileActive(key, now)
  const { count } = await books.apiKey.updateMany({ where, data })
  if (count === 0) throw notActive(id)
}

function readChange(change: string, now: Date): Changes {
  const [, name = '', value = ''] = /^([a-z]+)=(.+)$/.exec(change) ?? []
  if (name === 'name') return { name: value }
  if (name !== 'expires') throw new OperatorError(`${change} is no change of a key: ${FORM}`)
  return { expiresAt: value === 'never' ? null : readExpiry(value, now) }
}
