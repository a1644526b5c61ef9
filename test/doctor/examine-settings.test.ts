// What the doctor says of settings that do not go together, or open more than they seem to.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { examineSettings } from '../../src/doctor/examine-settings.ts'
import type { World } from '../../src/world.ts'
import { CHECKOUT, STRIPE } from '../support/settings.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const OPEN = {
  HOST: '0.0.0.0',
  PUBLIC_URL: 'https://pay.example',
  ADMIN_PASSWORD: 'of twelve or more',
  TRUST_PROXY: '10.0.0.0/8',
}

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
})
afterAll(() => service.close())

const withSettings = (settings: Readonly<Record<string, string>>): World => ({
  ...service.world,
  config: readConfig(settings),
})

describe('the doctor', () => {
  it.each([
    ['none at all', {}],
    ['of an intake that is open to all, and has all that it takes', OPEN],
    ['of a service that is reached by its own name only', { HOST: '127.0.0.1' }],
    ['of a service without TLS and without proxies', { PUBLIC_URL: 'http://127.0.0.1:3000' }],
  ])('has nothing to say of settings: %s', async (_what, settings) => {
    expect(await examineSettings(withSettings(settings))).toEqual([
      { subject: 'settings', state: 'good', says: 'all are valid and consistent' },
      { subject: 'live gateway', state: 'good', says: 'none, and no team has a live key' },
    ])
  })

  it.each([
    [{ ...OPEN, PUBLIC_URL: 'http://localhost:3000' }, 'bad', /HOST is 0\.0\.0\.0.*localhost/],
    [{ ...OPEN, PUBLIC_URL: 'http://127.1.2.3:3000' }, 'bad', /their own machine/],
    [{ ...OPEN, PUBLIC_URL: 'http://[::1]' }, 'bad', /their own machine/],
    [{ ...OPEN, HOST: '::', ADMIN_PASSWORD: '' }, 'odd', /without ADMIN_PASSWORD/],
    [{ ...OPEN, TRUST_PROXY: 'true' }, 'odd', /TRUST_PROXY is true/],
    [{ ...OPEN, TRUST_PROXY: '' }, 'odd', /TRUST_PROXY does not name it/],
    [{ WEBHOOK_ALLOW_PRIVATE: 'true' }, 'odd', /WEBHOOK_ALLOW_PRIVATE is true/],
  ])('minds %j', async (settings, state, says) => {
    const found = await examineSettings(withSettings(settings))
    expect(found.filter(({ subject }) => subject === 'settings')).toEqual([
      {
        subject: 'settings',
        state,
        says: expect.stringMatching(says),
        remedy: expect.stringMatching(/^(Set|Unset) [A-Z_]+/),
      },
    ])
  })

  it('asks what a variable is meant for that is nearly a setting', async () => {
    const [found] = await examineSettings(withSettings({ CHARGE_WAIT: '5s' }))
    expect(found).toEqual({
      subject: 'settings',
      state: 'odd',
      says: 'CHARGE_WAIT is set but is not a setting: did you mean CHARGE_WAIT_MS?',
      remedy: 'Set CHARGE_WAIT_MS, or unset CHARGE_WAIT.',
    })
  })

  it('minds a team that has a live key, where there is no live gateway', async () => {
    await service.merchant('live')
    const found = await examineSettings(service.world)
    expect(found).toContainEqual({
      subject: 'live gateway',
      state: 'bad',
      says: expect.stringMatching(/^none, and 1 team has a live key.*no_live_gateway/),
      remedy: expect.stringContaining('lamplighter keys revoke'),
    })
    await service.world.db.prisma.apiKey.updateMany({ data: { revokedAt: new Date() } })
    expect(await examineSettings(service.world)).toContainEqual(
      expect.objectContaining({ subject: 'live gateway', state: 'good' }),
    )
  })

  it('says that a test key moves no money, and that events of Stripe would be refused', async () => {
    await using live = await openTestService({
      queues: [],
      settings: {
        STRIPE_SECRET_KEY: 'sk_test_0123456789',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
      },
    })
    await live.merchant('live')
    const found = await examineSettings(live.world)
    const about = found.filter(({ subject }) => subject === 'live gateway')
    expect(about.map(({ state, says }) => `${state} ${says}`)).toEqual([
      expect.stringMatching(/^odd Stripe is used with a test key: no money moves/),
      expect.stringMatching(/^odd Stripe's events are refused/),
    ])
  })

  it('says which of two gateways lacks its secret, and whose gateway is not set up', async () => {
    await using live = await openTestService({
      queues: [],
      settings: { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'whsec_0123456789', ...CHECKOUT },
    })
    const { accountId } = await live.merchant('live')
    const stranded = { where: { id: accountId }, data: { liveGateway: 'former' } }
    await live.world.db.prisma.account.update(stranded)
    const found = await examineSettings(live.world)
    const about = found.filter(({ subject }) => subject === 'live gateway')
    expect(about.map(({ state, says }) => `${state} ${says}`)).toEqual([
      expect.stringMatching(/^odd Checkout.com's events are refused, because CHECKOUT_WEBHOOK/),
      expect.stringMatching(/^bad 1 team has a live key and a gateway that is not set up/),
    ])
  })
})
