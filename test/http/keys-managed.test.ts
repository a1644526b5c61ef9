// What operators do with keys, and what changes for the callers with these keys.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createKey,
  listKeys,
  readKey,
  writeChangedKey,
  writeRevokedKey,
  writeRolledKey,
} from '../../src/accounts/manage-keys.ts'
import { readKeyChange } from '../../src/accounts/read-key-change.ts'
import { after, DAY, HOUR, MINUTE } from '../../src/core/time-units.ts'
import { inOneCommit } from '../../src/operators/audit-entries.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import { send } from '../support/requests.ts'
import { rollKey } from '../support/roll-key.ts'
import { soon } from '../support/soon.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let clock: MovableClock
let service: TestService
let merchant: Merchant

beforeAll(async () => {
  clock = movableClock()
  service = await openTestService({ queues: [], clock })
})
beforeEach(async () => {
  merchant = await service.merchant()
})
afterAll(() => service.close())

const inMs = (ms: number) => after(clock.now(), ms)

const use = async (key: string) =>
  (await send(service.app, { url: '/self', headers: { authorization: `Bearer ${key}` } })).status

const make = (lifeMs?: number) =>
  createKey(service.world, {
    accountId: merchant.accountId,
    mode: 'sandbox',
    name: 'shop',
    expiresAt: lifeMs === undefined ? undefined : inMs(lifeMs),
  })

describe('the last use of a key', () => {
  const lastUsed = async () => {
    const [{ lastUsedAt } = {}] = await listKeys(service.world, merchant.teamId)
    return lastUsedAt
  }
  const minuteOf = (instant: Date) => new Date(Math.floor(instant.getTime() / MINUTE) * MINUTE)

  it('is empty before the first use', async () => {
    expect(await lastUsed()).toBeNull()
  })

  it('is recorded to the minute, and again in another minute', async () => {
    for (const _ of ['first', 'second']) {
      clock.move(2 * MINUTE)
      expect(await use(merchant.key)).toBe(200)
      const minute = minuteOf(clock.now())
      await soon(async () => expect(await lastUsed()).toEqual(minute))
    }
  })

  it('is written once a minute, however often the key is used in it', async () => {
    clock.move(MINUTE - (clock.now().getTime() % MINUTE))
    await use(merchant.key)
    await soon(async () => expect(await lastUsed()).not.toBeNull())
    const version = async () =>
      (
        await service.world.db.query('SELECT xmin FROM api_key WHERE account_id = $1', [
          merchant.accountId,
        ])
      )[0]?.xmin
    const before = await version()
    await Promise.all(Array.from({ length: 20 }, () => use(merchant.key)))
    clock.move(MINUTE)
    const another = await service.merchant()
    // Its statement comes after all those that the other keys could have caused.
    await use(another.key)
    expect(await version()).toBe(before)
  })

  it('is not recorded for a refused key', async () => {
    const { key, id } = await make()
    await writeRevokedKey(service.world, id)
    expect(await use(key)).toBe(401)
    expect((await readKey(service.world, id)).lastUsedAt).toBeNull()
  })

  it('delays no request', async () => {
    await service.world.db.commit('held', async (query) => {
      await query('SELECT FROM api_key WHERE account_id = $1 FOR UPDATE', [merchant.accountId])
      expect(await use(merchant.key)).toBe(200)
    })
    expect(await use(merchant.key)).toBe(200)
    await soon(async () => expect(await lastUsed()).not.toBeNull())
  })
})

describe('a key that is rolled', () => {
  it('ends at once, or after the overlap', async () => {
    for (const overlapMs of [0, HOUR]) {
      const old = await make()
      const rolled = await rollKey(service.world, old.id, inMs(overlapMs))
      expect(rolled.oldUntil).toEqual((await readKey(service.world, old.id)).expiresAt)
      const statuses = [await use(old.key), await use(rolled.key)]
      expect(statuses).toEqual([overlapMs === 0 ? 401 : 200, 200])
      clock.move(HOUR)
      expect([await use(old.key), await use(rolled.key)]).toEqual([401, 200])
    }
  })

  it('ends at its own expiry if that comes before the end of the overlap', async () => {
    const old = await make(HOUR)
    const { expiresAt } = await readKey(service.world, old.id)
    const { oldUntil } = await rollKey(service.world, old.id, inMs(DAY))
    expect(oldUntil).toEqual(expiresAt)
    clock.move(HOUR)
    expect(await use(old.key)).toBe(401)
  })

  it('is rolled once: a second key would end with the overlap of the first', async () => {
    const old = await make()
    const rolled = await rollKey(service.world, old.id, inMs(DAY))
    await expect(rollKey(service.world, old.id, inMs(DAY))).rejects.toThrow(
      `was rolled before, to ${rolled.id}`,
    )
    const together = await make()
    const both = [1, 2].map(() => rollKey(service.world, together.id, inMs(DAY)))
    const settled = await Promise.allSettled(both)
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const next = await rollKey(service.world, rolled.id, inMs(DAY))
    expect([next.expiresAt, await use(next.key)]).toEqual([null, 200])
  })

  it('ends within thirty days of its successor, whatever is requested later', async () => {
    const { id } = await make()
    const rolled = await rollKey(service.world, id, inMs(DAY))
    clock.move(HOUR)
    for (const expires of ['never', '30d']) {
      await expect(setByText(id, [`expires=${expires}`, 'name=other'])).rejects.toThrow(
        `the key ${id} was rolled, to ${rolled.id}: it ends by `,
      )
    }
    const { name, expiresAt } = await readKey(service.world, id)
    expect({ name, expiresAt }).toEqual({ name: 'shop', expiresAt: rolled.oldUntil })
    await setByText(id, ['expires=29d', 'name=other'])
    const changed = await readKey(service.world, id)
    expect(changed.expiresAt?.getTime()).toBeGreaterThan(inMs(28 * DAY).getTime())
    await setByText(rolled.id, ['expires=never'])
  })

  it('keeps to that bound if it is rolled while its end is being changed', async () => {
    const { id } = await make()
    const changed = await inOneCommit(service.world, 'another process', async (own) => {
      await writeRolledKey(own, id, inMs(DAY))
      const change = setByText(id, ['expires=never']).catch(String)
      // By then the change waits for the key's row.
      await delay(500)
      return () => change
    })
    expect(await changed()).toContain('was rolled, to')
    expect((await readKey(service.world, id)).expiresAt).not.toBeNull()
  })

  it('keeps the end that it is given while it is being rolled', async () => {
    const { id } = await make()
    const end = inMs(HOUR)
    const rolled = await inOneCommit(service.world, 'another process', async (own) => {
      await writeChangedKey(own, id, { expiresAt: end })
      const rolling = rollKey(service.world, id, inMs(DAY))
      // By then it waits for the key's row.
      await delay(500)
      return () => rolling
    })
    expect((await rolled()).oldUntil).toEqual(end)
    expect((await readKey(service.world, id)).expiresAt).toEqual(end)
  })

  it('is followed by a key of the same name, mode and lifetime', async () => {
    const old = await make(90 * DAY)
    clock.move(30 * DAY)
    const rolled = await rollKey(service.world, old.id, clock.now())
    const { name, mode, state, expiresAt } = await readKey(service.world, rolled.id)
    expect({ name, mode, state }).toEqual({ name: 'shop', mode: 'sandbox', state: 'active' })
    expect(expiresAt).toEqual(rolled.expiresAt)
    const lifeMs = (expiresAt?.getTime() ?? 0) - clock.now().getTime()
    expect(Math.abs(lifeMs - 90 * DAY)).toBeLessThan(MINUTE)
    const endless = await rollKey(service.world, (await make()).id, clock.now())
    expect(endless.expiresAt).toBeNull()
  })
})

describe('a key that has ended', () => {
  const ended = async (how: 'revoked' | 'expired') => {
    const { key, id } = await make(HOUR)
    if (how === 'revoked') await writeRevokedKey(service.world, id)
    else clock.move(HOUR)
    return { key, id }
  }

  it.each(['revoked', 'expired'] as const)(
    'stays ended, whatever is requested: %s',
    async (how) => {
      const { key, id } = await ended(how)
      await expect(rollKey(service.world, id, inMs(HOUR))).rejects.toThrow(/is not active/)
      for (const expires of ['expires=90d', 'expires=never']) {
        await expect(setByText(id, [expires])).rejects.toThrow(/is not active/)
      }
      expect(await use(key)).toBe(401)
      expect((await readKey(service.world, id)).state).toBe(how)
      expect(await listKeys(service.world, merchant.teamId)).toHaveLength(2)
    },
  )

  it.each(['revoked', 'expired'] as const)('can get another name: %s', async (how) => {
    const { id } = await ended(how)
    await setByText(id, ['name=the old one'])
    expect(await readKey(service.world, id)).toMatchObject({ name: 'the old one', state: how })
  })
})

describe('a change of a key', () => {
  it('changes its name, its expiry, or both', async () => {
    const { id } = await make()
    await setByText(id, ['name=till = 2', 'expires=2030-01-31'])
    const expiresAt = new Date('2030-01-31T00:00:00Z')
    expect(await readKey(service.world, id)).toMatchObject({ name: 'till = 2', expiresAt })
    await setByText(id, ['expires=90d'])
    const { expiresAt: later, name } = await readKey(service.world, id)
    expect(Math.abs((later?.getTime() ?? 0) - inMs(90 * DAY).getTime())).toBeLessThan(MINUTE)
    expect(name).toBe('till = 2')
    await setByText(id, ['expires=never'])
    expect((await readKey(service.world, id)).expiresAt).toBeNull()
  })

  it('changes its dialect, which the rolled key has too', async () => {
    const { id } = await make()
    expect(await readKey(service.world, id)).toMatchObject({ dialect: 'standard' })
    await setByText(id, ['dialect=stax'])
    expect(await readKey(service.world, id)).toMatchObject({ dialect: 'stax', name: 'shop' })
    const rolled = await rollKey(service.world, id, clock.now())
    expect(await readKey(service.world, rolled.id)).toMatchObject({ dialect: 'stax' })
    await setByText(rolled.id, ['dialect=standard'])
    expect(await readKey(service.world, rolled.id)).toMatchObject({ dialect: 'standard' })
  })

  it.each([
    ['dialect=klingon', /klingon is not a dialect: standard or stax/],
    ['expires=2020-01-01', /2020-01-01 is not in the future/],
    ['expires=0m', /0m is not in the future/],
    ['expires=90', /90 is neither a time such as 30d, 12h or 15m, nor a date/],
    ['expires=2030-02-31', /2030-02-31 is neither/],
    ['expires=2030-01-31T25:00', /is neither/],
    ['expires=tomorrow', /tomorrow is neither/],
    ['expires=', /is not a change of a key: name=…, expires=/],
    ['mode=live', /mode=live is not a change of a key/],
    ['shop', /shop is not a change of a key/],
  ])('is refused as a whole if a part makes no sense: %s', async (change, message) => {
    const { id } = await make()
    await expect(setByText(id, ['name=other', change])).rejects.toThrow(message)
    expect(await readKey(service.world, id)).toMatchObject({ name: 'shop', expiresAt: null })
  })

  it('is refused for a key that does not exist', async () => {
    const unknown = service.world.newId()
    await expect(setByText(unknown, ['name=x'])).rejects.toThrow(/there is no key/)
  })
})

/** Sets the fields from texts, as the command line does. */
async function setByText(id: string, texts: readonly string[]): Promise<void> {
  const { world } = service
  const change = readKeyChange(texts, world.clock.now())
  await inOneCommit(world, `key ${id}`, (own) => writeChangedKey(own, id, change))
}
