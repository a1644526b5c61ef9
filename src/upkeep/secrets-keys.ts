// The keys that seal this database's secrets. The database stores their names. So a process that
// lacks a key says so when it starts, instead of making another one or failing to sign days later,
// and a key cannot be removed from the settings too early.

import { OperatorError } from '../core/operator-error.ts'
import { commitInTurn } from '../db/commit-in-turn.ts'
import type { Query } from '../db/database.ts'
import { BY_COMMAND, writeAuditEntry } from '../operators/audit-entries.ts'
import { sealTotpSecrets } from '../operators/second-factor.ts'
import { resealAll } from '../webhooks/reseal-all.ts'
import type { QueryWorld, World } from '../world.ts'

/** Any number that no other lock of ours uses. */
export const KEYS_LOCK = 72_707_372

/** Makes the first key if no key is set and the database knows none. */
export async function ensureSecretsKey(world: World): Promise<void> {
  // Every start except the first returns here. Prisma's query compiler is not loaded for either.
  const known = await namesOf(world)
  const [mine] = world.vault.keyIds()
  refuseMissing(world, known)
  if (mine !== undefined && known.includes(mine)) return
  await commitInTurn(world.db, 'secrets keys', KEYS_LOCK, async (query) => {
    refuseMissing(world, await namesOf({ db: { query } }))
    if (world.vault.keyIds().length === 0) await makeKey(world)
    await register(world, query)
  })
}

/** Makes a key in `DATA_DIR` that seals from now on. Earlier keys stay in the file. */
async function makeNewKey(world: World): Promise<void> {
  await commitInTurn(world.db, 'secrets keys', KEYS_LOCK, async (query) => {
    await makeKey(world)
    await register(world, query)
  })
}

/** Returns the names of keys that this database no longer needs. */
async function forgetUnusedKeys(world: World): Promise<readonly string[]> {
  const [mine = ''] = world.vault.keyIds()
  const names = (await namesOf(world)).filter((id) => id !== mine)
  const unused: string[] = []
  for (const id of names) {
    const rows = await world.db.query(FORGET, [id, world.vault.sealedBy(id)])
    if (rows.length > 0) unused.push(id)
  }
  return unused
}

const FORGET = `
  DELETE FROM secrets_key WHERE id = $1 AND NOT EXISTS (
    SELECT FROM webhook WHERE starts_with(secret, $2) OR starts_with(previous_secret, $2)
  ) AND NOT EXISTS (SELECT FROM operator WHERE starts_with(totp_secret, $2))
  RETURNING id`

async function namesOf({ db }: Pick<QueryWorld, 'db'>): Promise<readonly string[]> {
  const rows = await db.query('SELECT id FROM secrets_key ORDER BY created_at')
  return rows.map(({ id }) => id)
}

const ADD_IT =
  'add that key to SECRETS_KEY after the first one, or run lamplighter secrets rotate where that key is set'

const SET_IT =
  'set SECRETS_KEY to the value of the other processes; if none is set there, use the file secrets.key in the DATA_DIR of the process that made it'

interface Lack {
  readonly says: string
  readonly remedy: string
}

/** Which keys of the database this process does not have. Undefined if it has all. */
export async function lackOfKeys(world: World): Promise<Lack | undefined> {
  return lackAmong(world, await namesOf(world))
}

function lackAmong({ vault }: World, names: readonly string[]): Lack | undefined {
  const held = vault.keyIds()
  const missing = names.filter((id) => !held.includes(id))
  if (missing.length === 0) return undefined
  const ifLost = `; if it is lost for good, run lamplighter secrets forget ${missing[0]}`
  return {
    says: `secrets in this database are sealed with key ${missing.join(', ')}, which this process does not have`,
    remedy: (vault.isShared ? ADD_IT : SET_IT) + ifLost,
  }
}

function refuseMissing(world: World, names: readonly string[]): void {
  const lack = lackAmong(world, names)
  if (lack !== undefined) throw new OperatorError(`${lack.says}: ${lack.remedy}`)
}

async function makeKey({ vault, config }: World): Promise<void> {
  try {
    await vault.makeKey()
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string') throw error
    throw new OperatorError(
      `no SECRETS_KEY is set, and one cannot be kept in ${config.dataDir} (${code}): set it, the same for all processes (openssl rand -base64 32)`,
    )
  }
}

const REGISTER = 'INSERT INTO secrets_key (id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING'

async function register(world: World, query: Query): Promise<void> {
  const [id = ''] = world.vault.keyIds()
  await query(REGISTER, [id, world.clock.now()])
}

export interface Rotated {
  readonly key: string
  readonly sealed: number
  /** Rows that others held all the time, which another call seals, and unreadable ones. */
  readonly left: number
  /** Keys that no secret of this database needs any more. */
  readonly unused: readonly string[]
}

/**
 * Seals all secrets under the current key, while the service runs. If it is killed, the next call
 * continues.
 */
export async function rotateSecrets(
  world: World,
  { hasNewKey }: { readonly hasNewKey: boolean },
): Promise<Rotated> {
  await ensureSecretsKey(world)
  if (hasNewKey) await makeNewKey(world)
  const ofWebhooks = await resealAll(world)
  const ofOperators = await sealTotpSecrets(world)
  const sealed = ofWebhooks.sealed + ofOperators.sealed
  const left = ofWebhooks.left + ofOperators.left
  const unused = await forgetUnusedKeys(world)
  const [key = ''] = world.vault.keyIds()
  await writeAuditEntry(world, BY_COMMAND, {
    action: 'secrets sealed',
    subject: key,
    detail: { sealed, left },
  })
  return { key, sealed, left, unused }
}
