// Every command that changes something is in the audit log, as an operator's action in the console is.

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHere } from '../support/command.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

const LONG = { timeout: 60_000 }

let database: FreshDatabase
let client: pg.Client

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function json(...words: readonly string[]) {
  const settings = { DATABASE_URL: database.url }
  const { status, out, err } = await runHere([...words, '--json'], settings)
  expect([status, err]).toEqual([0, ''])
  return JSON.parse(out)
}

async function entries() {
  const { rows } = await client.query(
    'SELECT deed AS action, operator, subject, detail FROM deed ORDER BY id',
  )
  return rows
}

it('a stopped clock', LONG, async () => {
  const { id } = await json('teams', 'create', 'Harbour Books')
  const refused = await runHere(['teams', 'stop-clock', id], { DATABASE_URL: database.url })
  expect([refused.status, refused.err]).toEqual([
    1,
    'lamplighter: no clock of Harbour Books is being advanced\n',
  ])
  await client.query(
    `UPDATE account SET clock_from = $2, clock_at = $2, clock_target = $3, clock_due_at = $3
    WHERE team_id = $1 AND mode = 'sandbox'`,
    [id, '2027-03-01T12:00:00Z', '2037-03-01T12:00:00Z'],
  )
  const stopped_at = '2027-03-01T12:00:00.000Z'
  expect(await json('teams', 'stop-clock', id)).toEqual({ team: 'Harbour Books', stopped_at })
  expect((await entries()).at(-1)).toMatchObject({
    action: 'team clock stopped',
    subject: id,
    detail: { at: stopped_at },
  })
  await client.query('DELETE FROM deed')
})

it('teams and keys', LONG, async () => {
  const by = { operator: 'command line' }
  const team = await json('teams', 'create', 'Moonlight Books')
  // What is as it was is not in the entry, and if all is, there is none.
  const same = ['live_logo=none', 'live_retry_days=1, 3, 7']
  await json('teams', 'set', team.id, 'sms_enabled=true', 'live_cutoff=18:30', ...same)
  await json('teams', 'set', team.id, 'sms_enabled=true', ...same)
  const key = await json('keys', 'create', '--team', team.id, '--name', 'till')
  const changes = ['name=desk', 'dialect=stax', 'expires=2099-01-01']
  for (let n = 0; n < 2; n += 1) await json('keys', 'set', key.id, ...changes)
  const rolled = await json('keys', 'roll', key.id, '--overlap', '1h')
  await json('keys', 'revoke', rolled.id)
  // The second time changes nothing.
  await json('keys', 'revoke', rolled.id)
  const made = { team: team.id, name: 'till', ends: 'never' }
  const desk = { team: team.id, name: 'desk' }
  const found = await entries()
  expect(found[1].detail).not.toHaveProperty('live_logo')
  expect(found).toMatchObject([
    { ...by, action: 'team made', subject: team.id, detail: { name: 'Moonlight Books' } },
    {
      ...by,
      action: 'team changed',
      subject: team.id,
      detail: { sms_enabled: 'false → true', live_cutoff: '20:00 → 18:30' },
    },
    { ...by, action: 'key made', subject: key.id, detail: { ...made, mode: 'sandbox' } },
    {
      ...by,
      action: 'key changed',
      subject: key.id,
      detail: {
        team: team.id,
        name: 'till → desk',
        dialect: 'standard → stax',
        expires: 'never → 2099-01-01T00:00:00.000Z',
      },
    },
    { ...by, action: 'key rolled', subject: key.id, detail: { ...desk, new_key: rolled.id } },
    {
      ...by,
      action: 'key revoked',
      subject: rolled.id,
      detail: { ...desk, prefix: rolled.prefix },
    },
  ])
  expect(JSON.stringify(await entries())).not.toContain(key.key)
})

it('a change whose audit entry cannot be written is not made', LONG, async () => {
  const team = await json('teams', 'create', 'Paper Moon')
  const { id, ...key } = await json('keys', 'create', '--team', team.id, '--name', 'till')
  const before = await state()
  await client.query('ALTER TABLE deed RENAME TO deed_away')
  for (const words of [
    ['keys', 'create', '--team', team.id, '--name', 'ghost'],
    ['keys', 'roll', id, '--overlap', '0m'],
    ['keys', 'set', id, 'name=desk'],
    ['keys', 'revoke', id],
    ['teams', 'set', team.id, 'sms_enabled=true'],
    ['sign-in-link'],
  ]) {
    const { status, out } = await runHere(words, { DATABASE_URL: database.url })
    expect([words, status, out]).toEqual([words, 1, ''])
  }
  await client.query('ALTER TABLE deed_away RENAME TO deed')
  expect(await state()).toEqual(before)
  expect(JSON.stringify(await entries())).not.toContain(key.key)
})

async function state() {
  const tables = ['team', 'api_key', 'key_hash', 'sign_in_link']
  const texts = tables.map((table) => `SELECT t::text AS row FROM ${table} t ORDER BY 1`)
  return Promise.all(texts.map(async (text) => (await client.query(text)).rows))
}
