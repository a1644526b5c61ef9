// The merchant of the charges, with many customers.

import type pg from 'pg'
import { CARD } from '../test/support/sandbox-cards.ts'
import type { Target } from './load.ts'

export interface BenchMerchant {
  readonly accountId: string
  readonly paymentMethods: readonly { readonly id: string; readonly customerId: string }[]
}

/**
 * More than there are connections: charges of one card would wait for each other's read of its row.
 */
const CUSTOMERS = 64

export async function makeMerchant(
  target: Target,
  client: pg.Client,
  card: object = CARD,
): Promise<BenchMerchant> {
  const paymentMethods = await Promise.all(
    Array.from({ length: CUSTOMERS }, () => makePaymentMethod(target, card)),
  )
  const [first] = paymentMethods
  const { rows } = await client.query('SELECT account_id FROM payment_method WHERE id = $1', [
    first?.id,
  ])
  return { accountId: rows[0]?.account_id, paymentMethods }
}

async function makePaymentMethod({ address, key }: Target, card: object) {
  const answer = await fetch(`${address}/payment-method`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(card),
  })
  if (!answer.ok) throw new Error(`no payment method: ${answer.status} ${await answer.text()}`)
  const { id, customer_id: customerId } = (await answer.json()) as Record<string, string>
  return { id: id ?? '', customerId: customerId ?? '' }
}
