// The settings of the processes of a run, and the data of its callers.

import { setTimeout as delay } from 'node:timers/promises'
import { SECRETS_KEY } from '../support/secrets-key.ts'
import type { Stores } from './stores.ts'

export interface Caller {
  readonly address: string
  readonly apiKey: string
}

/** A caller with payment methods and payment links. */
export interface Introduced extends Caller {
  readonly good: Card
  /** A card that is always declined. */
  readonly bad: Card
  readonly links: readonly string[]
}

interface Card {
  readonly id: string
  readonly customerId: string
}

const API_KEY = 'sk_sandbox_chaos_0123456789abcdef'

/** The body of `POST /payment-method` for a card that pays, and for one that is always declined. */
export interface Cards {
  readonly good: object
  readonly bad: object
}

const SANDBOX_CARDS: Cards = { good: card('4111111111111111'), bad: card('4000000000000002') }

export function environmentOf(stores: Stores, port: number): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: stores.databaseUrl,
    ...(stores.redisUrl === undefined ? {} : { REDIS_URL: stores.redisUrl }),
    PORT: String(port),
    SEED_API_KEY: API_KEY,
    RATE_LIMIT_PER_MINUTE: '1000000',
    DATABASE_CONNECTIONS: '13',
    CHARGE_WAIT_MS: '2s',
    GRACE_MS: '5s',
    LOG_LEVEL: 'warn',
    SECRETS_KEY,
  }
}

export async function introduce(
  address: string,
  apiKey = API_KEY,
  cards = SANDBOX_CARDS,
): Promise<Introduced> {
  const caller = { address, apiKey }
  const [good, bad, ...links] = await Promise.all([
    makeCard(caller, cards.good),
    makeCard(caller, cards.bad),
    make(caller, '/payment-link', { common_name: 'Tea' }),
    make(caller, '/payment-link', { common_name: 'Coffee' }),
  ])
  return { ...caller, good, bad, links: links.map(({ id }) => id) }
}

async function makeCard(caller: Caller, fields: object): Promise<Card> {
  const body = { method: 'card', person_name: 'Ada Lovelace', ...fields }
  const { id, customer_id: customerId } = await make(caller, '/payment-method', body)
  if (customerId === undefined) throw new Error(`card ${id} has no customer`)
  return { id, customerId }
}

function card(number: string): object {
  return { card_number: number, card_cvv: '123', card_exp: '1239' }
}

interface Made {
  readonly id: string
  readonly customer_id?: string
  readonly updated_at?: string
  readonly status?: string
}

/** A busy machine may need a moment before it serves. */
const COME_AGAIN_MS = 500
const MOST_TRIES = 60

/** The result of a POST that must not be refused. */
export async function make(caller: Caller, path: string, body: object): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    const { address, apiKey } = caller
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const made = (await response.json()) as Partial<Made>
    const { id } = made
    if (id !== undefined) return { ...made, id }
    const isUnavailable = response.status === 503 && tries < MOST_TRIES
    if (!isUnavailable) throw new Error(`${path}: ${JSON.stringify(made)}`)
    await delay(COME_AGAIN_MS)
  }
}

/** The transaction as soon as it is final: on a busy machine that may be after the answer. */
export async function finalOf({ address, apiKey }: Caller, id: string): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${address}/transaction/${id}`, { headers })
    const found = (await response.json()) as Made
    if (response.ok && found.status !== 'PENDING') return found
    if (tries === MOST_TRIES) throw new Error(`not final in time: ${JSON.stringify(found)}`)
    await delay(COME_AGAIN_MS)
  }
}
