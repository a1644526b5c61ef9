// A caller that guesses keys is slowed down by its address.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/accounts/key.ts'
import { defaultTimings } from '../../src/timings.ts'
import { expectRefusal } from '../support/requests.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const { failedSignInsAMinute } = defaultTimings

const PROXY = '198.51.100.1'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    settings: { TRUST_PROXY: PROXY },
    timings: { failedSignInsAMinute },
  })
  merchant = await service.merchant()
})
afterAll(() => service.close())

interface From {
  readonly address: string
  readonly forwardedFor?: string
}

async function ask({ address, forwardedFor }: From, authorization?: string) {
  const { statusCode, headers, body } = await service.app.inject({
    url: '/self',
    remoteAddress: address,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    },
  })
  return { status: statusCode, headers, text: body, body: JSON.parse(body) }
}

/** How many of this many failures were answered 401, before the others were answered 429. */
async function failures(count: number, from: (i: number) => From): Promise<number> {
  const statuses: number[] = []
  for (let i = 0; i < count; i += 1) {
    const kinds = [undefined, 'Bearer x', `Bearer ${newKey('sandbox')}`, 'Basic eA==']
    statuses.push((await ask(from(i), kinds[i % kinds.length])).status)
  }
  const refused = statuses.indexOf(429)
  const known = refused === -1 ? statuses.length : refused
  expect(statuses).toEqual([...Array(known).fill(401), ...Array(count - known).fill(429)])
  return known
}

describe('failed sign-ins', () => {
  it('are thirty a minute', () => {
    expect(failedSignInsAMinute).toBe(30)
  })

  it('of one address are refused beyond that, whatever key was presented', async () => {
    expect(await failures(35, () => ({ address: '203.0.113.1' }))).toBe(30)
    const refused = await ask({ address: '203.0.113.1' })
    expectRefusal(refused, 429, 'rate_limited')
    expect(refused.body.message).toMatch(
      /^too many requests without a valid key: the limit is 30 a minute, try again in \d+ s$/,
    )
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.headers).not.toHaveProperty('ratelimit')
    const good = await ask({ address: '203.0.113.1' }, `Bearer ${merchant.key}`)
    expect(good.status).toBe(200)
    expect(good.headers).toHaveProperty('ratelimit')
  })

  it('of different addresses are counted apart', async () => {
    expect(await failures(35, (i) => ({ address: `203.0.113.${100 + i}` }))).toBe(35)
  })

  it('of one IPv6 network are counted together', async () => {
    expect(await failures(35, (i) => ({ address: `2001:db8:0:1::${i}` }))).toBe(30)
    expect(await failures(5, () => ({ address: '2001:db8:0:2::1' }))).toBe(5)
  })

  it('are counted by the address that a trusted proxy names', async () => {
    const behind = (i: number) => ({ address: PROXY, forwardedFor: `192.0.2.${i}` })
    expect(await failures(35, behind)).toBe(35)
    expect(await failures(35, () => behind(200))).toBe(30)
  })

  it('are counted by the address itself, whatever an untrusted client claims', async () => {
    const lying = (i: number) => ({ address: '203.0.113.2', forwardedFor: `192.0.2.${100 + i}` })
    expect(await failures(35, lying)).toBe(30)
  })
})
