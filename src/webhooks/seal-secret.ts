// The secrets of an endpoint: sealed before they are stored, and opened before they are used. A
// secret that an earlier version stored in plain text is sealed when the endpoint is next written.

import { randomBytes } from 'node:crypto'
import type { RowKey } from '../db/columns.ts'
import type { Webhook } from '../generated/client.ts'
import { VaultError } from '../outside/vault.ts'
import type { World } from '../world.ts'
import { SECRET_PREFIX } from './sign.ts'

export type KeptSecrets = Pick<Webhook, 'secret' | 'previousSecret'>

export function sealSecret({ vault }: World, endpoint: RowKey, secret: string): string {
  return vault.seal(secret, aboutOf(endpoint))
}

export function openSecret({ vault }: World, endpoint: RowKey, text: string): string {
  return vault.open(text, aboutOf(endpoint))
}

/** How secrets begin whose keys are in use: a process that lacks one may get it. */
export async function usedSeals({ db, vault }: World): Promise<readonly string[]> {
  const rows = await db.query('SELECT id FROM secrets_key')
  return rows.map(({ id }) => vault.sealedBy(id))
}

/** Undefined if its key is lost, so that no process can open it any more. */
export function openSecretUnlessLost(
  world: World,
  endpoint: RowKey,
  text: string,
  used: readonly string[],
): string | undefined {
  try {
    return openSecret(world, endpoint, text)
  } catch (error) {
    const isLost = error instanceof VaultError && !used.some((seal) => text.startsWith(seal))
    if (isLost) return undefined
    throw error
  }
}

/** The secrets in their new stored form: sealed with the first key. */
export function resealed(
  world: World,
  endpoint: RowKey,
  { secret, previousSecret }: KeptSecrets,
): KeptSecrets {
  const reseal = (text: string) => sealSecret(world, endpoint, openSecret(world, endpoint, text))
  return {
    secret: reseal(secret),
    previousSecret: previousSecret === null ? null : reseal(previousSecret),
  }
}

export function isInClear({ secret, previousSecret }: KeptSecrets): boolean {
  return [secret, previousSecret].some((text) => text?.startsWith(SECRET_PREFIX))
}

function aboutOf({ accountId, id }: RowKey): string {
  return `webhook ${accountId} ${id}`
}

/** The minimum of the specification, and a length that needs no base64 padding. */
const SECRET_BYTES = 24

export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}
