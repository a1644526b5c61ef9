// The doctor's findings about settings that conflict, or open more than they seem to.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkLiveGateway, checkSecrets, checkSettings } from '../../src/doctor/check-settings.ts'
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
    ['of an API server that is open to all and has every setting', OPEN],
    ['of a service that is reached by its own name only', { HOST: '127.0.0.1' }],
    ['of a service without TLS and without proxies', { PUBLIC_URL: 'http://127.0.0.1:3000' }],
  ])('reports nothing for settings: %s', async (_what, settings) => {
    const world = withSettings(settings)
    expect(await findingsOf(checkSettings, world)).toEqual([
      { subject: 'settings', state: 'ok', says: 'all are valid and consistent' },
    ])
    expect(await findingsOf(checkLiveGateway, world)).toEqual([
      { subject: 'live gateway', state: 'ok', says: 'none, and no team has a live key' },
    ])
  })

  it.each([
    [{ ...OPEN, PUBLIC_URL: 'http://localhost:3000' }, 'fault', /HOST is 0\.0\.0\.0.*localhost/],
    [{ ...OPEN, PUBLIC_URL: 'http://127.1.2.3:3000' }, 'fault', /their own machine/],
    [{ ...OPEN, PUBLIC_URL: 'http://[::1]' }, 'fault', /their own machine/],
    [{ ...OPEN, HOST: '::', ADMIN_PASSWORD: '' }, 'warning', /without ADMIN_PASSWORD/],
    [{ ...OPEN, TRUST_PROXY: 'true' }, 'warning', /TRUST_PROXY is true/],
    [{ ...OPEN, TRUST_PROXY: '' }, 'warning', /TRUST_PROXY does not name it/],
    [{ WEBHOOK_ALLOW_PRIVATE: 'true' }, 'warning', /WEBHOOK_ALLOW_PRIVATE is true/],
  ])('reports %j', async (settings, state, says) => {
    expect(await findingsOf(checkSettings, withSettings(settings))).toEqual([
      {
        subject: 'settings',
        state,
        says: expect.stringMatching(says),
        remedy: expect.stringMatching(/^(Set|Unset) [A-Z_]+/),
      },
    ])
  })

  it('asks about a variable that is nearly a setting', async () => {
    const world = withSettings({ CHARGE_WAIT: '5s' })
    expect(await findingsOf(checkSettings, world)).toEqual([
      {
        subject: 'settings',
        state: 'warning',
        says: 'CHARGE_WAIT is set but is not a setting: did you mean CHARGE_WAIT_MS?',
        remedy: 'Set CHARGE_WAIT_MS, or unset CHARGE_WAIT.',
      },
    ])
  })

  it('reports a key of secrets that this process lacks, as its start does', async () => {
    const made = new Date('2026-01-01')
    const id = '0123456789abcdef'
    await service.world.db.query('INSERT INTO secrets_key VALUES ($1, $2)', [id, made])
    const found = await findingsOf(checkSecrets, service.world)
    await service.world.db.query('DELETE FROM secrets_key WHERE id = $1', [id])
    expect(found).toEqual([
      {
        subject: 'secrets',
        state: 'fault',
        says: `secrets in this database are sealed with key ${id}, which this process does not have`,
        remedy: expect.stringContaining('SECRETS_KEY'),
      },
    ])
  })

  it('reports a team with a live key if there is no live gateway', async () => {
    await service.merchant('live')
    expect(await findingsOf(checkLiveGateway, service.world)).toEqual([
      {
        subject: 'live gateway',
        state: 'fault',
        says: expect.stringMatching(/^1 team has a live key and no gateway.*no_live_gateway/),
        remedy: expect.stringContaining('lamplighter keys revoke'),
      },
    ])
    await service.world.db.prisma.apiKey.updateMany({ data: { revokedAt: new Date() } })
    expect(await findingsOf(checkLiveGateway, service.world)).toMatchObject([{ state: 'ok' }])
  })

  it('reports that a test key moves no money, and that events of Stripe would be refused', async () => {
    await using live = await openTestService({
      queues: [],
      settings: {
        STRIPE_SECRET_KEY: 'sk_test_0123456789',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
      },
    })
    await live.merchant('live')
    const found = await findingsOf(checkLiveGateway, live.world)
    expect(found.map(({ state, says }) => `${state} ${says}`)).toEqual([
      expect.stringMatching(/^warning Stripe is used with a test key: no money moves/),
      expect.stringMatching(/^warning events of Stripe are refused/),
    ])
  })

  it('reports which of two gateways lacks its secret, and whose gateway is not configured', async () => {
    await using live = await openTestService({
      queues: [],
      settings: { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'whsec_0123456789', ...CHECKOUT },
    })
    const { accountId } = await live.merchant('live')
    const stranded = { where: { id: accountId }, data: { liveGateway: 'former' } }
    await live.world.db.prisma.account.update(stranded)
    const found = await findingsOf(checkLiveGateway, live.world)
    expect(found.map(({ state, says }) => `${state} ${says}`)).toEqual([
      expect.stringMatching(/^warning events of Checkout.com are refused/),
      expect.stringMatching(/^fault 1 team has a live key and no gateway/),
    ])
  })
})
