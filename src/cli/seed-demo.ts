// A sandbox team to try the service with. If ten processes start at once, one of them creates it.

import { createTeam } from '../accounts/create-team.ts'
import { hashOf } from '../accounts/key.ts'
import { createKey } from '../accounts/manage-keys.ts'
import { createPaymentMethod } from '../customers/create-payment-method.ts'
import { commitInTurn } from '../db/commit-in-turn.ts'
import type { Query } from '../db/database.ts'
import type { QueryWorld, World, WritingWorld } from '../world.ts'

const NAME = 'Demo'
const DEMO_CARD_NAME = 'Demo card'

/** Any number that no other lock of ours uses. */
const SEED_LOCK = 72_707_370

/** Makes sure that a sandbox team with exactly this key exists. */
export async function ensureDemoKey(world: World, key: string): Promise<void> {
  if (await isKnown(world.db.query, key)) return
  await seedInTurn(world, async (own) => {
    if (await isKnown(own.db.query, key)) return
    const accountId = (await demoAccountOf(own)) ?? (await newDemo(own))
    await createKey(own, { accountId, mode: 'sandbox', name: 'seeded', key })
  })
}

async function isKnown(query: Query, key: string): Promise<boolean> {
  return (await query('SELECT FROM key_hash WHERE hash = $1', [hashOf(key)])).length > 0
}

/** The key of a new sandbox team, if there is no team yet. */
export async function createFirstKey(world: World): Promise<string | undefined> {
  if (await hasTeam(world.db.query)) return undefined
  return seedInTurn(world, async (own) => {
    if (await hasTeam(own.db.query)) return undefined
    const { key } = await createKey(own, {
      accountId: await newDemo(own),
      mode: 'sandbox',
      name: 'first',
    })
    return key
  })
}

async function hasTeam(query: Query): Promise<boolean> {
  return (await query('SELECT FROM team LIMIT 1')).length > 0
}

/** By SQL: loading Prisma's query compiler takes longer than all of this. */
function seedInTurn<T>(world: World, act: (own: WritingWorld) => Promise<T>): Promise<T> {
  return commitInTurn(world.db, 'seed', SEED_LOCK, (query) => act({ ...world, db: { query } }))
}

/** A card of the demo team that its sandbox approves. It is created if there is none. */
export async function demoPaymentMethod(world: World): Promise<string | undefined> {
  const [known] = await world.db.query(DEMO_CARD, [NAME, DEMO_CARD_NAME])
  if (known !== undefined) return known.id
  const accountId = await demoAccountOf(world)
  if (accountId === undefined) return undefined
  const clockAt = null
  const context = { accountId, clockAt, requestId: 'seed', idempotencyKey: undefined }
  const chosen = { ...context, mode: 'sandbox', liveGateway: null } as const
  const made = await createPaymentMethod(world, chosen, cardUntil(world))
  return (JSON.parse(made.body) as { id: string }).id
}

const DEMO_CARD = `
  SELECT m.id
  FROM team t
  JOIN account a ON a.team_id = t.id AND a.mode = 'sandbox'
  JOIN payment_method m ON m.account_id = a.id AND m.deleted_at IS NULL
  WHERE t.name = $1 AND m.nickname = $2
  ORDER BY t.created_at, m.created_at
  LIMIT 1`

async function newDemo(world: WritingWorld): Promise<string> {
  return (await createTeam(world, NAME)).accounts.sandbox
}

const DEMO_ACCOUNT = `
  SELECT a.id FROM account a JOIN team t ON t.id = a.team_id
  WHERE a.mode = 'sandbox' AND t.name = $1 ORDER BY a.created_at LIMIT 1`

async function demoAccountOf({ db }: QueryWorld): Promise<string | undefined> {
  const [account] = await db.query(DEMO_ACCOUNT, [NAME])
  return account?.id
}

/** The sandbox's approved number, valid for three years. */
function cardUntil(world: World) {
  const cardExp = `12${String(world.clock.now().getUTCFullYear() + 3).slice(-2)}`
  return {
    customerId: undefined,
    method: 'card' as const,
    gatewayToken: undefined,
    isDefault: undefined,
    instrument: { cardNumber: '4111111111111111', cardExp },
    fields: { personName: 'Demo Customer', nickname: DEMO_CARD_NAME, cardExp },
  }
}
