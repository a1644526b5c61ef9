// The deliveries and events of all teams on the console, and sending one again.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endOfLook, newestStatement } from '../../src/db/newest-anywhere.ts'
import { DELIVERIES, DELIVERY_STATES } from '../../src/deliveries/deliveries-anywhere.ts'
import { SEEN_EVENTS } from '../../src/events/events-anywhere.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import {
  type SignedIn,
  see,
  seeAfter,
  seePage,
  sendForm,
  signIn,
  textOf,
} from '../support/operator.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import { insertEventSeries, openWebhookService, webhooksOf } from '../support/webhooks.ts'

let service: TestService
let ada: SignedIn
let merchant: Merchant
let other: Merchant

beforeAll(async () => {
  service = await openWebhookService()
  ada = await signIn(service.world)
  merchant = await service.merchant()
  other = await service.merchant()
})
afterAll(() => service.close())

type Fields = Readonly<Record<string, string>>

const page = async (path: string) => (await seePage(service.app, path, ada)).html

const send = (path: string, fields: Fields = {}) => sendForm(service.app, path, ada, fields)
const rowOf = async (id: string) => {
  const [row] = await service.world.db.query('SELECT * FROM delivery WHERE id = $1', [id])
  return row ?? {}
}
const actionsOn = async (subject: string) => {
  const rows = await service.world.db.query('SELECT deed AS action FROM deed WHERE subject = $1', [
    subject,
  ])
  return rows.map(({ action }) => action)
}

describe('the list of deliveries', () => {
  it('is narrowed by state, channel, recipient and team', async () => {
    const of = async (whose: Merchant, columns: Parameters<typeof insertDeliveries>[3]) =>
      (await insertDeliveries(service, whose.accountId, 1, columns))[0] ?? ''
    const due = await of(merchant, { status: 'pending', channel: 'webhook' })
    const sent = await of(merchant, { status: 'sent' })
    const recipient = '+12025550143'
    const kept = await of(merchant, { status: 'sent', channel: 'sms', recipient })
    const failed = await of(other, { status: 'parked' })
    const closed = await of(other, { status: 'parked', reason: 'refused' })
    const query = (text: string, values: readonly unknown[]) => service.world.db.query(text, values)
    await query('UPDATE delivery SET closed_at = now() WHERE id = $1', [closed])
    await query('UPDATE delivery SET provider_id = id::text WHERE id = $1', [kept])
    await query(`UPDATE delivery SET provider_id = '<1@mail>' WHERE id = $1`, [sent])
    const { lane } = await rowOf(due)
    const all = { due, sent, kept, failed, closed }
    for (const [filters, ...expected] of [
      ['', 'due', 'sent', 'kept', 'failed', 'closed'],
      ['?state=due', 'due'],
      ['?state=sent', 'sent'],
      ['?state=not_sent', 'kept'],
      ['?state=failed', 'failed'],
      ['?state=dismissed', 'closed'],
      ['?channel=webhook', 'due'],
      ['?channel=email&state=failed', 'failed'],
      ['?recipient=ADA@example.com', 'sent', 'failed', 'closed'],
      ['?recipient=%2B1202555', 'kept'],
      [`?recipient=${lane}`, 'due'],
      ['?recipient=%25', ...[]],
      [`?team=${other.teamId}`, 'failed', 'closed'],
      [`?team=${other.teamId}&state=sent`, ...[]],
      ['?state=lost', 'due', 'sent', 'kept', 'failed', 'closed'],
    ] as const) {
      const html = await page(`/admin/deliveries${filters}`)
      const found = Object.entries(all).filter(([, id]) => html.includes(`/${id}"`))
      expect([filters, ...found.map(([name]) => name)]).toEqual([filters, ...expected])
    }
    expect(await page('/admin/deliveries?state=lost')).toContain('is not one of the choices')
    expect(await page('/admin/deliveries?team=nobody')).toContain('there is no team nobody')
  })

  it('is paged', async () => {
    const { accountId, teamId } = await service.merchant()
    const ids = await insertDeliveries(service, accountId, 51)
    const first = await page(`/admin/deliveries?team=${teamId}`)
    expect(first).toContain('Showing 50 (more available)')
    const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(first) ?? []
    const [oldest] = ids.toSorted()
    expect(await page(older.replaceAll('&amp;', '&'))).toContain(`/${oldest}"`)
  })

  it('looks further back on demand if no index serves the filter', async () => {
    const { accountId, teamId } = await service.merchant()
    const [id] = await insertDeliveries(service, accountId, 1, { channel: 'webhook' })
    await insertDeliveries(service, accountId, 20_300)
    const path = `/admin/deliveries?team=${accountId}&channel=webhook`
    const first = await page(path)
    expect(first).toContain('Nothing matches.')
    expect(first).toContain('Choose Older to search further back.')
    const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(first) ?? []
    const second = await page(older.replaceAll('&amp;', '&'))
    expect(second).toContain(`/${id}"`)
    expect(second).not.toContain('Choose Older')
    // Over both accounts of the team, a query reads fewer rows of each.
    expect(await page(path.replace(accountId, teamId))).toContain('Choose Older')
  })
})

describe('a delivery', () => {
  it('is shown with its attempts, and is sent again and dismissed', async () => {
    const [id = ''] = await insertDeliveries(service, merchant.accountId, 1, { status: 'parked' })
    await service.world.db.query('UPDATE delivery SET last_error = $2 WHERE id = $1', [
      id,
      '451 <img src=x onerror=alert(1)>',
    ])
    const path = `/admin/deliveries/${merchant.accountId}/${id}`
    const html = await page(path)
    expect(html).not.toContain('<img src=x')
    expect(textOf(html)).toContain('Every attempt failed.')
    expect(textOf(html)).toMatch(/2026-01-01 00:00:00 failed – 12 ms/)
    expect(html).toContain(`/admin/transactions/${merchant.accountId}/`)
    const again = `/admin/deliveries/${merchant.accountId}/${id}/retry`
    expect(html).toContain(`action="${again}"`)
    const answer = await send(again)
    expect(answer.headers.location).toBe(path)
    const { first, again: later } = await seeAfter(service.app, answer, ada)
    expect(first).toContain('1 delivery is queued for retry.')
    expect(later).not.toContain('queued for retry')
    expect(await rowOf(id)).toMatchObject({ status: 'pending', tries: 0 })
    expect(await page(path)).not.toContain('Send again')
    const twice = await send(again)
    expect(twice.headers.location).toBe(path)
    const { first: refused } = await seeAfter(service.app, twice, ada)
    expect(refused).toContain('The delivery can’t be retried')
    const lost = again.replace(id, service.world.newId())
    expect((await send(lost)).statusCode).toBe(404)
    expect(await actionsOn(id)).toEqual(['delivery tried again'])
  })

  it('whose recipient opted out can only be dismissed', async () => {
    const columns = { status: 'parked', channel: 'sms', reason: 'opted_out' } as const
    const [id = ''] = await insertDeliveries(service, merchant.accountId, 1, columns)
    const path = `/admin/deliveries/${merchant.accountId}/${id}`
    const html = await page(path)
    expect([html.includes('Send again'), html.includes('Dismiss')]).toEqual([false, true])
    await send(`/admin/deliveries/${merchant.accountId}/${id}/dismiss`)
    expect(textOf(await page(path))).toContain('dismissed')
  })

  it('links to its message in the outbox', async () => {
    const columns = { status: 'sent', sentAt: service.world.clock.now() } as const
    const [id = ''] = await insertDeliveries(service, merchant.accountId, 1, columns)
    const kept = service.world.newId()
    const history = JSON.stringify([{ at: '2026-01-01T00:00:00Z', answer: 'taken', ms: 1 }])
    await service.world.db.query(
      'UPDATE delivery SET provider_id = $2, history = $3::jsonb WHERE id = $1',
      [id, kept, history],
    )
    const path = `/admin/deliveries/${merchant.accountId}/${id}`
    expect(await page(path)).not.toContain('Read it in the outbox')
    await service.world.db.prisma.outboxMessage.create({
      data: {
        accountId: merchant.accountId,
        id: kept,
        deliveryId: id,
        channel: 'email',
        recipient: 'ada@example.com',
        subject: 'Receipt',
        text: 'Thanks',
        html: null,
        createdAt: service.world.clock.now(),
      },
    })
    const html = await page(path)
    expect(html).toContain(`href="/admin/outbox/${merchant.accountId}/${kept}"`)
    expect(textOf(html)).toMatch(
      /State not sent .* Kept \(UTC\) .* 2026-01-01 00:00:00 not sent – 1 ms/,
    )
    expect(textOf(html)).not.toContain('Sent (UTC)')
  })

  it('is found in its own account only, and by a valid id', async () => {
    const [id = ''] = await insertDeliveries(service, merchant.accountId, 1)
    for (const path of [`${other.accountId}/${id}`, 'a/b']) {
      expect((await see(service.app, `/admin/deliveries/${path}`, ada)).statusCode).toBe(404)
    }
  })
})

describe('the failed webhooks of a team', () => {
  it('are sent again with two clicks from its page, and only those', async () => {
    const [one, two] = [await service.merchant(), await service.merchant()]
    const subjects = await Promise.all([one, two].map(eventOf))
    const columns = { status: 'parked', channel: 'webhook' } as const
    const [mine, theirs] = await Promise.all(
      [one, two].map(async (whose, i) => {
        const endpoint: string = (await webhooksOf(service, whose).made()).id
        const own = { ...columns, endpoint, subjects: [subjects[i] ?? ''] }
        return (await insertDeliveries(service, whose.accountId, 1, own))[0] ?? ''
      }),
    )
    const list = `/admin/deliveries?state=failed&channel=webhook&team=${one.teamId}`
    expect(await page(`/admin/teams/${one.teamId}`)).toContain(
      `href="${list.replaceAll('&', '&amp;')}"`,
    )
    const html = await page(list)
    expect(html).toContain('data-asks="Send all failed webhooks of this team again?"')
    const fields = ['from', 'channel', 'team', 'until'].map((name) => [
      name,
      new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '',
    ])
    const answer = await send('/admin/deliveries/retry', Object.fromEntries(fields))
    expect(answer.headers.location).toBe(list)
    const { first } = await seeAfter(service.app, answer, ada)
    expect(first).toContain('1 delivery is queued for retry.')
    expect((await rowOf(mine ?? '')).status).toBe('pending')
    expect((await rowOf(theirs ?? '')).status).toBe('parked')
    const wrong = { ...Object.fromEntries(fields), team: 'nobody' }
    expect((await send('/admin/deliveries/retry', wrong)).statusCode).toBe(400)
  })

  async function eventOf({ accountId }: Merchant): Promise<string> {
    await insertEventSeries(service, accountId, { count: 1, from: service.world.clock.now() })
    const [row] = await service.world.db.query('SELECT id FROM event WHERE account_id = $1', [
      accountId,
    ])
    return row?.id
  }
})

describe('events on the console', () => {
  it('are found by type, resource, request and team, and lead to their deliveries', async () => {
    const whose = await service.merchant()
    await webhooksOf(service, whose).made()
    const answer = await call(service.app, 'POST', '/customer', whose.headers, {
      firstname: '</script><b>Ada',
    })
    const own = await call(
      service.app,
      'POST',
      '/customer',
      { ...whose.headers, 'x-request-id': 'my-request-1' },
      { firstname: 'Grace' },
    )
    const requestId = String(answer.headers['x-request-id'])
    const [event] = await service.world.db.query('SELECT * FROM event WHERE resource_id = $1', [
      answer.body.id,
    ])
    const path = `/admin/events/${whose.accountId}/${event?.id}`
    for (const [query, isFound] of [
      ['', true],
      ['?type=create_customer', true],
      ['?type=create_invoice', false],
      ['?type=nothing', true],
      [`?resource=${answer.body.id}`, true],
      [`?resource=${own.body.id}`, false],
      [`?request=${requestId}`, true],
      ['?request=my-request-1', false],
      [`?team=${whose.teamId}`, true],
      [`?team=${other.teamId}`, false],
    ] as const) {
      const html = await page(`/admin/events${query}`)
      expect([query, html.includes(path)]).toEqual([query, isFound])
    }
    expect(await page('/admin/events?request=my-request-1')).toContain(own.body.id)
    const html = await page(path)
    expect(html).not.toContain('<b>Ada')
    expect(html).toContain('&quot;firstname&quot;: &quot;&lt;/script>&lt;b>Ada&quot;')
    const [, delivery = ''] = /href="(\/admin\/deliveries\/[^"]*)"/.exec(html) ?? []
    expect(await page(delivery)).toContain(`href="${path}"`)
    for (const wrong of [path.replace(whose.accountId, other.accountId), '/admin/events/a/b']) {
      expect((await see(service.app, wrong, ada)).statusCode).toBe(404)
    }
  })

  it('are opened by the search, as deliveries and endpoints are', async () => {
    const whose = await service.merchant()
    const endpoint = await webhooksOf(service, whose).made()
    await call(service.app, 'POST', '/customer', whose.headers, { firstname: 'Ada' })
    const [row] = await service.world.db.query(
      'SELECT id, subject_id FROM delivery WHERE account_id = $1',
      [whose.accountId],
    )
    for (const [place, id] of [
      ['endpoints', endpoint.id],
      ['events', row?.subject_id],
      ['deliveries', row?.id],
    ] as const) {
      const { headers } = await see(service.app, `/admin/search?q=${id}`, ada)
      expect(headers.location).toBe(`/admin/${place}/${whose.accountId}/${id}`)
    }
  })
})

it('the searches are answered by indexes', async () => {
  const filter = { accountIds: undefined, before: undefined, most: 51 }
  const statements = [
    ...DELIVERY_STATES.filter((state) => !state.endsWith('sent')).map((state) =>
      newestStatement(DELIVERIES, filter, { state }),
    ),
    newestStatement(DELIVERIES, filter, { recipient: 'ada@example.com' }),
    newestStatement(SEEN_EVENTS, filter, { resource: 'x' }),
    endOfLook(SEEN_EVENTS, filter),
  ]
  for (const { text, values } of statements) {
    const rows = await service.world.db.query(`EXPLAIN ${text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan on (delivery|event)/)
  }
})
