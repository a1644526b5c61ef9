// The refusals of operations on webhooks, each with a request that causes it.

import type { Provoke, Provoking } from './refused-anywhere.ts'
import { JSON_TYPE } from './requests.ts'
import type { SampleMerchant } from './samples.ts'
import { call } from './test-service.ts'
import { NOWHERE, webhooksOf } from './webhooks.ts'

const MOST = 20

/** By the route, and by the refusal. */
export function refusedWebhooks(
  shop: SampleMerchant,
): Readonly<Record<string, Readonly<Record<string, Provoke>>>> {
  return {
    'POST /webhook': { '409 too_many_webhooks': () => ofOneTooMany(shop) },
    'POST /webhook/{id}/test': { '409 wrong_state': () => ofDisabled(shop, 'test') },
    'POST /webhook/{id}/replay': {
      '409 wrong_state': () => ofDisabled(shop, 'replay'),
      '409 replay_under_way': () => ofReplaying(shop),
    },
  }
}

async function ofOneTooMany({ service }: SampleMerchant): Promise<Provoking> {
  const merchant = await service.merchant()
  const { made } = webhooksOf(service, merchant)
  for (let count = 0; count < MOST; count += 1) await made()
  const headers = { ...merchant.headers, ...JSON_TYPE }
  const payload = JSON.stringify({ target_url: NOWHERE, event: '*' })
  return { method: 'POST', url: '/webhook', headers, payload }
}

async function ofDisabled(shop: SampleMerchant, operation: string): Promise<Provoking> {
  const { service, merchant, make } = shop
  const url = `/webhook/${await make.webhook()}`
  await call(service.app, 'PUT', url, merchant.headers, { status: 'disabled' })
  return posted(shop, `${url}/${operation}`)
}

/** A replay begins only after some seconds. */
async function ofReplaying(shop: SampleMerchant): Promise<Provoking> {
  const sent = posted(shop, `/webhook/${await shop.make.webhook()}/replay`)
  await call(shop.service.app, 'POST', sent.url, shop.merchant.headers, now())
  return sent
}

function posted({ merchant }: SampleMerchant, url: string): Provoking {
  const headers = { ...merchant.headers, ...JSON_TYPE }
  return { method: 'POST', url, headers, payload: JSON.stringify(now()) }
}

const now = () => ({ since: new Date().toISOString() })
