// The actions of operators in the audit log.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { subjectPath } from '../../src/console/pages/audit.tsx'
import { firstIdAt } from '../../src/core/id.ts'
import { referenceOf } from '../../src/core/reference.ts'
import { type NewAuditEntry, writeAuditEntry } from '../../src/operators/audit-entries.ts'
import { type SignedIn, see, seePage, signIn, textOf } from '../support/operator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-00000000000a'
const SUBJECT = '01941f29-7c00-7000-8000-00000000000b'
const LINK = '0123456789abcdef0123456789abcdef'

const INSERT_ENTRY = `
  INSERT INTO deed (id, operator, address, deed, created_at) VALUES ($1, $2, '192.0.2.1', $3, $4)`

let service: TestService
let ada: SignedIn

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  ada = await signIn(service.world)
})
beforeEach(() => service.world.db.query('DELETE FROM deed'))
afterAll(() => service.close())

async function auditOf(path = ''): Promise<readonly string[]> {
  const { html } = await seePage(service.app, `/admin/audit${path}`, ada)
  const rows = html.split('<tr>').slice(2)
  return rows.map((row) => /<td class="main">(action \d+|[a-z ]+)<\/td>/.exec(row)?.[1] ?? '')
}

async function write(entry: NewAuditEntry, name = 'Ada'): Promise<void> {
  await writeAuditEntry(service.world, { name, address: '192.0.2.1' }, entry)
  // Two entries of one millisecond have no order.
  const at = Date.now()
  await vi.waitUntil(() => Date.now() > at, { interval: 1 })
}

describe('the audit log', () => {
  it('shows the operator, the action, its target, the time and the address', async () => {
    const detail = { jobs: 3, why: null, note: '', off: false }
    await write({ action: 'queue paused', subject: 'sms', detail })
    const { body } = await see(service.app, '/admin/audit', ada)
    const text = textOf(body)
    expect(text).toMatch(
      /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d Ada 192\.0\.2\.1 queue paused sms history off false , why none , jobs 3 , note none/,
    )
    expect(body).toContain('href="/admin/queues/queue/sms"')
  })

  it('begins with the newest, and links to older entries and back', async () => {
    for (let n = 1; n <= 120; n += 1) await write({ action: `action ${n}` })
    const pages: string[][] = []
    for (let path: string | undefined = ''; path !== undefined; ) {
      const { body } = await see(service.app, `/admin/audit${path}`, ada)
      pages.push([...(await auditOf(path))])
      path = /href="\/admin\/audit(\?before=[^"]+)"/.exec(body)?.[1]
    }
    const all = Array.from({ length: 120 }, (_, n) => `action ${120 - n}`)
    expect(pages).toEqual([all.slice(0, 50), all.slice(50, 100), all.slice(100)])
  })

  it('is filtered by operator or by target', async () => {
    await write({ action: 'action 1', subject: 'sms' })
    await write({ action: 'action 2', subject: SUBJECT }, 'Bob')
    await write({ action: 'action 3', subject: SUBJECT })
    expect(await auditOf('?operator=Bob')).toEqual(['action 2'])
    expect(await auditOf(`?subject=${SUBJECT}`)).toEqual(['action 3', 'action 2'])
    expect(await auditOf(`?subject=${SUBJECT}&operator=Ada`)).toEqual(['action 3'])
    expect(await auditOf('?operator=Eve')).toEqual([])
  })

  it('is filtered by the beginning of a target, in which no character has a meaning', async () => {
    await write({ action: 'action 1', subject: 'gateway_feed' })
    await write({ action: 'action 2', subject: SUBJECT })
    expect(await auditOf(`?subject=${SUBJECT.slice(0, 13)}`)).toEqual(['action 2'])
    expect(await auditOf('?subject=gate')).toEqual(['action 1'])
    for (const none of ['feed', '%25', 'gateway-', '______', '%5C']) {
      expect([none, await auditOf(`?subject=${none}`)]).toEqual([none, []])
    }
    expect(await auditOf('?subject=gateway_')).toEqual(['action 1'])
  })

  it('is filtered by a target as the page shows it', async () => {
    const [one, other] = [service.world.newId(), service.world.newId()]
    await write({ action: 'action 1', subject: one })
    await write({ action: 'action 2', subject: other })
    await write({ action: 'action 3', subject: one })
    expect(await auditOf(`?subject=${referenceOf(one)}`)).toEqual(['action 3', 'action 1'])
    expect(await auditOf(`?subject=${referenceOf(other).toLowerCase()}`)).toEqual(['action 2'])
    expect(await auditOf('?subject=000000000000')).toEqual([])
  })

  it('finds the beginning of a target by an index', async () => {
    const plan = await service.world.db.commit('the plan', async (query) => {
      await query('SET LOCAL enable_seqscan = off')
      return query("EXPLAIN SELECT id FROM deed WHERE subject LIKE '0194%' ORDER BY id LIMIT 51")
    })
    expect(JSON.stringify(plan)).toMatch(/deed_of_target_prefix/)
  })

  it('is filtered by the beginning of a name, or by a whole one', async () => {
    await write({ action: 'action 1' }, 'Zoë')
    await write({ action: 'action 2' }, 'Adam')
    await write({ action: 'action 3' }, 'Ada')
    expect(await auditOf('?operator=ad')).toEqual(['action 3', 'action 2'])
    expect(await auditOf('?operator=ada')).toEqual(['action 3'])
    expect(await auditOf('?operator=ZOE')).toEqual(['action 1'])
    expect(await auditOf('?operator=dam')).toEqual([])
  })

  it('is narrowed to days, for one operator too', async () => {
    for (const [at, operator] of [
      ['2026-03-05T23:59:59.999Z', 'Ada'],
      ['2026-03-06T00:00:00.000Z', 'Ada'],
      ['2026-03-06T12:00:00.000Z', 'Bob'],
      ['2026-03-06T23:59:59.999Z', 'Ada'],
      ['2026-03-07T00:00:00.000Z', 'Ada'],
    ] as const) {
      const values = [firstIdAt(new Date(at)), operator, `action ${at.slice(8, 10)}`, at]
      await service.world.db.query(INSERT_ENTRY, values)
    }
    const day = '?from=2026-03-06&to=2026-03-06'
    expect(await auditOf(day)).toEqual(['action 06', 'action 06', 'action 06'])
    expect(await auditOf(`${day}&operator=Bob`)).toEqual(['action 06'])
    expect(await auditOf('?to=2026-03-05')).toEqual(['action 05'])
    expect(await auditOf('?from=2026-03-07')).toEqual(['action 07'])
  })

  it('is linked from the page of what operators act on', async () => {
    const { teamId } = await service.merchant()
    const { body } = await see(service.app, `/admin/teams/${teamId}`, ada)
    expect(body).toContain(`href="/admin/audit?subject=${teamId}"`)
  })

  it.each(['?before=x', '?before=%00', '?operator=', '?subject[]=', '?nothing=1'])(
    'is shown from the newest on for %s',
    async (query) => {
      await write({ action: 'action 1' })
      expect(await auditOf(query)).toEqual(['action 1'])
    },
  )
})

describe('the target of an action', () => {
  it.each<[string, string, object, string | undefined]>([
    ['queue paused', 'sms', {}, '/admin/queues/queue/sms'],
    ['team changed', SUBJECT, {}, `/admin/teams/${SUBJECT}`],
    ['key made', SUBJECT, { team: ACCOUNT }, `/admin/teams/${ACCOUNT}/keys/${SUBJECT}`],
    ['key revoked', SUBJECT, {}, undefined],
    [
      'refund asked for',
      SUBJECT,
      { account: ACCOUNT },
      `/admin/transactions/${ACCOUNT}/${SUBJECT}`,
    ],
    ['receipt sent', SUBJECT, { account: ACCOUNT }, `/admin/transactions/${ACCOUNT}/${SUBJECT}`],
    ['invoice sent', SUBJECT, { account: ACCOUNT }, `/admin/invoices/${ACCOUNT}/${SUBJECT}`],
    [
      'payment confirmed',
      SUBJECT,
      { account: ACCOUNT },
      `/admin/transactions/${ACCOUNT}/${SUBJECT}`,
    ],
    ['payment link changed', LINK, { account: ACCOUNT }, `/admin/links/${ACCOUNT}/${LINK}`],
    [
      'gateway asked again',
      SUBJECT,
      { account: ACCOUNT },
      `/admin/transactions/${ACCOUNT}/${SUBJECT}`,
    ],
    [
      'decision refused',
      SUBJECT,
      { account: ACCOUNT },
      `/admin/transactions/${ACCOUNT}/${SUBJECT}`,
    ],
    ['operator made', SUBJECT, {}, `/admin/operators/${SUBJECT}`],
    ['second factor reset', SUBJECT, {}, `/admin/operators/${SUBJECT}`],
    ['endpoint tested', SUBJECT, { account: ACCOUNT }, `/admin/endpoints/${ACCOUNT}/${SUBJECT}`],
    ['events replayed', SUBJECT, { account: ACCOUNT }, `/admin/endpoints/${ACCOUNT}/${SUBJECT}`],
    ['delivery retried', SUBJECT, { account: ACCOUNT }, `/admin/deliveries/${ACCOUNT}/${SUBJECT}`],
    ['schedule paused', SUBJECT, { account: ACCOUNT }, `/admin/schedules/${ACCOUNT}/${SUBJECT}`],
    ['schedule paused', SUBJECT, { account: '../x' }, undefined],
    ['constructor', SUBJECT, { account: ACCOUNT }, undefined],
    ['team changed', '//evil.test', {}, undefined],
    ['signed in', SUBJECT, {}, undefined],
  ])('of “%s” on %s has a link or none', (action, subject, detail, path) => {
    expect(subjectPath({ action, subject, detail: { ...detail } })).toBe(path)
  })
})
