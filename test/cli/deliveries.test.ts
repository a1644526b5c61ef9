// The commands for deliveries, and their output.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stopAddress } from '../../src/deliveries/stopped-addresses.ts'
import { runHere } from '../support/command.ts'
import { type DeliveryOptions, insertDeliveries } from '../support/delivery-rows.ts'
import { daysAgo, insertEvents } from '../support/retention.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const LONG = { timeout: 90_000 }
const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

/** The history of each delivery that a test writes. */
const FAILED = { at: '2026-01-01T00:00:00.000Z', ms: 12, answer: 'failed' }

let service: TestService
let merchant: Merchant
let mine: string
let refused: string
let optedOut: string
let forgotten: string
let sent: string
let others: string

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
  merchant = await service.merchant()
  const other = await service.merchant()
  mine = await insert({ at: daysAgo(1) })
  refused = await insert({ reason: 'refused', at: daysAgo(2) })
  optedOut = await insert({ reason: 'opted_out', channel: 'sms', at: daysAgo(3) })
  forgotten = await insert({ channel: 'webhook', at: daysAgo(4) })
  sent = await insert({ status: 'sent' })
  others = await insert({ at: daysAgo(5) }, other)
}, LONG.timeout)
afterAll(() => service.close())

async function insert(options: DeliveryOptions, whose = merchant): Promise<string> {
  const all = { status: 'parked', ...options } as const
  const [id = ''] = await insertDeliveries(service, whose.accountId, 1, all)
  return id
}

describe('lamplighter deliveries', LONG, () => {
  it('lists the failed deliveries, the newest first', async () => {
    await service.world.db.query('UPDATE delivery SET last_error = $2 WHERE id = $1', [
      refused,
      '550 no such user\r\n\u001b[31mtoday',
    ])
    const { status, out } = await run()
    expect(status).toBe(0)
    const [names = '', ...lines] = out.trimEnd().split('\n')
    expect(names.split(/ {2,}/)).toEqual([
      'ID',
      'TEAM',
      'CHANNEL',
      'RECIPIENT',
      'REASON',
      'UPDATED',
      'TRIES',
      'LAST ERROR',
    ])
    const ids = [mine, refused, optedOut, forgotten, others]
    expect(lines.map((line) => line.slice(0, 36))).toEqual(ids)
    // A provider's text must not control the terminal.
    expect(lines[1]).toMatch(/550 no such user \[31mtoday$/)
  })

  it('lists the matching deliveries in JSON', async () => {
    const whose = ['--team', merchant.teamId, '--channel', 'email', '--since', '60h']
    expect(await json(...whose, '--limit', '1')).toEqual([
      expect.objectContaining({ id: mine, account_id: merchant.accountId, history: [FAILED] }),
    ])
  })

  it.each([
    [['retry', UNKNOWN], `there is no delivery ${UNKNOWN}`],
    [
      ['retry'],
      'name the deliveries by id, or by a filter such as --channel email --reason out_of_tries',
    ],
  ])('%s: %s', async (args, said) => {
    expect(await run(...args)).toEqual({ status: 1, out: '', err: `lamplighter: ${said}\n` })
  })
})

describe('lamplighter deliveries retry', LONG, () => {
  it('takes all named deliveries or none', async () => {
    const taken = await run('retry', mine, sent)
    const gone = await run('retry', mine, forgotten)
    expect(taken).toMatchObject({ status: 1, out: '' })
    expect(taken.err).toBe(
      `lamplighter: ${sent} is sent and is not sent again: its provider accepted it\n`,
    )
    expect(gone.err).toBe(`lamplighter: the event of ${forgotten} is deleted: it is too old\n`)
    const [event = ''] = await insertEvents(service, merchant.accountId, 1, daysAgo(1))
    const stopped = await insert({ channel: 'webhook', subjects: [event] })
    expect(await run('retry', stopped)).toMatchObject({
      status: 1,
      err: `lamplighter: the endpoint of ${stopped} is disabled or deleted: enable it first\n`,
    })
    await service.world.db.query('DELETE FROM delivery WHERE id = $1', [stopped])
    expect(await statusOf(mine)).toBe('parked')
  })

  it('retries the named deliveries, and wakes the dispatchers', async () => {
    expect(await run('retry', mine.toUpperCase(), mine)).toMatchObject({
      status: 0,
      out: 'retried: 1\n',
    })
    expect(await statusOf(mine)).toBe('pending')
    expect(await service.world.queues.queue('email').getJobCounts('waiting')).toEqual({
      waiting: 1,
    })
  })

  it('is shown in the full history of a delivery', async () => {
    const { status, out } = await run('show', mine)
    expect(status).toBe(0)
    expect(out).toContain(`id: ${mine}\n`)
    expect(out).toContain('status: pending\n')
    expect(out).toMatch(
      /\nAT +MS +ANSWER +DETAIL\n2026-01-01 00:00:00Z +12 +failed\n.*Z +by the operator\n$/,
    )
  })

  it('takes the deliveries of a filter and counts them, without opted-out recipients', async () => {
    expect(await json('retry', '--since', '30d')).toEqual({ retried: 2 })
    expect([await statusOf(refused), await statusOf(others)]).toEqual(['pending', 'pending'])
    expect([await statusOf(optedOut), await statusOf(forgotten)]).toEqual(['parked', 'parked'])
  })
})

describe('lamplighter deliveries dismiss', LONG, () => {
  it('takes all named deliveries or none', async () => {
    const { status, err } = await run('dismiss', optedOut, sent)
    expect([status, err]).toEqual([1, `lamplighter: ${sent} is not parked: it is sent\n`])
    expect(await json('list', '--status', 'dismissed')).toEqual([])
  })

  it('takes named deliveries and those of a filter, and lists them apart', async () => {
    expect(await json('dismiss', optedOut)).toEqual({ dismissed: 1 })
    expect(await json('dismiss', '--channel', 'webhook')).toEqual({ dismissed: 1 })
    expect(await json('list')).toEqual([])
    const dismissed = await json('list', '--status', 'dismissed')
    expect(dismissed).toMatchObject([
      { id: optedOut, status: 'parked', closed_at: expect.any(String) },
      { id: forgotten, status: 'parked', closed_at: expect.any(String) },
    ])
    // What changes nothing has no entry.
    expect(await json('dismiss', '--channel', 'webhook')).toEqual({ dismissed: 0 })
    const audited = await service.world.db.query(
      `SELECT operator, detail FROM deed WHERE deed = 'deliveries dismissed' ORDER BY id`,
    )
    expect(audited).toEqual([
      { operator: 'command line', detail: { ids: optedOut, count: 1 } },
      { operator: 'command line', detail: { channel: 'webhook', count: 1 } },
    ])
  })
})

describe('lamplighter deliveries dismiss --waiting', LONG, () => {
  it('fails what waits of one team that is stopped', async () => {
    const waiting = await insert({ status: 'pending' })
    const { status, err } = await run('dismiss', '--waiting', '--channel', 'email')
    expect([status, err]).toEqual([1, expect.stringContaining('--waiting takes --team')])
    const ask = ['dismiss', '--waiting', '--team', merchant.teamId]
    expect(await json(...ask)).toEqual({ dismissed: 0 })
    const { query } = service.world.db
    await query("UPDATE team SET status = 'inactive' WHERE id = $1", [merchant.teamId])
    const pending = await json('list', '--status', 'pending', '--team', merchant.teamId)
    expect(pending).toContainEqual(expect.objectContaining({ id: waiting }))
    const count = pending.length
    expect(await json(...ask)).toEqual({ dismissed: count })
    expect(await statusOf(waiting)).toBe('parked')
    const audited = await query("SELECT detail FROM deed WHERE deed = 'waiting messages dismissed'")
    expect(audited).toEqual([{ detail: { team: merchant.teamId, count } }])
  })
})

describe('lamplighter deliveries stopped and lift', LONG, () => {
  it('lists the stopped addresses of an account, and lifts one with a note in the audit log', async () => {
    const { accountId } = merchant
    const stop = { accountId, channel: 'email', address: 'Ada@example.com' } as const
    await stopAddress(service.world, { ...stop, reason: 'no_such_address' }, '550 5.1.1 no')
    await stopAddress(service.world, { ...stop, reason: 'opted_out' })
    const listed = [
      {
        account_id: accountId,
        channel: 'email',
        address: 'ada@example.com',
        detail: '550 5.1.1 no',
      },
      {
        address: 'ada@example.com',
        reason: 'opted_out',
        created_at: expect.any(String),
        detail: null,
      },
    ]
    expect(await json('stopped', '--team', merchant.teamId)).toMatchObject(listed)
    const lift = ['lift', 'ADA@example.com', '--account', accountId]
    expect(await json(...lift)).toEqual({ lifted: 'ADA@example.com' })
    const [twice, silent] = [await run(...lift), await run(...lift, '--reason', 'opted_out')]
    expect(twice.err).toBe(
      'lamplighter: ADA@example.com is not stopped in that account, or not any more\n',
    )
    expect(silent.err).toContain('only with a note')
    const noting = (note: string) => run(...lift, '--reason', 'opted_out', '--note', note)
    expect((await noting('She paid with 4111 1111 1111 1111.')).err).toContain('number of a card')
    expect((await noting('x'.repeat(201))).err).toContain('Use 200 characters at most')
    expect((await run(...lift, '--channel', 'webhook')).err).toMatch(/channel.*email.*sms/)
    await json(...lift, '--reason', 'opted_out', '--note', 'She called.')
    expect(await json('stopped')).toEqual([])
    const audited = await service.world.db.query(
      `SELECT deed AS action, operator, detail ->> 'note' AS note FROM deed
      WHERE deed LIKE '%lifted' ORDER BY id`,
    )
    expect(audited).toEqual([
      { action: 'suppression lifted', operator: 'command line', note: null },
      { action: 'opt-out lifted', operator: 'command line', note: 'She called.' },
    ])
  })
})

async function statusOf(id: string): Promise<string> {
  const [row] = await service.world.db.query('SELECT status FROM delivery WHERE id = $1', [id])
  return row?.status
}

function run(...args: readonly string[]) {
  return runHere(['deliveries', ...args], { DATABASE_URL: service.databaseUrl })
}

// biome-ignore lint/suspicious/noExplicitAny: what a command prints is looked into as a script does
async function json(...args: readonly string[]): Promise<any> {
  const { status, out, err } = await run(...args, '--json')
  if (status !== 0) throw new Error(err)
  return JSON.parse(out)
}
