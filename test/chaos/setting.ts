// What the processes of a run are told, and what its callers need.

import type { Stores } from './stores.ts'

/** A caller's key and payment methods at an intake. */
export interface Introduced {
  readonly address: string
  readonly apiKey: string
  readonly goodCard: string
  readonly badCard: string
}

const API_KEY = 'sk_sandbox_chaos_0123456789abcdef'

/** Of the sandbox; the second is a valid number that it declines. */
const GOOD_CARD = '4111111111111111'
const BAD_CARD = '4000000000000002'

export function environmentOf(stores: Stores, port: number): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: stores.databaseUrl,
    ...(stores.redisUrl === undefined ? {} : { REDIS_URL: stores.redisUrl }),
    PORT: String(port),
    SEED_API_KEY: API_KEY,
    RATE_LIMIT_PER_MINUTE: '1000000',
    CHARGE_WAIT_MS: '2s',
    GRACE_MS: '5s',
    LOG_LEVEL: 'warn',
  }
}

export async function introduce(address: string): Promise<Introduced> {
  const [goodCard, badCard] = await Promise.all([
    makeCard(address, GOOD_CARD),
    makeCard(address, BAD_CARD),
  ])
  return { address, apiKey: API_KEY, goodCard, badCard }
}

async function makeCard(address: string, number: string): Promise<string> {
  const response = await fetch(`${address}/payment-method`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      method: 'card',
      person_name: 'Ada Lovelace',
      card_number: number,
      card_cvv: '123',
      card_exp: '1239',
    }),
  })
  const made = (await response.json()) as { id?: string }
  if (made.id === undefined) throw new Error(`no card: ${JSON.stringify(made)}`)
  return made.id
}
