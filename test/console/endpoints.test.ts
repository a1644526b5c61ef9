// Webhook endpoints on the console: operators act through the merchant's own actions, once each,
// and with an audit entry.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../src/core/time-units.ts'
import { type SignedIn, see, seeAfter, sendForm, signIn, textOf } from '../support/operator.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import { NOWHERE, openWebhookService, webhooksOf } from '../support/webhooks.ts'

const SECRET = /whsec_[A-Za-z0-9+/]{32}/

let service: TestService
let ada: SignedIn
let merchant: Merchant
let other: Merchant
let receiver: Receiver

beforeAll(async () => {
  service = await openWebhookService({ queues: ['webhook'] })
  ada = await signIn(service.world)
  merchant = await service.merchant()
  other = await service.merchant()
  receiver = await openReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

type Fields = Readonly<Record<string, string>>

const page = async (path: string) => (await see(service.app, path, ada)).body
const send = (path: string, fields: Fields = {}) => sendForm(service.app, path, ada, fields)

async function made(body: object = {}, whose = merchant): Promise<string> {
  const { id } = await webhooksOf(service, whose).made({ target_url: NOWHERE, ...body })
  return `/admin/endpoints/${whose.accountId}/${id}`
}

const idIn = (path: string) => path.split('/').at(-1) ?? ''

async function rowOf(path: string) {
  const [row] = await service.world.db.query('SELECT * FROM webhook WHERE id = $1', [idIn(path)])
  return row ?? {}
}

async function auditOf(path: string): Promise<readonly unknown[]> {
  const rows = await service.world.db.query(
    'SELECT deed AS action, detail FROM deed WHERE subject = $1 ORDER BY id',
    [idIn(path)],
  )
  return rows.map(({ action }) => action)
}

async function fieldOf(path: string, name: string): Promise<string> {
  const [, value = ''] = new RegExp(`name="${name}" value="([^"]*)"`).exec(await page(path)) ?? []
  return value
}

describe('the list', () => {
  it('has the endpoints of all teams, and is filtered by state, address and team', async () => {
    const [one, two] = [
      await made({ target_url: 'http://127.0.0.1:9/one' }),
      await made({ target_url: 'http://127.0.0.1:9/two', event: 'create_invoice' }, other),
    ]
    await service.world.db.query('UPDATE webhook SET failing_since = now() WHERE id = $1', [
      idIn(two),
    ])
    const all = await page('/admin/endpoints')
    expect([all.includes(one), all.includes(two)]).toEqual([true, true])
    expect(textOf(all)).toMatch(/9\/two create_invoice .* failing since .* none/)
    for (const [query, hasOne, hasTwo] of [
      ['state=failing', false, true],
      ['state=active', true, false],
      ['address=9%2Fone', true, false],
      [`team=${other.teamId}`, false, true],
      ['state=asleep', true, true],
      ['team=nobody', false, false],
    ] as const) {
      const html = await page(`/admin/endpoints?${query}`)
      expect([query, html.includes(one), html.includes(two)]).toEqual([query, hasOne, hasTwo])
    }
    expect(await page('/admin/endpoints?state=asleep')).toContain('is not one of the choices')
    expect(await page('/admin/endpoints?team=nobody')).toContain('there is no team nobody')
  })

  it('shows the latest attempts and the waiting deliveries, and never a secret', async () => {
    const path = await made({ target_url: 'http://127.0.0.1:9/busy' }, other)
    const event = service.world.newId()
    await service.world.db.query(
      `INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient,
         request, status, tries, due_at, owed_at, history, request_id, created_at, updated_at)
       SELECT $1, $2, 'webhook', $3::uuid, 'event', $2, $3::uuid::text, 'test', 'pending', 2,
         now() + interval '1 hour', '2026-01-02T03:04:05Z', $4, 'r', now(), now()`,
      [
        other.accountId,
        event,
        idIn(path),
        JSON.stringify([
          { at: '2026-01-02T03:04:05Z', ms: 40, answer: 'taken', detail: '200' },
          { at: '2026-01-02T03:04:05Z', by: 'operator' },
          { at: '2026-01-02T03:04:05Z', ms: 9, answer: 'away', detail: 'no sockets' },
          { at: '2026-01-02T03:04:05Z', ms: 60, answer: 'failed', detail: '503 <b>busy</b>' },
        ]),
      ],
    )
    const html = await page('/admin/endpoints?address=busy')
    expect(textOf(html)).toContain('1 of the last 2 median 40 ms')
    expect(textOf(html)).toContain('1 since 2026-01-02 03:04:05')
    const one = await page(path)
    expect(textOf(one)).toContain('503')
    expect(one).toContain(`/admin/deliveries/${other.accountId}/${event}`)
    for (const shown of [html, one]) expect(shown).not.toContain('whsec_')
  })

  it('shows no secret that stands in an address, nor does the file or the audit log', async () => {
    const path = await made({ target_url: 'http://127.0.0.1:9/hook?token=s3cret-1&shop=7' })
    const fields = { target_url: 'http://127.0.0.1:9/hook?token=s3cret-2&shop=7' }
    const version = await fieldOf(path, 'version')
    expect((await send(`${path}/set`, { ...fields, version })).statusCode).toBe(303)
    for (const shown of ['/admin/endpoints', '/admin/endpoints.csv', '/admin/audit']) {
      const text = await page(shown)
      expect([shown, text.includes('hook?token='), /s3cret/.test(text)]).toEqual([
        shown,
        true,
        false,
      ])
    }
    // An operator who changes the address has to see it.
    expect(await page(path)).toMatch(/name="target_url" [^>]*value="[^"]*s3cret-2/)
  })

  it('answers 404 for an endpoint of another account, and for an invalid id', async () => {
    const path = await made()
    const elsewhere = path.replace(merchant.accountId, other.accountId)
    for (const wrong of [elsewhere, '/admin/endpoints/a/b']) {
      expect((await see(service.app, wrong, ada)).statusCode).toBe(404)
      expect((await send(`${wrong}/pause`)).statusCode).toBe(404)
    }
  })
})

describe('a new endpoint', () => {
  const fields = () => ({
    key: service.world.newId(),
    team: merchant.teamId,
    mode: 'sandbox',
    target_url: receiver.url,
  })

  it('is added with its secret shown once, however often the form is sent', async () => {
    const sent = fields()
    const answers = await Promise.all([1, 2].map(() => send('/admin/endpoints/new', sent)))
    const [first] = answers.filter(({ statusCode }) => statusCode === 200)
    const [again] = answers.filter(({ statusCode }) => statusCode === 303)
    const [secret = ''] = SECRET.exec(first?.body ?? '') ?? []
    const path = String(again?.headers.location)
    expect(secret).not.toBe('')
    expect(again?.body).not.toContain('whsec_')
    expect(await auditOf(path)).toEqual(['endpoint added'])
    for (const shown of [await page(path), await page('/admin/audit')]) {
      expect(shown).not.toContain(secret)
    }
    // The API creates the same endpoint.
    const { body } = await webhooksOf(service, merchant).ask('GET', `/${idIn(path)}`)
    expect(body).toMatchObject({ target_url: receiver.url, event: '*', status: 'active' })
  })

  it('that does not take its test event is shown as failed', async () => {
    const { body } = await send('/admin/endpoints/new', { ...fields(), target_url: NOWHERE })
    const [, to = ''] = /action="([^"]*\/test)"/.exec(body) ?? []
    const [, key = ''] = /name="key" value="([^"]*)"/.exec(body) ?? []
    const { first } = await seeAfter(service.app, await send(to, { key }), ada)
    expect(first).toMatch(
      /<p class="fault" role="status" [^>]*>The test event failed: no connection/,
    )
  })

  it('is tested within four clicks, and the answer is shown', async () => {
    expect(await page('/admin/endpoints')).toContain('href="/admin/endpoints/new"')
    const { body } = await send('/admin/endpoints/new', fields())
    const [, to = ''] = /action="([^"]*\/test)"/.exec(body) ?? []
    const [, key = ''] = /name="key" value="([^"]*)"/.exec(body) ?? []
    const tested = await send(to, { key })
    expect(tested.headers.location).toMatch(/^\/admin\/deliveries\//)
    const { first, again } = await seeAfter(service.app, tested, ada)
    expect(first).toContain('The test event was answered 200.')
    expect(again).not.toContain('was answered 200.')
    expect(textOf(first)).toContain('webhook_test')
    const before = receiver.received.length
    await send(to, { key })
    expect([receiver.received.length, await auditOf(to.replace('/test', ''))]).toEqual([
      before,
      ['endpoint added', 'endpoint tested'],
    ])
  })

  it('gets only the ticked events', async () => {
    const answer = await send('/admin/endpoints/new', { ...fields(), event_create_invoice: 'on' })
    const [, path = ''] = /href="(\/admin\/endpoints\/[^/"]+\/[^/"]+)"/.exec(answer.body) ?? []
    expect((await rowOf(path)).events).toEqual(['create_invoice'])
  })

  it.each<readonly [Fields, string]>([
    [{ team: '' }, 'Enter the name or the id of a team.'],
    [{ team: 'nobody' }, 'There is no team nobody.'],
    [{ mode: 'both' }, 'Choose live or sandbox.'],
    [{ target_url: '' }, 'Enter the address.'],
    [{ target_url: 'ftp://shop.example/"><i>' }, 'must be an http or https address'],
    [{ target_url: 'http://a:b@shop.example' }, 'must not hold a user or a password'],
    [{ target_url: `https://${'a'.repeat(64)}.example` }, 'must have a host name of at most 253'],
  ])('is not added with %j, and all typed values stay', async (wrong, said) => {
    const count = () => service.world.db.prisma.webhook.count()
    const before = await count()
    const sent = { ...fields(), event_create_invoice: 'on', ...wrong }
    const { statusCode, body } = await send('/admin/endpoints/new', sent)
    expect([statusCode, await count()]).toEqual([422, before])
    expect(body).toContain(said)
    expect(body).toMatch(/name="event_create_invoice" checked/)
    expect(body).not.toContain('"><i>')
    const [, address] = /name="target_url" [^>]*value="([^"]*)"/.exec(body) ?? []
    if (sent.target_url !== '') expect(address?.slice(0, 7)).toBe(sent.target_url.slice(0, 7))
  })

  it('is refused without the token of the session', async () => {
    const stranger = { ...ada, formToken: 'x' }
    const answer = await sendForm(service.app, '/admin/endpoints/new', stranger, fields())
    expect(answer.statusCode).toBe(403)
  })
})

describe('an endpoint', () => {
  it('is changed, and its audit entry has both values', async () => {
    const path = await made()
    const seen = { version: await fieldOf(path, 'version') }
    const fields = { target_url: `${receiver.url}/new`, event_create_invoice: 'on' }
    await send(`${path}/set`, { ...fields, ...seen })
    const stale = await send(`${path}/set`, { ...fields, ...seen, target_url: receiver.url })
    expect([stale.statusCode, stale.body.includes('has changed meanwhile')]).toEqual([409, true])
    const again = { ...fields, version: await fieldOf(path, 'version') }
    const { first } = await seeAfter(service.app, await send(`${path}/set`, again), ada)
    expect(first).toContain('Nothing was changed.')
    expect(await rowOf(path)).toMatchObject({
      target_url: `${receiver.url}/new`,
      events: ['create_invoice'],
    })
    expect(await auditOf(path)).toEqual(['endpoint changed'])
    const wrong = await send(`${path}/set`, { ...again, target_url: 'nowhere' })
    expect([wrong.statusCode, wrong.body.includes('value="nowhere"')]).toEqual([422, true])
  })

  it('keeps the order of its events if another field of the form is changed, or none', async () => {
    const events = ['update_transaction', 'create_transaction']
    const path = await made({ event: events })
    const sent = async (address: string) => {
      const ticked = Object.fromEntries(events.map((name) => [`event_${name}`, 'on']))
      const fields = { version: await fieldOf(path, 'version'), target_url: address, ...ticked }
      expect((await send(`${path}/set`, fields)).statusCode).toBe(303)
    }
    await sent(NOWHERE)
    expect([(await rowOf(path)).version, await auditOf(path)]).toEqual([1, []])
    await sent(`${NOWHERE}/moved`)
    expect((await rowOf(path)).events).toEqual(events)
    expect(await auditOf(path)).toEqual(['endpoint changed'])
  })

  it('keeps its deliveries while it is paused, and gets them when it is resumed', async () => {
    const path = await made({ target_url: `${receiver.url}/paused`, event: 'create_customer' })
    await send(`${path}/pause`)
    await send(`${path}/pause`)
    const person = { firstname: 'Ada' }
    await call(service.app, 'POST', '/customer', merchant.headers, person)
    const came = () => receiver.received.filter((one) => one.path === '/hook/paused')
    // Meanwhile another endpoint of the account gets the event.
    await receiver.until(1, ({ headers }) => headers['event-name'] === 'create_customer')
    const html = await page(path)
    expect(textOf(html)).toContain('paused since')
    // Its merchant sees the pause too.
    const { body } = await webhooksOf(service, merchant).ask('GET', `/${idIn(path)}`)
    expect(body).toMatchObject({ status: 'active', paused_at: expect.any(String) })
    expect(textOf(html)).toMatch(/Waiting 1 since/)
    expect(came()).toEqual([])
    const [due] = await service.world.db.query(
      `SELECT due_at <= now() AS is_due FROM delivery WHERE lane = $1 AND status = 'pending'`,
      [idIn(path)],
    )
    expect(due).toEqual({ is_due: true })
    await send(`${path}/resume`)
    await receiver.until(1, (one) => one.path === '/hook/paused')
    expect(await auditOf(path)).toEqual(['endpoint paused', 'endpoint resumed'])
  })

  it('that did not answer is shown with when it is asked again', async () => {
    const path = await made()
    const silent = { silences: 3, restingUntil: new Date(Date.now() + HOUR) }
    await service.world.db.prisma.webhook.updateMany({ where: { id: idIn(path) }, data: silent })
    await send(`${path}/test`, { key: service.world.newId() })
    const text = textOf(await page(path))
    expect(text).toContain('The last attempts got no answer, so each waits longer')
    const hour = silent.restingUntil.toISOString().slice(11, 16)
    expect(text).toMatch(new RegExp(`Next attempt \\(UTC\\) [^)]*${hour}`))
  })

  it('whose next attempt is due shows no time in the past', async () => {
    const path = await made({ target_url: `${receiver.url}/resting` })
    const id = idIn(path)
    const { prisma } = service.world.db
    await prisma.webhook.updateMany({
      where: { id },
      data: { silences: 3, restingUntil: new Date(Date.now() + HOUR) },
    })
    await send(`${path}/test`, { key: service.world.newId() })
    // A worker has it, so that none sends it before the page is read.
    const leasedUntil = new Date(Date.now() + MINUTE / 2)
    await prisma.delivery.updateMany({ where: { lane: id }, data: { leasedUntil } })
    await prisma.webhook.updateMany({ where: { id }, data: { restingUntil: new Date(0) } })
    expect(textOf(await page(path))).toMatch(/Next attempt \(UTC\) now The last attempts/)
  })

  it('is disabled and enabled, and only resuming ends a pause', async () => {
    const path = await made()
    await send(`${path}/pause`)
    await send(`${path}/disable`)
    const { paused_at } = await rowOf(path)
    expect(paused_at).not.toBeNull()
    const html = await page(path)
    expect(html).toContain('Enable endpoint')
    expect(textOf(html)).toContain('It stays paused')
    expect(html).not.toContain('Send test event')
    const refused = await send(`${path}/test`, { key: service.world.newId() })
    expect([refused.statusCode, refused.body.includes('is disabled')]).toEqual([409, true])
    await send(`${path}/enable`)
    expect(await rowOf(path)).toMatchObject({ status: 'active', paused_at })
    await send(`${path}/resume`)
    expect(await rowOf(path)).toMatchObject({ status: 'active', paused_at: null })
    expect(await auditOf(path)).toEqual([
      'endpoint paused',
      'endpoint disabled',
      'endpoint enabled',
      'endpoint resumed',
    ])
  })

  it('replays the events since an instant, once for each form', async () => {
    const path = await made({ event: 'create_invoice' })
    const version = await fieldOf(path, 'version')
    const since = new Date(service.world.clock.now().getTime() - 60_000).toISOString()
    for (const [wrong, status] of [
      ['yesterday', 422],
      ['2020-01-01', 400],
      ['2099-01-01', 400],
    ] as const) {
      const { statusCode, body } = await send(`${path}/replay`, { since: wrong, version })
      expect([statusCode, body.includes(`value="${wrong}"`)]).toEqual([status, true])
    }
    expect((await send(`${path}/replay`, { since, version })).statusCode).toBe(303)
    const again = await send(`${path}/replay`, { since, version })
    expect([again.statusCode, again.body.includes('has changed meanwhile')]).toEqual([409, true])
    expect(await auditOf(path)).toEqual(['events replayed'])
  })

  it('has a new secret, shown once and made once', async () => {
    const path = await made()
    const version = await fieldOf(path, 'version')
    const sent = { overlap: '3600', version }
    const answers = await Promise.all([1, 2].map(() => send(`${path}/roll`, sent)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(answers.map(({ body }) => SECRET.test(body)).sort()).toEqual([false, true])
    expect(await auditOf(path)).toEqual(['endpoint secret rolled'])
    expect(textOf(await page(path))).toContain('Old secret until')
    const wrong = await send(`${path}/roll`, { ...sent, overlap: '1' })
    expect([wrong.statusCode, wrong.body.includes('Choose when')]).toEqual([422, true])
    expect((await send(`${path}/roll`, { overlap: '0', version: 'x' })).statusCode).toBe(400)
  })

  it('is deleted once, and its page says so and has no actions', async () => {
    const path = await made()
    const { first } = await seeAfter(service.app, await send(`${path}/delete`), ada)
    expect(first).toContain('The endpoint is deleted.')
    expect((await send(`${path}/delete`)).statusCode).toBe(404)
    const html = await page(path)
    expect(textOf(html)).toContain('deleted')
    expect(html).not.toContain('Delete endpoint')
    expect(await page('/admin/endpoints')).not.toContain(path)
    expect(await auditOf(path)).toEqual(['endpoint deleted'])
  })

  it('is linked from its team’s page, which also has a link to add another', async () => {
    const path = await made()
    const html = await page(`/admin/teams/${merchant.teamId}`)
    expect(html).toContain(`href="${path}"`)
    expect(html).toContain(`href="/admin/endpoints/new?team=${merchant.teamId}"`)
  })
})
