// Keys for secrets are added, reseal all secrets while the service works, and are removed.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTeam } from '../../src/accounts/create-team.ts'
import { readConfig } from '../../src/config.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkSecrets } from '../../src/doctor/check-settings.ts'
import { openLog } from '../../src/log.ts'
import { newTotpSecret, sealTotpSecret } from '../../src/operators/second-factor.ts'
import { forgetSecretsKey } from '../../src/upkeep/forget-secrets-key.ts'
import { ensureSecretsKey, rotateSecrets } from '../../src/upkeep/secrets-keys.ts'
import { openSecret, sealSecret } from '../../src/webhooks/seal-secret.ts'
import { openWorld, type World } from '../../src/world.ts'
import { runHere } from '../support/command.ts'
import { freshDatabase } from '../support/postgres.ts'
import { NOWHERE, openWebhookService, webhooksOf } from '../support/webhooks.ts'

const CLEAR = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const FORMER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const [KEY, LATER] = [1, 2].map(() => randomBytes(32).toString('base64'))

let undo: (() => Promise<unknown>)[] = []
let database: Awaited<ReturnType<typeof freshDatabase>>

beforeEach(async () => {
  database = await freshDatabase()
  undo = [() => database.drop()]
})
afterEach(async () => {
  for (const one of undo.reverse()) await one()
})

describe('unsealed secrets', () => {
  it('are sealed in batches, and open unchanged', async () => {
    const world = await worldWith(KEY)
    await addClear(world, 1_203)
    const before = await findingsOf(checkSecrets, world)
    expect(before).toMatchObject([
      { state: 'warning', says: expect.stringContaining('1,203 endpoints') },
    ])
    expect(await rotateSecrets(world, { hasNewKey: false })).toMatchObject({
      sealed: 1_203,
      left: 0,
    })
    const rows = await world.db.prisma.webhook.findMany()
    for (const row of rows) {
      expect(openSecret(world, row, row.secret)).toBe(CLEAR)
      expect(openSecret(world, row, row.previousSecret ?? '')).toBe(FORMER)
    }
    expect(JSON.stringify(rows)).not.toContain('whsec_')
    expect(await findingsOf(checkSecrets, world)).toMatchObject([{ state: 'ok' }])
    expect(await rotateSecrets(world, { hasNewKey: false })).toMatchObject({ sealed: 0, left: 0 })
    expect(await world.db.prisma.auditEntry.findFirst()).toMatchObject({
      operator: 'command line',
      action: 'secrets sealed',
      detail: { sealed: 1_203, left: 0 },
    })
  })

  it('wait for no locked row, which the next call finds', async () => {
    const world = await worldWith(KEY)
    await addClear(world, 3)
    const held = await world.db.commit('another', async (query) => {
      await query('SELECT FROM webhook ORDER BY id LIMIT 1 FOR NO KEY UPDATE')
      return rotateSecrets(world, { hasNewKey: false })
    })
    expect(held).toMatchObject({ sealed: 2, left: 1 })
    expect(await rotateSecrets(world, { hasNewKey: false })).toMatchObject({ sealed: 1, left: 0 })
  })

  it('are sealed beside one that cannot be opened, which is left and named', async () => {
    const former = await worldWith(KEY)
    await addClear(former, 3)
    await addOperators(former, 3)
    await rotateSecrets(former, { hasNewKey: false })
    const [first] = await former.db.query(
      `UPDATE webhook SET secret = left(secret, -4) || 'AAAA'
       WHERE id = (SELECT id FROM webhook ORDER BY id LIMIT 1) RETURNING id`,
    )
    const [operator] = await former.db.query(
      `UPDATE operator SET totp_secret = left(totp_secret, -4) || 'AAAA'
       WHERE id = (SELECT id FROM operator ORDER BY id LIMIT 1) RETURNING id`,
    )
    const world = await worldWith(`${LATER},${KEY}`)
    const error = vi.spyOn(world.log, 'error')
    expect(await rotateSecrets(world, { hasNewKey: false })).toMatchObject({
      sealed: 4,
      left: 2,
      unused: [],
    })
    expect(error.mock.calls.map(([about]) => about)).toMatchObject([
      { webhook_id: first?.id },
      { operator_id: operator?.id },
    ])
  })

  it('are used as they are until then, and sealed by a change of the endpoint', async () => {
    await using service = await openWebhookService()
    const webhooks = webhooksOf(service, await service.merchant())
    const { id } = await webhooks.made()
    const inClear = () =>
      service.world.db.query(
        `UPDATE webhook
         SET secret = $1, previous_secret = $2, previous_secret_until = updated_at`,
        [CLEAR, FORMER],
      )
    const kept = async () => {
      const { accountId, secret, previousSecret } =
        await service.world.db.prisma.webhook.findFirstOrThrow()
      const open = (text: string | null) => openSecret(service.world, { accountId, id }, text ?? '')
      return {
        isSealed: !`${secret}${previousSecret}`.includes('whsec_'),
        secret: open(secret),
        previous: open(previousSecret),
      }
    }
    await inClear()
    await webhooks.ask('PUT', `/${id}`, { target_url: `${NOWHERE}/else` })
    expect(await kept()).toEqual({ isSealed: true, secret: CLEAR, previous: FORMER })
    await inClear()
    const { body } = await webhooks.ask('POST', `/${id}/roll-secret`)
    expect(await kept()).toEqual({ isSealed: true, secret: body.secret, previous: CLEAR })
  })
})

describe('a secret under a key that is lost', () => {
  it('is rolled all the same, and the old one ends at once', async () => {
    await using service = await openWebhookService()
    const webhooks = webhooksOf(service, await service.merchant())
    const { id, ...made } = await webhooks.made()
    const row = () => service.world.db.prisma.webhook.findFirstOrThrow()
    const { accountId } = await row()
    const lost = await worldWith(KEY)
    const secret = sealSecret(lost, { accountId, id }, CLEAR)
    await service.world.db.query('UPDATE webhook SET secret = $1', [secret])
    const { db } = service.world
    const [used] = lost.vault.keyIds()
    await db.query('INSERT INTO secrets_key (id, created_at) VALUES ($1, $2)', [used, new Date()])
    // Another process may have it: the old secret must not end because this one lacks its key.
    expect((await webhooks.ask('POST', `/${id}/roll-secret`)).status).toBe(500)
    expect((await row()).secret).toBe(secret)

    await db.query('DELETE FROM secrets_key WHERE id = $1', [used])
    const { status, body } = await webhooks.ask('POST', `/${id}/roll-secret`)
    expect(status).toBe(200)
    expect(body).toEqual({ ...made, id, updated_at: body.updated_at, secret: body.secret })
    const after = await row()
    expect(openSecret(service.world, after, after.secret)).toBe(body.secret)
    expect(after.previousSecretUntil?.toISOString()).toBe(body.updated_at)
    // What stands in its place opens, so that a later rotation passes over nothing.
    const former = openSecret(service.world, after, after.previousSecret ?? '')
    expect([CLEAR, body.secret]).not.toContain(former)
    expect(await rotateSecrets(service.world, { hasNewKey: false })).toMatchObject({ left: 0 })
  })
})

describe('a key that is lost', () => {
  it('is forgotten: processes start, and what it sealed is listed and counted', async () => {
    const former = await worldWith(KEY)
    await addClear(former, 3)
    await addOperators(former, 1)
    await rotateSecrets(former, { hasNewKey: false })
    const [lost = ''] = former.vault.keyIds()
    const run = (...words: readonly string[]) =>
      runHere(words, { DATABASE_URL: database.url, SECRETS_KEY: `${LATER}` })

    await expect(worldWith(LATER)).rejects.toThrow(`run lamplighter secrets forget ${lost}`)
    expect((await run('doctor')).out).toMatch(
      new RegExp(`^ +Add that key to SECRETS_KEY .* lamplighter secrets forget ${lost}\\.$`, 'm'),
    )
    await expect(forgetSecretsKey(former, lost)).rejects.toThrow('so it is not lost')
    expect(await run('secrets', 'forget', '0123456789abcdef')).toMatchObject({
      status: 1,
      err: expect.stringContaining('this database needs no key 0123456789abcdef'),
    })

    await former.db.query(
      `UPDATE webhook SET deleted_at = created_at
       WHERE id = (SELECT id FROM webhook ORDER BY id LIMIT 1)`,
    )
    const { status, out } = await run('secrets', 'forget', lost, '--json')
    expect(status).toBe(0)
    const endpoint = { kind: 'endpoint', name: 'https://shop.example', team: 'Moonlight Books' }
    const operator = { kind: 'operator', name: 'ada 0', team: null, account_id: null }
    expect(JSON.parse(out)).toMatchObject([endpoint, endpoint, operator])
    const entry = { action: 'secrets key forgotten', subject: lost }
    const where = { action: entry.action }
    expect(await former.db.prisma.auditEntry.findFirst({ where })).toMatchObject({
      ...entry,
      detail: { endpoints: 2, operators: 1 },
    })

    const world = await worldWith(LATER)
    const says = (text: string) => ({ state: 'warning', says: expect.stringContaining(text) })
    const lostOnes = [says('2 endpoints have a secret'), says('1 operator has a second factor')]
    expect(await findingsOf(checkSecrets, world)).toMatchObject(lostOnes)
    // A deleted endpoint signs nothing: a rotation does not fail for it.
    expect(await rotateSecrets(world, { hasNewKey: false })).toMatchObject({ sealed: 0, left: 3 })
    // As a control, the secrets open again where the key is found.
    const found = await worldWith(`${LATER},${KEY}`)
    expect(await rotateSecrets(found, { hasNewKey: false })).toMatchObject({ sealed: 4, left: 0 })
    expect(await findingsOf(checkSecrets, world)).toMatchObject([{ state: 'ok' }])
  })
})

describe('a key for secrets', () => {
  it('is followed by another, and can be removed when nothing needs it', async () => {
    const world = await worldWith(KEY)
    await addClear(world, 5)
    await rotateSecrets(world, { hasNewKey: false })
    const [former] = world.vault.keyIds()

    const both = await worldWith(`${LATER},${KEY}`)
    // Before the resealing, the database needs both.
    await expect(worldWith(LATER)).rejects.toThrow(`sealed with key ${former}`)
    expect(await findingsOf(checkSecrets, both)).toMatchObject([{ state: 'warning' }])
    expect(await rotateSecrets(both, { hasNewKey: false })).toMatchObject({
      sealed: 5,
      unused: [former],
    })
    const alone = await worldWith(LATER)
    const [row] = await alone.db.prisma.webhook.findMany()
    expect(row && openSecret(alone, row, row.secret)).toBe(CLEAR)
    await expect(worldWith(KEY)).rejects.toThrow('add that key to SECRETS_KEY')
  })

  it('that is no longer needed is kept for the backups, as the command says', async () => {
    const [former] = (await worldWith(KEY)).vault.keyIds()
    await worldWith(`${LATER},${KEY}`)
    const settings = { DATABASE_URL: database.url, SECRETS_KEY: `${LATER},${KEY}` }
    const { status, out } = await runHere(['secrets', 'rotate'], settings)
    expect(status).toBe(0)
    const hint = 'keep it as long as you keep a backup made under it'
    expect(out).toContain(`unused: ${former} (${hint})\n`)
    expect((await runHere(['secrets', 'rotate'], settings)).out).toContain('unused: \n')
  })

  it('is made once if none is set, however many processes start in the folder', async () => {
    const folder = await newFolder()
    const worlds = await Promise.all(Array.from({ length: 5 }, () => worldWith(undefined, folder)))
    const ids = worlds.flatMap(({ vault }) => vault.keyIds())
    expect([ids.length, new Set(ids).size]).toEqual([5, 1])
  })

  it('is not made again on another machine, which says what it lacks and does not start', async () => {
    const first = await worldWith(undefined, await newFolder())
    await addClear(first, 1)
    await expect(worldWith(undefined, await newFolder())).rejects.toThrow('set SECRETS_KEY')
    await expect(worldWith(KEY)).rejects.toThrow(`sealed with key ${first.vault.keyIds()[0]}`)
  })

  it('is made by one of two machines that start at once', async () => {
    const folders = await Promise.all([newFolder(), newFolder()])
    const starts = await Promise.allSettled(folders.map((folder) => worldWith(undefined, folder)))
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('in a folder is replaced by the command, and its predecessors still open', async () => {
    const folder = await newFolder()
    const [world, running] = [
      await worldWith(undefined, folder),
      await worldWith(undefined, folder),
    ]
    await addClear(world, 2)
    await rotateSecrets(world, { hasNewKey: false })
    const [former] = world.vault.keyIds()
    const { key, sealed } = await rotateSecrets(world, { hasNewKey: true })
    expect([key !== former, sealed]).toEqual([true, 2])
    const [row] = await running.db.prisma.webhook.findMany()
    expect(row && openSecret(running, row, row.secret)).toBe(CLEAR)
  })

  it('that cannot be stored must be set', async () => {
    await expect(worldWith(undefined, '/dev/null/nowhere')).rejects.toThrow(
      'no SECRETS_KEY is set, and one cannot be kept in /dev/null/nowhere',
    )
  })
})

/** A world as a process of the service opens it. */
async function worldWith(keys: string | undefined, folder = '/nowhere'): Promise<World> {
  const world = openWorld({
    config: readConfig({
      PORT: '0',
      DATA_DIR: folder,
      ...(keys === undefined ? {} : { SECRETS_KEY: keys }),
    }),
    databaseUrl: database.url,
    log: openLog('silent'),
  })
  undo.push(() => world.close())
  await ensureSecretsKey(world)
  return world
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-keys-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function addOperators(world: World, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const id = world.newId()
    await world.db.query(
      `INSERT INTO operator (id, name, name_key, role, totp_secret, created_at)
       VALUES ($1, $2, $2, 'view', $3, $4)`,
      [id, `ada ${n}`, sealTotpSecret(world, id, newTotpSecret()), world.clock.now()],
    )
  }
}

async function addClear(world: World, count: number): Promise<void> {
  const { accounts } = await createTeam(world, 'Moonlight Books')
  await world.db.query(
    `INSERT INTO webhook
       (account_id, id, target_url, events, secret, previous_secret,
        previous_secret_until, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'https://shop.example', '{*}', $2, $3, $4, $4, $4
     FROM generate_series(1, $5)`,
    [accounts.sandbox, CLEAR, FORMER, world.clock.now(), count],
  )
}
