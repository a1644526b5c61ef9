// Creates an endpoint. Row and the answer to repeats are one commit. Only the row contains the
// secret, sealed. So a repeat returns the secret until it is rolled, and none after that.

import assert from 'node:assert'
import type { RequestContext } from '../accounts/acting-account.ts'
import type { Dialect } from '../core/dialect.ts'
import { Refusal } from '../core/errors.ts'
import type { RowKey } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import type { CanonicalRequest } from '../idempotency/compare-requests.ts'
import { answeredBefore, type Done, once } from '../idempotency/once.ts'
import type { World } from '../world.ts'
import { checkTarget } from './check-target.ts'
import { newSigningSecret, openSecret, sealSecret } from './seal-secret.ts'
import { readWebhook, WEBHOOK_COLUMNS, webhookView } from './webhook.ts'

export interface NewWebhook {
  readonly targetUrl: string
  /** `*` alone, or names of events, each once. */
  readonly events: readonly string[]
  /** The form of its events: that of the key that creates it; the standard one if absent. */
  readonly dialect?: Dialect
}

/** Each event is written to all of them, which costs every process. */
const MOST_OF_AN_ACCOUNT = 20

/**
 * One creation of an account at a time; otherwise two could both be the twentieth. The account's
 * row is not locked for it: voids hold that row before they claim their key, and would wait for
 * each other with a creation that has claimed the same one.
 */
const ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || $1, 0))"

const COUNT = `
  SELECT count(*)::integer AS made FROM webhook WHERE account_id = $1 AND deleted_at IS NULL`

const INSERT = `
  INSERT INTO webhook AS w
    (account_id, id, target_url, events, secret, dialect, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
  RETURNING ${WEBHOOK_COLUMNS}`

export async function createWebhook(
  world: World,
  context: RequestContext,
  input: NewWebhook,
): Promise<Done> {
  const { accountId } = context
  const id = world.newId()
  const claim = { operation: 'create_webhook', request: canonical(input), resourceId: id }
  // A repeat is answered even if the address may no longer be an endpoint.
  const before = await answeredBefore(world, context, claim)
  if (before === undefined) await checkTarget(world, input.targetUrl)
  const secret = newSigningSecret()
  const done = await once(world, context, claim, async (query) =>
    webhookView(await insert(world, query, { ...input, accountId, id, secret })),
  )
  const answer = JSON.parse(done.body)
  const shown = done.isReplayed ? await firstSecretOf(world, { accountId, id: answer.id }) : secret
  return { ...done, body: JSON.stringify({ ...answer, secret: shown }) }
}

/** A repeat may use another key of the account, in any dialect. */
function canonical({ targetUrl, events }: NewWebhook): CanonicalRequest {
  return { target_url: targetUrl, event: [...events] }
}

async function insert(
  world: World,
  query: Query,
  row: NewWebhook & RowKey & { readonly secret: string },
) {
  const { accountId, id, targetUrl, events, secret, dialect = 'standard' } = row
  await query(ONE_AT_A_TIME, [accountId])
  const [counted] = await query(COUNT, [accountId])
  if (counted?.made >= MOST_OF_AN_ACCOUNT) throw new Refusal('too_many_webhooks')
  const kept = sealSecret(world, row, secret)
  const values = [accountId, id, targetUrl, events, kept, dialect, world.clock.now()]
  const [made] = await query(INSERT, values)
  assert(made !== undefined, 'it answers what it has written')
  return readWebhook(made)
}

/** Null once the secret was rolled: then a previous secret is stored, valid or not. */
async function firstSecretOf(world: World, key: RowKey) {
  const where = { accountId_id: key, previousSecret: null, deletedAt: null }
  const found = await world.db.prisma.webhook.findUnique({ where, select: { secret: true } })
  return found === null ? null : openSecret(world, key, found.secret)
}
