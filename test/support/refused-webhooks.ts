// The refusals of operations on webhooks, each with a request that causes it.

import type { Provoke, Provoking } from './refused-anywhere.ts'
import { JSON_TYPE } from './requests.ts'
import type { SampleMerchant } from './samples.ts'
import { call } from './test-service.ts'
import { NOWHERE, webhooksOf } from './webhooks.ts'

const MOST = 20

/** By the route, and by the refusal. */
export function refusedWebhooks(
  seller: SampleMerchant,
): Readonly<Record<string, Readonly<Record<string, Provoke>>>> {
  return {
    'POST /webhook': { '409 too_many_webhooks': () => ofOneTooMany(seller) },
    'POST /webhook/{id}/test': { '409 wrong_state': () => ofDisabled(seller, 'test') },
    'POST /webhook/{id}/replay': {
      '409 wrong_state': () => ofDisabled(seller, 'replay'),
      '409 replay_under_way': () => ofReplaying(seller),
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

async function ofDisabled(seller: SampleMerchant, operation: string): Promise<Provoking> {
  const { service, merchant, make } = seller
  const url = `/webhook/${await make.webhook()}`
  await call(service.app, 'PUT', url, merchant.headers, { status: 'disabled' })
  return posted(seller, `${url}/${operation}`)
}

/** A replay begins only after some seconds. */
async function ofReplaying(seller: SampleMerchant): Promise<Provoking> {
  const sent = posted(seller, `/webhook/${await seller.make.webhook()}/replay`)
  await call(seller.service.app, 'POST', sent.url, seller.merchant.headers, now())
  return sent
}

function posted({ merchant }: SampleMerchant, url: string): Provoking {
  const headers = { ...merchant.headers, ...JSON_TYPE }
  return { method: 'POST', url, headers, payload: JSON.stringify(now()) }
}

const now = () => ({ since: new Date().toISOString() })
