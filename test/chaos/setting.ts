// What the processes of a run are told, and what its callers need.

import type { Stores } from './stores.ts'

/** A caller's key, payment methods and payment links at an intake. */
export interface Introduced {
  readonly address: string
  readonly apiKey: string
  readonly goodCard: string
  readonly badCard: string
  readonly links: readonly string[]
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
  const [goodCard, badCard, ...links] = await Promise.all([
    make(address, '/payment-method', card(GOOD_CARD)),
    make(address, '/payment-method', card(BAD_CARD)),
    make(address, '/payment-link', { common_name: 'Tea' }),
    make(address, '/payment-link', { common_name: 'Coffee' }),
  ])
  return { address, apiKey: API_KEY, goodCard, badCard, links }
}

function card(number: string): object {
  return {
    method: 'card',
    person_name: 'Ada Lovelace',
    card_number: number,
    card_cvv: '123',
    card_exp: '1239',
  }
}

async function make(address: string, path: string, body: object): Promise<string> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const made = (await response.json()) as { id?: string }
  if (made.id === undefined) throw new Error(`${path}: ${JSON.stringify(made)}`)
  return made.id
}
