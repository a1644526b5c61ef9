import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/accounts/key.ts'
import { createKey, writeRevokedKey } from '../../src/accounts/manage-keys.ts'
import { MINUTE } from '../../src/core/time-units.ts'
import type { Clock } from '../../src/outside/clock.ts'
import { expectRefusal, send, withoutRequestId } from '../support/requests.ts'
import { rollKey } from '../support/roll-key.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('keys', () => {
  let aheadMs = 0
  const clock: Clock = { now: () => new Date(Date.now() + aheadMs) }
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [], clock })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const withKey = (key: string) =>
    send(service.app, { url: '/self', headers: { authorization: `Bearer ${key}` } })

  const anotherKey = (expiresAt?: Date) =>
    createKey(service.world, {
      accountId: merchant.accountId,
      mode: 'sandbox',
      name: 'another',
      expiresAt,
    })

  it('are all refused with the same answer', async () => {
    const { key: revoked, id } = await anotherKey()
    await writeRevokedKey(service.world, id)
    const { key: expired } = await anotherKey(new Date(Date.now() - 1))
    const refused = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: merchant.key },
      { authorization: `Basic ${Buffer.from(`${merchant.key}:`).toString('base64')}` },
      { authorization: `Bearer ${merchant.key} ${merchant.key}` },
      { authorization: `Bearer ${merchant.key}x` },
      { authorization: `Bearer ${merchant.key.slice(0, -1)}` },
      { authorization: `Bearer ${merchant.key.toUpperCase()}` },
      { authorization: `Bearer ${merchant.key.replace('sandbox', 'live')}` },
      { authorization: `Bearer ${newKey('sandbox')}` },
      { authorization: 'Bearer garbage' },
      { authorization: `Bearer ${revoked}` },
      { authorization: `Bearer ${expired}` },
      { authorization: `Bearer sk_sandbox_${'x'.repeat(5_000)}` },
      { authorization: 'Bearer é\u0001' },
    ]
    for (const headers of refused) {
      const answer = await send(service.app, { url: '/self', headers })
      expectRefusal(answer, 401, 'unauthorized')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      const first = await send(service.app, { url: '/customer' })
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(first))
    }
  })

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('can follow the word %j', async (scheme) => {
    const headers = { authorization: `${scheme} ${merchant.key}` }
    expect((await send(service.app, { url: '/self', headers })).status).toBe(200)
  })

  it('are refused from the instant of their revocation', async () => {
    const { key, id } = await anotherKey()
    expect((await withKey(key)).status).toBe(200)
    await writeRevokedKey(service.world, id)
    expect((await withKey(key)).status).toBe(401)
    expect((await withKey(merchant.key)).status).toBe(200)
  })

  it('are refused from their expiry, and rolled ones work until theirs', async () => {
    const { key: old, id } = await anotherKey(new Date(Date.now() + 10 * MINUTE))
    const rolled = await rollKey(service.world, id, new Date(Date.now() + 5 * MINUTE))
    const statuses = async () => [(await withKey(old)).status, (await withKey(rolled.key)).status]
    expect(await statuses()).toEqual([200, 200])
    aheadMs = 6 * MINUTE
    expect(await statuses()).toEqual([401, 200])
    aheadMs = 0
  })

  it('are stored as a hash, with a prefix that tells them apart', async () => {
    const { key, id, prefix } = await anotherKey()
    expect(Buffer.from(key.replace('sk_sandbox_', ''), 'base64url').length).toBeGreaterThanOrEqual(
      32,
    )
    expect(key.startsWith(prefix)).toBe(true)
    expect(prefix.length).toBeLessThan(20)
    const rows = await service.world.db.query(
      `SELECT k::text AS key, h::text AS hash
       FROM api_key k JOIN key_hash h ON h.key_id = k.id WHERE k.id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(JSON.stringify(rows)).not.toContain(key.slice(prefix.length))
  })

  it('show their team and account in /self', async () => {
    const { body } = await call(service.app, 'GET', '/self', merchant.headers)
    expect(body).toMatchObject({
      team: { id: merchant.teamId, status: 'active', enabled: true, sms_enabled: false },
      account: { id: merchant.accountId, mode: 'sandbox' },
      key: {
        name: 'test',
        prefix: expect.stringMatching(/^sk_sandbox_/),
        dialect: 'standard',
      },
    })
    expect(JSON.stringify(body)).not.toContain(merchant.key)
  })

  it('get the first refusal if the team is neither active nor enabled', async () => {
    const fallen = await service.merchant()
    await setTeam(service.world, fallen.teamId, ['status=inactive', 'enabled=false'])
    const answer = await service.charge(fallen, {})
    expectRefusal(answer, 403, 'team_inactive')
  })
})
