// Whatever a live gateway answers, no key, token or secret of a payment is in a log or a job.

import { describe, expect, it } from 'vitest'
import type { CheckoutFault } from '../checkout/stand-in/faults.ts'
import type { StripeFault } from '../stripe/stand-in/faults.ts'
import { openCheckoutService } from './checkout-service.ts'
import { openLiveService } from './live-service.ts'

const FAULTS: readonly StripeFault[] = [
  { kind: 'cut', isExecuted: true },
  { kind: 'server error', when: 'after' },
  { kind: 'server error', when: 'before' },
  { kind: 'bad gateway', isExecuted: true },
  { kind: 'garbage', isExecuted: true },
  { kind: 'rate limit' },
  { kind: 'lock timeout' },
  { kind: 'key refused', status: 401 },
  { kind: 'key refused', status: 403 },
]

/** Payment methods, customers, and the secrets that confirm a payment in a browser. */
const TOKENS = /\b(?:pm|cus|ctoken)_[A-Za-z0-9]{6,}|_secret_|\bseti_/g

const CHECKOUT_FAULTS: readonly CheckoutFault[] = [
  { kind: 'cut', isExecuted: true },
  { kind: 'server error', isExecuted: true },
  { kind: 'bad gateway', isExecuted: true },
  { kind: 'garbage', isExecuted: true },
  { kind: 'too many requests' },
  { kind: 'key refused', status: 401 },
  { kind: 'key refused', status: 403 },
]

/** Cards in a browser, stored cards, and the channel beside them. */
const CHECKOUT_TOKENS = /\b(?:tok|src|pc)_[a-z0-9]{6,}/g

describe('the secrets of a live account', () => {
  it('are in no log and in no job, whatever fails', async () => {
    const lines: string[] = []
    await using live = await openLiveService({ log: { write: (line) => lines.push(line) } })
    const { service, stripe } = live
    const ids: string[] = []
    const methods = [
      await live.method('pm_card_visa'),
      await live.method('pm_card_chargeCustomerFail'),
    ]
    for (const fault of FAULTS) {
      for (const payment_method_id of methods) {
        let times = 2
        stripe.fault(() => (times-- > 0 ? fault : undefined))
        const { body } = await live.post('/charge', { total: 2, payment_method_id })
        ids.push(body.id)
        const refused = { method: 'card', person_name: 'A', payment_method_token: 'pm_card_visa' }
        times = 1
        await live.post('/payment-method', refused)
      }
    }
    stripe.fault()
    for (const id of ids) await live.outcome(id)
    const jobs = await service.world.queues.queue('charge').getJobs()
    const said = `${lines.join('')}${JSON.stringify(jobs.map(({ data }) => data))}`
    // As a control, the log has these payments and their failures.
    expect(said).toContain(ids[0])
    expect(said).toContain('the gateway was silent')
    expect(said).not.toContain(stripe.secretKey)
    expect(said).not.toContain(stripe.webhookSecret)
    expect(said.match(TOKENS)).toBe(null)
  }, 60_000)

  it('are in no log and in no job either, with Checkout.com', async () => {
    const lines: string[] = []
    await using live = await openCheckoutService({ log: { write: (line) => lines.push(line) } })
    const { checkout, service } = live
    const card = await live.card()
    const ids: string[] = []
    for (const fault of CHECKOUT_FAULTS) {
      let times = 2
      checkout.fault(() => (times-- > 0 ? fault : undefined))
      const { body } = await live.post('/charge', { total: 2, payment_method_id: card })
      ids.push(body.id)
      times = 1
      await live.card().catch(() => {})
    }
    checkout.fault()
    const jobs = await service.world.queues.queue('charge').getJobs()
    const said = `${lines.join('')}${JSON.stringify(jobs.map(({ data }) => data))}`
    // As a control, the log has these payments and their failures.
    expect(said).toContain(ids[0])
    expect(said).toContain('the gateway was silent')
    expect(said).not.toContain(checkout.secretKey)
    expect(said).not.toContain(checkout.webhookSecret)
    expect(said.match(CHECKOUT_TOKENS)).toBe(null)
  }, 60_000)
})
