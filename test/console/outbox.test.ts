// The outbox has the messages that were kept because no provider is configured: a list over all
// accounts, and each as its recipient would see it, in a frame without permissions.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestStatement } from '../../src/db/newest-anywhere.ts'
import { OUTBOX } from '../../src/deliveries/list-outbox.ts'
import { type SignedIn, see, signIn } from '../support/operator.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const HTML = '<!doctype html><title>x</title><p style="color:red">Thanks, Ada</p><script>1</script>'

describe('the outbox', () => {
  let service: TestService
  let operator: SignedIn
  let one: Merchant
  let other: Merchant
  const ids: string[] = []

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    operator = await signIn(service.world)
    one = await service.merchant()
    other = await service.merchant()
    await keep(one, 'email', 'ada@example.com')
    await keep(other, 'email', 'grace@example.com')
    await keep(one, 'sms', '+12025550143')
  })
  afterAll(() => service.close())

  async function keep({ accountId }: Merchant, channel: 'email' | 'sms', recipient: string) {
    const { world } = service
    const id = world.newId()
    ids.push(id)
    const isEmail = channel === 'email'
    await world.db.prisma.outboxMessage.create({
      data: {
        accountId,
        id,
        deliveryId: world.newId(),
        channel,
        recipient,
        subject: isEmail ? `Receipt for ${recipient} <b>` : null,
        text: `Thanks, ${recipient} <script>alert(1)</script>`,
        html: isEmail ? HTML : null,
        createdAt: world.clock.now(),
      },
    })
  }

  const path = (n: number, { accountId }: Merchant) => `/admin/outbox/${accountId}/${ids[n]}`

  async function listed(query = ''): Promise<readonly number[]> {
    const { body } = await see(service.app, `/admin/outbox${query}`, operator)
    const links = [...body.matchAll(/\/admin\/outbox\/[0-9a-f-]{36}\/([0-9a-f-]{36})/g)]
    return links.map(([, id]) => ids.indexOf(id ?? ''))
  }

  it.each<readonly [string, readonly number[]]>([
    ['', [2, 1, 0]],
    ['?channel=email', [1, 0]],
    ['?channel=sms', [2]],
    ['?recipient=GRACE', [1]],
    ['?recipient=%25', []],
    ['?recipient=%2B1202&channel=email', []],
    ['?channel=pigeon', [2, 1, 0]],
  ])('lists the newest of all accounts first: %s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  it('names a filter that is off, beside its field', async () => {
    const { statusCode, body } = await see(service.app, '/admin/outbox?channel=pigeon', operator)
    expect(statusCode).toBe(200)
    expect(body).toContain('“pigeon” is not one of the choices, so this filter is off.')
    expect(body).toMatch(/<select name="channel" aria-invalid="true"/)
    const right = await see(service.app, '/admin/outbox?channel=sms', operator)
    expect(right.body).not.toMatch(/filter is off|aria-invalid/)
  })

  it('goes on after a message, and is filtered by team', async () => {
    expect(await listed(`?before=${ids[2]}`)).toEqual([1, 0])
    expect(await listed(`?team=${one.teamId}`)).toEqual([2, 0])
    const { body } = await see(service.app, '/admin/outbox?team=nobody', operator)
    expect(body).toContain('there is no team nobody')
  })

  it('shows an e-mail in its own frame, and its text beside it', async () => {
    const { body, headers } = await see(service.app, path(0, one), operator)
    expect(body).toContain(`<iframe class="letter"`)
    expect(body).toContain(`sandbox src="${path(0, one)}/page"`)
    expect(body).toContain('Thanks, ada@example.com &lt;script>')
    expect(headers['content-security-policy']).toContain("frame-src 'self'")
    expect(headers['content-security-policy']).toContain("script-src 'self'")
  })

  it('gives the frame no permission, and lets no other page embed it', async () => {
    const { body, headers } = await see(service.app, `${path(0, one)}/page`, operator)
    expect(body).toBe(HTML)
    const rules = String(headers['content-security-policy']).split('; ')
    expect(rules).toEqual([
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox',
    ])
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(headers['cache-control']).toBe('no-store')
  })

  it('shows a text message as text', async () => {
    const { body } = await see(service.app, path(2, one), operator)
    expect(body).toContain('<p class="bubble">Thanks, +12025550143 &lt;script>')
    expect((await see(service.app, `${path(2, one)}/page`, operator)).statusCode).toBe(404)
  })

  it.each(['x', 'page'])('does not find another id: %s', async (name) => {
    for (const wrong of [path(0, other), `/admin/outbox/${name}/${name}`]) {
      expect((await see(service.app, wrong, operator)).statusCode).toBe(404)
    }
  })

  it('shows nothing without a session', async () => {
    const { statusCode, body } = await see(service.app, `${path(0, one)}/page`, { cookie: '' })
    expect([statusCode, body.includes('Thanks')]).toEqual([401, false])
  })

  it('reads messages by their key, account by account', async () => {
    const { world } = service
    await world.db.query(
      `INSERT INTO outbox_message (account_id, id, delivery_id, channel, recipient, text, created_at)
       SELECT $1, uuid_in(md5(n::text)::cstring), gen_random_uuid(), 'sms', '+1202555' || n, 'x', now()
       FROM generate_series(1, 3000) AS n`,
      [one.accountId],
    )
    await world.db.query('ANALYZE outbox_message')
    const search = { accountIds: undefined, before: undefined, most: 51 }
    const { text, values } = newestStatement(OUTBOX, search, {})
    const rows = await world.db.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    const plan = JSON.stringify(rows)
    expect(plan).toContain('outbox_message_pkey')
    expect(plan).not.toMatch(/Seq Scan","Parent Relationship":"\w+","[^}]*"outbox_message"/)
  })
})
