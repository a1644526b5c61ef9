// The commands for keys and teams, and their output.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../support/command.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

const LONG = { timeout: 60_000 }

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
  await json('teams', 'create', 'Moonlight Books')
})
afterAll(() => database.drop())

const makeKey = (...more: readonly string[]) =>
  json('keys', 'create', '--team', 'Moonlight Books', ...more)

describe('lamplighter teams', LONG, () => {
  it('sets the requests that a key has a minute, by account', async () => {
    const changes = ['sandbox_rate_limit=1', 'live_rate_limit=1000000', 'sms_enabled=true']
    const team = await json('teams', 'set', 'Moonlight Books', ...changes)
    const set = { sandbox_rate_limit: 1, live_rate_limit: 1_000_000, sms_enabled: true }
    expect(team).toMatchObject({ name: 'Moonlight Books', split_funding_enabled: false, ...set })
    expect(await json('teams', 'list')).toEqual([team])
  })

  it('names the ids of two teams with one name', async () => {
    const ids = []
    for (const name of ['Twin', 'Other']) ids.push((await json('teams', 'create', name)).id)
    // As an earlier version allowed it.
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query("UPDATE team SET name = 'Twin' WHERE name = 'Other'")
    await client.end()
    const { status, err } = await run('teams', 'set', 'Twin', 'status=inactive')
    const says = `more than one team is named Twin: name it by its id, ${ids.join(' or ')}`
    expect([status, err]).toEqual([1, `lamplighter: ${says}\n`])
  })

  it('refuses the name of another team, in any case', async () => {
    const { id } = await json('teams', 'create', 'Lantern')
    const { id: other } = await json('teams', 'create', 'Wick')
    const says = `another team is named Lantern already (${id}): choose a different name`
    for (const words of [
      ['create', 'LANTERN'],
      ['set', other, 'sms_enabled=true', 'name=lantern'],
    ]) {
      const { status, err } = await run('teams', ...words)
      expect([status, err]).toEqual([1, `lamplighter: ${says}\n`])
    }
    expect(await json('teams', 'set', id, 'name=LANTERN')).toMatchObject({ name: 'LANTERN' })
  })

  it('shows the important columns, and the rest with --wide', async () => {
    const headingsOf = ({ out }: { readonly out: string }) => out.split('\n')[0]?.split(/ {2,}/)
    expect(headingsOf(await run('teams', 'list'))).toEqual(['ID', 'NAME', 'STATUS', 'CREATED'])
    expect(headingsOf(await run('teams', 'list', '--wide'))).toEqual([
      'ID',
      'NAME',
      'STATUS',
      'CREATED',
      'EMAIL',
      'ENABLED',
      'SMS ENABLED',
      'SPLIT FUNDING ENABLED',
      'SETTLEMENT TOKENIZATION ENABLED',
      'SANDBOX ACCOUNT',
      'SANDBOX RATE LIMIT',
      'SANDBOX CUTOFF',
      'SANDBOX TIMEZONE',
      'SANDBOX RETRY DAYS',
      'SANDBOX RECEIPTS',
      'SANDBOX LOOK',
      'LIVE ACCOUNT',
      'LIVE RATE LIMIT',
      'LIVE CUTOFF',
      'LIVE TIMEZONE',
      'LIVE RETRY DAYS',
      'LIVE RECEIPTS',
      'LIVE STRIPE ACCOUNT',
      'LIVE GATEWAY',
      'LIVE LOOK',
    ])
  })

  it("sets when an account's business day ends, and when its failed payments are retried", async () => {
    const { id } = await json('teams', 'create', 'Night Owls')
    const changes = ['sandbox_cutoff=18:30', 'sandbox_timezone=America/Chicago']
    const plans = ['sandbox_retry_days=2,5', 'live_retry_days=none']
    const notices = ['email=owls@night.example', 'sandbox_receipts=email,sms']
    const team = await json('teams', 'set', id, ...changes, ...plans, ...notices)
    const sandbox = { sandbox_cutoff: '18:30', sandbox_timezone: 'America/Chicago' }
    const live = { live_cutoff: '20:00', live_timezone: 'America/New_York' }
    const days = { sandbox_retry_days: [2, 5], live_retry_days: [] }
    const receipts = { sandbox_receipts: ['email', 'sms'], live_receipts: [] }
    const email = 'owls@night.example'
    expect(team).toMatchObject({
      name: 'Night Owls',
      email,
      ...sandbox,
      ...live,
      ...days,
      ...receipts,
    })
    expect(await json('teams', 'list')).toContainEqual(team)
  })

  it('refuses a senseless limit, and all other changes with it', async () => {
    const changes = ['enabled=false', 'live_rate_limit=0']
    const { status, err } = await run('teams', 'set', 'Moonlight Books', ...changes)
    expect(status).toBe(1)
    expect(err.trim().split('\n')).toEqual([
      "lamplighter: live_rate_limit=0: a minute's requests are a whole number, 1 to 1000000",
    ])
    expect((await json('teams', 'list'))[0]).toMatchObject({ enabled: true })
  })
})

describe('lamplighter keys', LONG, () => {
  it('shows until when a new key is valid', async () => {
    expect(await makeKey()).toMatchObject({ expires_at: null })
    const made = await makeKey('--expires', '2030-01-31T12:00:00+02:00')
    expect(made).toMatchObject({ expires_at: '2030-01-31T10:00:00.000Z' })
  })

  it('renames and revokes a key, and shows its present state', async () => {
    const { id } = await makeKey()
    const changes = ['name=till', 'expires=2030-01-31', 'dialect=stax']
    const set = await json('keys', 'set', id, ...changes)
    const api = { id, name: 'till', dialect: 'stax' }
    expect(set).toMatchObject({ ...api, expires_at: '2030-01-31T00:00:00.000Z' })
    const listed = await json('keys', 'list')
    expect(listed.find((one: { id: string }) => one.id === id)).toEqual(set)
    expect(set).toMatchObject({ state: 'active', last_used_at: null })
    const teams = await json('teams', 'list')
    const accounts = teams.map((team: { sandbox_account_id: string }) => team.sandbox_account_id)
    expect(accounts).toContain(set.account_id)
  })

  it('shows when the old key of a rolled one ends', async () => {
    const { id } = await makeKey('--expires', '90d')
    const rolled = await json('keys', 'roll', id, '--overlap', '2d')
    const daysUntil = (text: string) => (Date.parse(text) - Date.now()) / 86_400_000
    expect(daysUntil(rolled.old_until)).toBeCloseTo(2, 1)
    expect(daysUntil(rolled.expires_at)).toBeCloseTo(90, 1)
  })

  it.each([
    [
      ['keys', 'create', '--team', 'Moonlight Books', '--expires', '2020-01-01'],
      'is not in the future',
    ],
    [['keys', 'set', 'x', 'name=y'], 'there is no key x'],
    [['keys', 'set', 'x', 'name= y'], 'a name has 1 to 120 characters'],
    ...['', ' ', 'a\nb', 'a\u202eb', 'a'.repeat(121)].map((name): [string[], string] => [
      ['keys', 'create', '--team', 'Moonlight Books', '--name', name],
      'a name has 1 to 120 characters',
    ]),
    [['keys', 'roll', 'x', '--overlap', '2020-01-01'], '2020-01-01 is in the past'],
    [['keys', 'roll', 'x', '--overlap', '-1h'], '-1h is neither a time'],
    [['keys', 'roll', 'x', '--overlap', '9999d'], 'a replaced key works for 30 days at most'],
    [['keys', 'roll', 'x', '--overlap', '30d'], 'there is no key x'],
  ])('reports the fault in one line: %s', async (args, message) => {
    const { status, err } = await run(...args)
    expect(status).toBe(1)
    expect(err).toContain(message)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('says of a key in place of its id that it is one, and does not repeat it', async () => {
    const { id, key, prefix } = await makeKey()
    const shown = `${prefix}… is a key, not the id of one: lamplighter keys list --wide shows its id`
    for (const given of [key, prefix]) {
      const { status, out, err } = await run('keys', 'revoke', given)
      expect([status, out, err.trim()]).toEqual([1, '', `lamplighter: ${shown}`])
    }
    const listed = await json('keys', 'list')
    expect(listed.find((one: { id: string }) => one.id === id)).toMatchObject({ state: 'active' })
  })
})

function run(...args: readonly string[]) {
  return runHere(args, { DATABASE_URL: database.url })
}

// biome-ignore lint/suspicious/noExplicitAny: what a command prints is looked into as a script does
async function json(...args: readonly string[]): Promise<any> {
  const { status, out, err } = await run(...args, '--json')
  if (status !== 0) throw new Error(err)
  return JSON.parse(out)
}
