// Stolen cards are tried out through a page: such attempts are limited for each address and each
// page, and real payers are not affected.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import type { Timings } from '../../src/timings.ts'
import { faultyGateway, type Plan } from '../support/faulty-gateway.ts'
import {
  MANY_PAYERS,
  newBill,
  newLink,
  newNonce,
  PAYER,
  sendJson,
  tokenFor,
  transactionsOf,
} from '../support/pages.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const BOUNDS: Partial<Timings> = {
  ...MANY_PAYERS,
  failedPaymentsAMinute: 4,
  failedPaymentsOfPageAMinute: 10,
  failedPaymentsUnderAttackAMinute: 2,
  gatewayTimeoutMs: 5_000,
  leaseMs: 15_000,
  lateFailureMs: 1_500,
}

/** Longer than a page waits. */
const SLOW_MS = 3_500

let gatewayIsSlow = false
let whileRedeeming: () => Promise<unknown>
let service: TestService
let merchant: Merchant

beforeAll(async () => {
  const settings = { TRUST_PROXY: 'true' }
  const plan: Plan = { fault: () => (gatewayIsSlow ? 'slow' : 'none'), slowMs: SLOW_MS }
  const withGateway = (gateway: Gateway): Gateway => ({
    ...faultyGateway(gateway, plan),
    redeemToken: async (...brought) => {
      await whileRedeeming()
      return gateway.redeemToken(...brought)
    },
  })
  service = await openTestService({ timings: BOUNDS, settings, withGateway })
})
afterAll(() => service.close())

/** Each test has addresses and pages of its own. */
let range = 0

beforeEach(async () => {
  gatewayIsSlow = false
  whileRedeeming = async () => undefined
  range += 1
  merchant = await service.merchant()
})

/** An address of the range of the test. */
const addressOf = (address: number) => `198.18.${range}.${address}`

async function payFrom(address: number, path: string, card?: string, nonce = newNonce()) {
  const token = await tokenFor(service, path, card)
  const headers = { 'x-forwarded-for': addressOf(address) }
  return sendJson(service, path, { nonce, token, amount: '10.00', ...PAYER }, headers)
}

const statusesOf = (answers: readonly { readonly status: number }[]) =>
  answers.map(({ status }) => status)

async function declineFrom(address: number, path: string, times: number) {
  const answers = []
  for (let i = 0; i < times; i += 1) answers.push(await payFrom(address, path, DECLINED_CARD))
  return statusesOf(answers)
}

/** Makes thirteen declined attempts from seven addresses. */
async function attack(path: string): Promise<void> {
  for (const address of [1, 2, 3, 4, 5, 6, 7]) await declineFrom(address, path, 2)
}

describe('one address', () => {
  it('has a limit of declined attempts a minute over all pages, and then sees a page that says so', async () => {
    const [link, bill] = [await newLink(service, merchant), (await newBill(service, merchant)).path]
    expect(await declineFrom(1, link, 3)).toEqual([200, 200, 200])
    expect(await declineFrom(1, bill, 2)).toEqual([200, 429])
    const late = await payFrom(1, link)
    expect([late.status, late.body.title]).toEqual([429, 'Too many attempts'])
    expect(late.body.message).toMatch(/This attempt has not charged you\. Please wait \d+ seconds/)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect(await transactionsOf(service, merchant)).toHaveLength(4)
    expect((await payFrom(2, link)).body.state).toBe('approved')
  })

  it('has no more of them at the same moment', async () => {
    const path = await newLink(service, merchant)
    const tries = Array.from({ length: 12 }, () => payFrom(1, path, DECLINED_CARD))
    const answered = statusesOf(await Promise.all(tries))
    expect(answered.filter((status) => status === 200)).toHaveLength(4)
    expect(await transactionsOf(service, merchant)).toHaveLength(4)
  })

  it('pays without a limit with cards that are approved', async () => {
    const path = await newLink(service, merchant)
    for (let i = 0; i < 9; i += 1) expect((await payFrom(1, path)).status).toBe(200)
  })

  it('pays without a limit while the gateway is slow, or a payment stays open', async () => {
    const path = await newLink(service, merchant)
    const open = await newLink(service, merchant, { amount: 763.64 })
    for (let i = 0; i < 6; i += 1) {
      const token = await tokenFor(service, open)
      const sent = { nonce: newNonce(), token, amount: '763.64', ...PAYER }
      const headers = { 'x-forwarded-for': addressOf(1) }
      expect((await sendJson(service, open, sent, headers)).body.state).toBe('processing')
    }
    gatewayIsSlow = true
    for (let i = 0; i < 2; i += 1) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => payFrom(1, path)))
      expect(answers.map(({ body }) => body.state)).toEqual(Array(4).fill('processing'))
    }
  })

  it('has used its attempts as well when they are declined late', async () => {
    const path = await newLink(service, merchant)
    gatewayIsSlow = true
    const late = await Promise.all([1, 2, 3, 4].map(() => payFrom(1, path, DECLINED_CARD)))
    expect(late.map(({ body }) => body.state)).toEqual(Array(4).fill('processing'))
    gatewayIsSlow = false
    await delay(3 * (BOUNDS.lateFailureMs ?? 0))
    expect((await payFrom(1, path)).status).toBe(429)
    expect((await payFrom(2, path)).body.state).toBe('approved')
  })

  it('uses no attempt for a bill that is paid by cash while the gateway gives its token', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { id, path } = await newBill(service, merchant)
      const cash = `/invoice/${id}/pay/cash`
      whileRedeeming = () => call(service.app, 'POST', cash, merchant.headers, {})
      const { status, body } = await payFrom(1, path)
      expect([status, body.reload]).toEqual([409, true])
    }
  })

  it('is told to ask the merchant if its customer is deleted in that moment', async () => {
    const { path, customerId } = await newBill(service, merchant)
    const customer = `/customer/${customerId}`
    whileRedeeming = () => call(service.app, 'DELETE', customer, merchant.headers)
    const { status, body } = await payFrom(1, path)
    expect([status, body.message]).toEqual([410, expect.stringContaining('ask them')])
  })

  it('repeats the same payment without using another attempt', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    for (let i = 0; i < 9; i += 1) {
      const { status, body } = await payFrom(1, path, DECLINED_CARD, nonce)
      expect([status, body.state]).toEqual([200, 'declined'])
    }
  })
})

describe('a page on which many addresses try cards', () => {
  it('limits each address to two attempts a minute, and lets payers through all the while', async () => {
    const path = await newLink(service, merchant)
    await attack(path)
    expect(await declineFrom(20, path, 3)).toEqual([200, 200, 429])
    for (let i = 0; i < 4; i += 1) expect((await payFrom(21, path)).body.state).toBe('approved')
    expect(await declineFrom(21, path, 1)).toEqual([200])
    expect((await payFrom(21, path)).body.state).toBe('approved')
  })

  it("does not affect the merchant's other pages", async () => {
    const [path, other] = [await newLink(service, merchant), await newLink(service, merchant)]
    await attack(path)
    expect(await declineFrom(20, other, 4)).toEqual([200, 200, 200, 200])
  })
})
