// Teams and keys: every change that an operator can make, the refusals, the audit entry of each,
// and a key that is shown once and stored nowhere.

import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeTeam } from '../../src/accounts/change-team.ts'
import { findTeam } from '../../src/accounts/find-teams.ts'
import { saveTeam } from '../../src/operators/manage-teams.ts'
import { type SignedIn, see, seeAfter, sendForm, signIn } from '../support/operator.ts'
import { CHECKOUT } from '../support/settings.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const KEY = /sk_(?:live|sandbox)_[\w-]{43}/

/** The values of the form when nothing was changed. */
const TEAM = { section: 'team', name: 'Harbour' }
const PAYMENTS = { section: 'payments', status: 'active', enabled: 'on' }
const LIVE = {
  section: 'live',
  live_rate_limit: '1000000',
  live_cutoff: '20:00',
  live_timezone: 'America/New_York',
  live_retry_days: '1,3,7',
}

describe('teams', () => {
  let service: TestService
  let operator: SignedIn
  let log = ''

  beforeAll(async () => {
    const kept = new Writable({
      write(chunk, _, done) {
        log += String(chunk)
        done()
      },
    })
    service = await openTestService({ queues: [], log: kept, settings: CHECKOUT })
    operator = await signIn(service.world)
  })
  afterAll(() => service.close())
  // Each test may give its teams the names of others.
  beforeEach(() => service.world.db.query('UPDATE team SET name = id').then(() => {}))

  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    sendForm(service.app, path, operator, fields)

  /** Sends the form of a section of the team's page. */
  const save = (path: string, { section, ...fields }: Readonly<Record<string, string>>) =>
    send(`${path}/${section}`, fields)

  async function newTeam(name = 'Harbour'): Promise<string> {
    const answer = await send('/admin/teams/new', { name })
    expect(answer.statusCode).toBe(303)
    return String(answer.headers.location)
  }

  const idIn = (path: string) => path.split('/').at(-1) ?? ''

  const auditOf = (path: string) =>
    service.world.db.query(
      'SELECT deed AS action, detail FROM deed WHERE subject = $1 ORDER BY id',
      [idIn(path)],
    )

  describe('the list', () => {
    it('finds a team by a part of its name, by its id and by its accounts’', async () => {
      const path = await newTeam('Blue Door Books')
      const [account] = await service.world.db.query('SELECT id FROM account WHERE team_id = $1', [
        idIn(path),
      ])
      for (const q of ['blue door', idIn(path), account?.id]) {
        const { body } = await see(service.app, `/admin/teams?q=${encodeURIComponent(q)}`, operator)
        expect(body, q).toContain(`<a href="${path}">Blue Door Books</a>`)
      }
      const none = await see(service.app, '/admin/teams?q=nobody', operator)
      expect(none.body).toContain('Nothing matches.')
    })

    it('makes a team with both accounts, and writes an audit entry', async () => {
      const path = await newTeam('Made Here')
      expect(await auditOf(path)).toEqual([{ action: 'team made', detail: { name: 'Made Here' } }])
      expect((await see(service.app, path, operator)).body).toContain('Sandbox account')
    })

    it('makes none with the name of another team, in any case, and says so', async () => {
      const first = await newTeam('Blue Door')
      const answer = await send('/admin/teams/new', { name: 'BLUE door' })
      expect(answer.statusCode).toBe(422)
      const said = `Another team is named Blue Door already (${idIn(first)}): choose a different name.`
      expect(answer.body).toContain(said)
      expect(answer.body).toContain('value="BLUE door"')
    })

    it('makes one of the teams that are given a name at the same moment', async () => {
      const made = await Promise.all(
        ['Pier', 'pier', 'PIER', 'Pier'].map((name) => send('/admin/teams/new', { name })),
      )
      expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422, 422, 422])
    })

    it('makes none without a name, and says so', async () => {
      const answer = await send('/admin/teams/new', { name: '  ' })
      expect([answer.statusCode, answer.body.includes('Enter a name.')]).toEqual([422, true])
    })

    it('is paged', async () => {
      const at = service.world.clock.now()
      const many = Array.from({ length: 51 }, (_, n) => `Many ${n}`)
      await service.world.db.prisma.team.createMany({
        data: many.map((name) => ({
          id: service.world.newId(),
          name,
          createdAt: at,
          updatedAt: at,
        })),
      })
      const first = await see(service.app, '/admin/teams?q=Many', operator)
      expect(first.body).toContain('1–50 of 51')
      const second = await see(service.app, '/admin/teams?q=Many&page=2', operator)
      expect(second.body).toContain('51–51 of 51')
      const beyond = await see(service.app, '/admin/teams?q=Many&page=9', operator)
      expect(beyond.body).toContain('href="/admin/teams?q=Many&amp;page=2">← ')
    })
  })

  describe('a change', () => {
    it.each<readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
      [{ ...TEAM, name: 'Quay' }, { name: 'Harbour → Quay' }],
      [{ ...TEAM, email: 'pay@shop.example' }, { email: 'none → pay@shop.example' }],
      [{ ...PAYMENTS, status: 'inactive' }, { status: 'active → inactive' }],
      [{ section: 'payments', status: 'active' }, { enabled: 'true → false' }],
      [{ ...TEAM, sms_enabled: 'on' }, { sms_enabled: 'false → true' }],
      [{ ...TEAM, split_funding_enabled: 'on' }, { split_funding_enabled: 'false → true' }],
      [
        { ...TEAM, settlement_tokenization_enabled: 'on' },
        { settlement_tokenization_enabled: 'false → true' },
      ],
      [{ ...LIVE, live_rate_limit: '500' }, { live_rate_limit: '1000000 → 500' }],
      [
        { ...LIVE, live_cutoff: '18:30', live_timezone: 'Europe/Berlin' },
        { live_cutoff: '20:00 → 18:30', live_timezone: 'America/New_York → Europe/Berlin' },
      ],
      [{ ...LIVE, live_retry_days: '2, 4' }, { live_retry_days: '1,3,7 → 2,4' }],
      [{ ...LIVE, live_retry_days: '' }, { live_retry_days: '1,3,7 → none' }],
      [{ ...LIVE, live_retry_days: 'none' }, { live_retry_days: '1,3,7 → none' }],
      [{ ...LIVE, live_gateway: 'checkout' }, { live_gateway: 'default → checkout' }],
      [
        { ...LIVE, live_receipts_email: 'on', live_receipts_sms: 'on' },
        { live_receipts: 'none → email,sms' },
      ],
    ])('%j is made, and its audit entry says %j', async (fields, detail) => {
      const path = await newTeam()
      expect((await save(path, fields)).headers.location).toBe(path)
      const entries = await auditOf(path)
      expect(entries.slice(1)).toEqual([{ action: 'team changed', detail }])
      // The same values again are no change.
      await save(path, fields)
      expect(await auditOf(path)).toEqual(entries)
    })

    it('by a form that was opened before another change saves nothing, and shows what is set now', async () => {
      const path = await newTeam()
      const { body } = await see(service.app, path, operator)
      const shown = /action="[^"]*\/payments".*?name="shown" value="([^"]*)"/s.exec(body)?.[1] ?? ''
      const old = { ...PAYMENTS, shown: shown.replaceAll('&quot;', '"') }
      const stopped = { ...old, status: 'inactive' }
      expect((await save(path, stopped)).headers.location).toBe(path)
      const entries = await auditOf(path)
      const refused = await save(path, old)
      expect(refused.statusCode).toBe(422)
      expect(refused.body).toContain('These settings have changed since this form was opened')
      expect(refused.body).toMatch(/<option[^>]* selected[^>]*>inactive/)
      // A second press of the same button changes nothing, and is no fault.
      expect((await save(path, stopped)).headers.location).toBe(path)
      expect(await auditOf(path)).toEqual(entries)
    })

    it('by a form that was opened before another change keeps what was typed in it', async () => {
      const path = await newTeam()
      const { body } = await see(service.app, path, operator)
      const shown = /action="[^"]*\/live".*?name="shown" value="([^"]*)"/s.exec(body)?.[1] ?? ''
      const old = { ...LIVE, shown: shown.replaceAll('&quot;', '"') }
      await save(path, { ...old, live_rate_limit: '700' })
      const refused = await save(path, { ...old, live_cutoff: '19:00' })
      expect(refused.statusCode).toBe(422)
      for (const text of ['700', '19:00']) expect(refused.body).toContain(`value="${text}"`)
      // A form that does not say what it showed is answered with what is set now.
      const unsaid = await save(path, { ...old, live_cutoff: '19:00', shown: 'x' })
      expect(unsaid.body).not.toContain('value="19:00"')
    })

    it('by one of two forms that are sent at once is refused, whole', async () => {
      const path = await newTeam()
      const { body } = await see(service.app, path, operator)
      const shown = /action="[^"]*\/live".*?name="shown" value="([^"]*)"/s.exec(body)?.[1] ?? ''
      const old = { ...LIVE, shown: shown.replaceAll('&quot;', '"') }
      const cutoffs = ['10:01', '10:02', '10:03', '10:04']
      const saved = cutoffs.map((live_cutoff) => save(path, { ...old, live_cutoff }))
      const statuses = (await Promise.all(saved)).map(({ statusCode }) => statusCode)
      expect(statuses.toSorted()).toEqual([303, 422, 422, 422])
      expect(await auditOf(path)).toHaveLength(2)
    })

    it('of a team that was read before another change names what it replaces', async () => {
      const path = await newTeam()
      const seen = await findTeam(service.world, idIn(path))
      await save(path, { ...PAYMENTS, status: 'inactive' })
      const by = { name: 'command line', address: 'this machine' }
      await saveTeam(service.world, by, seen, [{ team: { status: 'active' } }])
      expect((await auditOf(path)).at(-1)?.detail).toEqual({ status: 'inactive → active' })
    })

    it('to the name of another team saves nothing, and the form says so', async () => {
      await newTeam('Pier')
      const path = await newTeam()
      const answer = await save(path, { ...TEAM, name: 'pier', email: 'kept@shop.example' })
      expect(answer.statusCode).toBe(422)
      expect(answer.body).toContain('Another team is named Pier already')
      for (const typed of ['pier', 'kept@shop.example']) {
        expect(answer.body).toContain(`value="${typed}"`)
      }
      expect((await auditOf(path)).length).toBe(1)
      // Its own name in another case is free.
      expect((await save(path, { ...TEAM, name: 'HARBOUR' })).statusCode).toBe(303)
    })

    it.each(['Harbour  Books', 'Harbour\u00a0Books', 'Harbour\u3000Books'])(
      'of another setting leaves the name %j as it is',
      async (name) => {
        const path = await newTeam()
        await service.world.db.query('UPDATE team SET name = $2 WHERE id = $1', [idIn(path), name])
        await save(path, { ...TEAM, name, sms_enabled: 'on' })
        expect((await auditOf(path)).slice(1)).toEqual([
          { action: 'team changed', detail: { sms_enabled: 'false → true' } },
        ])
      },
    )

    it('of one of two teams that have had the same name for long can be made', async () => {
      const path = await newTeam()
      await service.world.db.query("UPDATE team SET name = 'Harbour' WHERE id = $1", [
        idIn(await newTeam('Pier')),
      ])
      expect((await save(path, { ...TEAM, sms_enabled: 'on' })).statusCode).toBe(303)
    })

    it('that is saved is confirmed once', async () => {
      const path = await newTeam()
      const answer = await save(path, { ...TEAM, name: 'Quay' })
      const { first, again } = await seeAfter(service.app, answer, operator)
      expect(first).toContain('<p class="done" role="status" tabindex="-1" autofocus>Saved.</p>')
      expect(again).not.toContain('Saved.')
      const { first: same } = await seeAfter(
        service.app,
        await save(path, { ...TEAM, name: 'Quay' }),
        operator,
      )
      expect(same).toContain('Nothing was changed.')
    })

    it('is confirmed to its operator only, on its page only, and cannot be faked', async () => {
      const [path, other] = [await newTeam(), await newTeam('Pier')]
      const answer = await save(path, { ...TEAM, name: 'Quay' })
      const [given] = answer.cookies
      const done = `${given?.name}=${encodeURIComponent(given?.value ?? '')}`
      const bob = await signIn(service.world, 'Bob')
      const planted = `lamplighter_done=${'x'.repeat(22)}paid`
      for (const [page, cookie] of [
        [other, `${operator.cookie}; ${done}`],
        [path, `${bob.cookie}; ${done}`],
        [path, `${operator.cookie}; ${planted}`],
        [path, `${operator.cookie}; lamplighter_done=%`],
      ] as const) {
        const { statusCode, body } = await see(service.app, page, { cookie })
        expect([statusCode, body.includes('class="done"')]).toEqual([200, false])
      }
      expect((await seeAfter(service.app, answer, operator)).first).toContain('Saved.')
    })

    it('can set a name of any characters, and one that is too long is refused, not cut', async () => {
      const name = `${'T'.repeat(119)}\u{1f600}`
      const refused = await send('/admin/teams/new', { name: `${name}x` })
      expect(refused.statusCode).toBe(422)
      expect(refused.body).toContain('Use 120 characters at most.')
      const path = await newTeam(`${name}\u202e`)
      const { body } = await see(service.app, path, operator)
      expect(body).toContain(`<h1>${'T'.repeat(119)}\u{1f600}</h1>`)
    })

    it.each([
      [{ ...TEAM, name: '', email: 'kept@shop.example' }, 'A name has 1 to', 'kept@shop.example'],
      [{ ...TEAM, email: 'nowhere' }, 'An address such as', 'nowhere'],
      [{ ...PAYMENTS, status: 'asleep' }, 'The status of a team is active or inactive.', 'Harbour'],
      [{ ...LIVE, live_rate_limit: '0' }, 'whole number', '0'],
      [{ ...LIVE, live_rate_limit: '1e3' }, 'whole number', '1e3'],
      [{ ...LIVE, live_cutoff: '' }, 'such as 20:00', 'America/New_York'],
      [{ ...LIVE, live_cutoff: '8pm' }, 'such as 20:00', '8pm'],
      [{ ...LIVE, live_timezone: 'Mars/Olympus' }, 'o such time zone', 'Mars/Olympus'],
      [{ ...LIVE, live_gateway: 'stripe', live_cutoff: '20:01' }, 'Stripe is not set up', '20:01'],
      [{ ...LIVE, live_retry_days: '3,1' }, 'each more than the one before', '3,1'],
    ])(
      'that is invalid changes nothing, and the typed values stay: %j',
      async (fields, said, typed) => {
        const path = await newTeam()
        const answer = await save(path, { ...fields, live_receipts_email: 'on' })
        expect(answer.statusCode).toBe(422)
        expect(answer.body).toContain(said)
        expect(answer.body).toContain(`value="${typed}"`)
        expect(answer.body).toMatch(/<(?:input|select) [^>]*aria-invalid="true" autofocus/)
        expect((await auditOf(path)).length).toBe(1)
      },
    )

    it('that was refused leads back to the team when its address is opened again', async () => {
      const path = await newTeam()
      for (const section of ['team', 'live-look', 'keys']) {
        const answer = await see(service.app, `${path}/${section}?from=/elsewhere/`, operator)
        expect([answer.statusCode, answer.headers.location]).toEqual([303, path])
      }
      expect((await see(service.app, path, operator)).body).not.toContain('autofocus')
    })

    it('writes nothing if a part of it is invalid, whichever code calls it', async () => {
      const path = await newTeam()
      const id = idIn(path)
      const changes = [
        { team: { name: 'Quay' } },
        { mode: 'live', account: { cutoff: '8pm' } },
      ] as const
      await expect(changeTeam(service.world, id, changes)).rejects.toThrow('such as 20:00')
      const team = await service.world.db.prisma.team.findUniqueOrThrow({ where: { id } })
      expect(team.name).not.toBe('Quay')
    })

    it('of an unknown team is refused', async () => {
      const unknown = '/admin/teams/01941f29-7c00-7000-8000-000000000001'
      expect((await save(unknown, TEAM)).statusCode).toBe(404)
      expect((await save(await newTeam(), { section: 'all' })).statusCode).toBe(404)
    })
  })

  describe('a key', () => {
    async function newKey(path: string, fields: Readonly<Record<string, string>> = {}) {
      const sent = { id: service.world.newId(), mode: 'sandbox', key_name: 'till', ...fields }
      const answer = await send(`${path}/keys`, sent)
      const [key = ''] = KEY.exec(answer.body) ?? []
      const [, id] = new RegExp(`${path}/keys/([0-9a-f-]{36})`).exec(answer.body) ?? []
      return { answer, key, keyPath: `${path}/keys/${id}` }
    }

    const statusOf = async (key: string) =>
      (await call(service.app, 'GET', '/self', { authorization: `Bearer ${key}` })).status

    it('is shown once, works, and is in no audit entry, no log and no other page', async () => {
      const path = await newTeam()
      const { answer, key, keyPath } = await newKey(path, { expires: '90d' })
      expect([answer.statusCode, await statusOf(key)]).toEqual([200, 200])
      expect(answer.headers['cache-control']).toBe('no-store')
      const [entry] = await auditOf(keyPath)
      expect(entry).toMatchObject({ action: 'key made', detail: { name: 'till', mode: 'sandbox' } })
      for (const page of [path, keyPath, '/admin/audit']) {
        expect((await see(service.app, page, operator)).body).not.toContain(key)
      }
      const [rows] = await service.world.db.query('SELECT json_agg(deed)::text AS all FROM deed')
      expect(rows?.all).not.toContain(key)
      expect(log).not.toContain(key)
      // As a control, the log has the request.
      expect(log).toContain('/admin/teams')
    })

    it('is made once, however often its form is sent', async () => {
      const path = await newTeam()
      const { body } = await see(service.app, path, operator)
      const [, id = ''] = /name="id" value="([^"]*)"/.exec(body) ?? []
      const sent = { id, mode: 'sandbox', key_name: 'till' }
      const answers = await Promise.all([1, 2].map(() => send(`${path}/keys`, sent)))
      const [again] = answers.filter(({ statusCode }) => statusCode === 303)
      if (again === undefined) throw new Error('two keys were made')
      const { first } = await seeAfter(service.app, again, operator)
      expect(first).toContain('This key was made before, and shown then.')
      expect(first).not.toMatch(KEY)
      expect(answers.map(({ body: text }) => KEY.test(text)).sort()).toEqual([false, true])
    })

    it.each([
      [{ key_name: '' }, 'Enter a name.'],
      [{ key_name: 'k'.repeat(121) }, 'Use 120 characters at most.'],
      [{ expires: 'soon' }, 'neither a time'],
      [{ expires: '2020-01-01' }, 'not in the future'],
      [{ mode: 'both' }, 'Choose live or sandbox.'],
      [{ dialect: 'x' }, 'Choose standard or stax.'],
    ])('is not made of %j', async (fields, said) => {
      const { answer, key } = await newKey(await newTeam(), fields)
      expect([answer.statusCode, key, answer.body.includes(said)]).toEqual([422, '', true])
    })

    it('is rolled: the new key is shown, the old one ends after the overlap', async () => {
      const { key, keyPath } = await newKey(await newTeam())
      const wrong = await send(`${keyPath}/roll`, { overlap: 'later' })
      expect([wrong.statusCode, wrong.body.includes('value="later"')]).toEqual([422, true])
      const none = await send(`${keyPath}/roll`, { overlap: '' })
      expect(none.body).toContain('Enter how long the current key still works')
      const long = await send(`${keyPath}/roll`, { overlap: '31d' })
      expect(long.statusCode).toBe(422)
      expect(long.body).toContain('a replaced key works for 30 days at most')
      const answer = await send(`${keyPath}/roll`, { overlap: '0m' })
      const [rolled = ''] = KEY.exec(answer.body) ?? []
      expect(rolled).not.toBe(key)
      expect([await statusOf(key), await statusOf(rolled)]).toEqual([401, 200])
      // As a browser that loads the page of the answer again.
      const again = await send(`${keyPath}/roll`, { overlap: '0m' })
      const { first } = await seeAfter(service.app, again, operator)
      expect(first).toContain('This key was made before, and shown then.')
      expect(first).not.toMatch(KEY)
      expect((await see(service.app, keyPath, operator)).body).toContain('Replaced by')
      expect((await auditOf(keyPath)).map(({ action }) => action)).toEqual([
        'key made',
        'key rolled',
      ])
    })

    it('that was rolled cannot be made to last', async () => {
      const { key, keyPath } = await newKey(await newTeam())
      await send(`${keyPath}/roll`, { overlap: '1h' })
      const answer = await send(`${keyPath}/set`, { key_name: 'till', expires: 'never' })
      expect(answer.statusCode).toBe(400)
      expect(answer.body).toMatch(/was rolled, to [0-9a-f-]{36}: it ends by .* at the latest/)
      const shorter = await send(`${keyPath}/set`, { key_name: 'till', expires: '2h' })
      expect([shorter.statusCode, await statusOf(key)]).toEqual([303, 200])
    })

    it('is revoked, and its audit entry is written once', async () => {
      const { key, keyPath } = await newKey(await newTeam())
      await send(`${keyPath}/revoke`, {})
      const again = await send(`${keyPath}/revoke`, {})
      const { first } = await seeAfter(service.app, again, operator)
      expect(first).toContain('The key is revoked: requests with it are refused.')
      expect(await statusOf(key)).toBe(401)
      expect((await auditOf(keyPath)).map(({ action }) => action)).toEqual([
        'key made',
        'key revoked',
      ])
    })

    it('gets another name and another expiry', async () => {
      const path = await newTeam()
      const { keyPath } = await newKey(path)
      const teamId = idIn(path)
      await send(`${keyPath}/set`, { key_name: 'counter', expires: '' })
      await send(`${keyPath}/set`, { key_name: 'counter', expires: '30d' })
      const details = (await auditOf(keyPath)).map(({ detail }) => detail)
      expect(details.slice(1)).toEqual([
        { team: teamId, name: 'till → counter' },
        { team: teamId, expires: expect.stringMatching(/^never → 2\d{3}-\d\d-\d\dT[\d:.]+Z$/) },
      ])
      const wrong = await send(`${keyPath}/set`, { key_name: 'counter', expires: 'x' })
      expect(wrong.statusCode).toBe(422)
    })

    it('gets another dialect, at its creation or later', async () => {
      const { keyPath } = await newKey(await newTeam(), { dialect: 'stax' })
      const { body } = await see(service.app, keyPath, operator)
      expect(body).toMatch(/<option value="stax" selected/)
      await send(`${keyPath}/set`, { key_name: 'till', dialect: 'standard' })
      const [made, changed] = (await auditOf(keyPath)).map(({ detail }) => detail)
      expect(made).toMatchObject({ dialect: 'stax' })
      expect(changed).toMatchObject({ dialect: 'stax → standard' })
    })

    it('keeps what was changed since its form was shown', async () => {
      const { keyPath } = await newKey(await newTeam())
      const { body } = await see(service.app, keyPath, operator)
      const shown = Object.fromEntries(
        [...body.matchAll(/name="(shown_\w+)" value="(\w+)"/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      )
      expect(shown).toEqual({ shown_key_name: 'till', shown_dialect: 'standard' })
      await send(`${keyPath}/set`, { ...shown, key_name: 'till', dialect: 'stax' })
      await send(`${keyPath}/set`, { ...shown, key_name: 'counter', dialect: 'standard' })
      const after = await see(service.app, keyPath, operator)
      expect(after.body).toMatch(/<option value="stax" selected/)
      expect(after.body).toContain('value="counter"')
    })

    it('keeps a name that no line can be typed as', async () => {
      const { keyPath } = await newKey(await newTeam())
      const name = 'old  till\u202e'
      await service.world.db.query('UPDATE api_key SET name = $2 WHERE id = $1', [
        idIn(keyPath),
        name,
      ])
      const sent = { shown_key_name: name, key_name: name, dialect: 'stax' }
      expect((await send(`${keyPath}/set`, sent)).statusCode).toBe(303)
      expect((await auditOf(keyPath)).at(-1)?.detail).not.toHaveProperty('name')
    })

    it('of another team is not found', async () => {
      const { keyPath } = await newKey(await newTeam())
      const elsewhere = `${await newTeam('Pier')}/keys/${idIn(keyPath)}`
      expect((await see(service.app, elsewhere, operator)).statusCode).toBe(404)
      expect((await send(`${elsewhere}/revoke`, {})).statusCode).toBe(404)
    })
  })
})
