// A sandbox team to try the service with. If ten processes start at once, one of them creates it.

import { writeTeam } from '../accounts/create-team.ts'
import { hashOf } from '../accounts/key.ts'
import { writeKey } from '../accounts/manage-keys.ts'
import { SECOND } from '../core/time-units.ts'
import { createPaymentMethod } from '../customers/create-payment-method.ts'
import type { Prisma } from '../generated/client.ts'
import type { World } from '../world.ts'

const NAME = 'Demo'
const DEMO_CARD_NAME = 'Demo card'

/** Any number that no other lock of ours uses. */
const SEED_LOCK = 72_707_370

/**
 * On a busy machine many processes wait for the one that creates it, which must first load Prisma.
 */
const PATIENT = { timeout: 30 * SECOND }

/** Makes sure that a sandbox team with exactly this key exists. */
export async function ensureDemoKey(world: World, key: string): Promise<void> {
  const hash = new Uint8Array(hashOf(key))
  // Without Prisma, because every start except the first returns here.
  const [known] = await world.db.query('SELECT FROM key_hash WHERE hash = $1', [hashOf(key)])
  if (known !== undefined) return
  await world.db.prisma.$transaction(async (tx) => {
    await lock(tx)
    if ((await tx.keyHash.findUnique({ where: { hash } })) !== null) return
    const accountId = (await demoAccountOf(tx)) ?? (await newDemo(world, tx))
    await writeKey(world, tx, { accountId, mode: 'sandbox', name: 'seeded', key })
  }, PATIENT)
}

/** The key of a new sandbox team, if there is no team yet. */
export async function createFirstKey(world: World): Promise<string | undefined> {
  // Without Prisma, whose first query costs more than the rest of a later start.
  const [known] = await world.db.query('SELECT FROM team LIMIT 1')
  if (known !== undefined) return undefined
  return world.db.prisma.$transaction(async (tx) => {
    await lock(tx)
    if ((await tx.team.count()) > 0) return undefined
    const accountId = await newDemo(world, tx)
    const { key } = await writeKey(world, tx, {
      accountId,
      mode: 'sandbox',
      name: 'first',
    })
    return key
  }, PATIENT)
}

/** A card of the demo team that its sandbox approves. It is created if there is none. */
export async function demoPaymentMethod(world: World): Promise<string | undefined> {
  const [known] = await world.db.query(DEMO_CARD, [NAME, DEMO_CARD_NAME])
  if (known !== undefined) return known.id
  const accountId = await demoAccountOf(world.db.prisma)
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

async function lock(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SEED_LOCK})`
}

async function newDemo(world: World, tx: Prisma.TransactionClient): Promise<string> {
  return (await writeTeam(world, tx, NAME)).accounts.sandbox
}

async function demoAccountOf(
  tx: Pick<Prisma.TransactionClient, 'account'>,
): Promise<string | undefined> {
  const account = await tx.account.findFirst({
    where: { mode: 'sandbox', team: { name: NAME } },
    orderBy: { createdAt: 'asc' },
  })
  return account?.id
}

/** The sandbox's approved number, valid for three years. */
function cardUntil(world: World) {
  const cardExp = `12${String(world.clock.now().getUTCFullYear() + 3).slice(-2)}`
  return {
    customerId: undefined,
    method: 'card' as const,
    gatewayToken: undefined,
    instrument: { cardNumber: '4111111111111111', cardExp },
    fields: { personName: 'Demo Customer', nickname: DEMO_CARD_NAME, cardExp },
  }
}
