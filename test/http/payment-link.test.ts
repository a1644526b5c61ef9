import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL_LINK, linkEvents, UNKNOWN_LINK } from '../support/links.ts'
import { expectRefusal, withoutRequestId } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('a payment link', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({
      queues: [],
      settings: { PUBLIC_URL: 'https://pay.example/shop' },
    })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const create = (body: object, headers = {}, url = '/payment-link') =>
    call(service.app, 'POST', url, { ...merchant.headers, ...headers }, body)

  const get = (id: string, whose = merchant) =>
    call(service.app, 'GET', `/query/payment-links/${id}`, whose.headers)

  it('is answered with all fields that were sent, and with the address for payers', async () => {
    const { status, body } = await create(FULL_LINK)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...FULL_LINK,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `https://pay.example/shop/pay/${body.id}`,
      qr_code_url: `https://pay.example/shop/pay/${body.id}/qr.svg`,
      total_sales: 0,
      total_transactions: 0,
      created_at: expect.stringMatching(TIME),
      updated_at: body.created_at,
    })
    expect(await get(body.id)).toMatchObject({ status: 200, body })
    expect((await get(body.id.toUpperCase())).body).toEqual(body)
  })

  it('is found at the port that was really opened if PUBLIC_URL is not set', async () => {
    await using plain = await openTestService({ queues: [], settings: { HOST: '0.0.0.0' } })
    plain.world.listensOn(4567)
    const { headers } = await plain.merchant()
    const { body } = await call(plain.app, 'POST', '/payment-link', headers, FULL_LINK)
    expect(body.url).toBe(`http://localhost:4567/pay/${body.id}`)
  })

  it('needs no more than its name', async () => {
    const { body } = await create({ common_name: 'Tips' })
    expect(body).toMatchObject({ amount: null, active: true, link_meta: {}, meta: {} })
  })

  it('has an event in the same commit, with the same snapshot', async () => {
    const { body } = await create(FULL_LINK, { 'x-request-id': 'link-1' })
    expect(await linkEvents(service, body.id)).toEqual([
      {
        type: 'create_payment_link',
        sequence: 1,
        snapshot: body,
        request_id: 'link-1',
        same_commit: true,
      },
    ])
  })

  it('has an id that reveals neither its time nor its neighbours', async () => {
    const made = await Promise.all(
      Array.from({ length: 40 }, () => create({ common_name: 'Many' })),
    )
    const ids = made.map(({ body }) => String(body.id))
    expect(new Set(ids).size).toBe(40)
    // Ids with a time in them would have the same first characters for hours.
    for (let i = 0; i < 32; i += 1) {
      expect(new Set(ids.map((id) => id[i])).size).toBeGreaterThan(3)
    }
  })

  it.each([
    [12.5, 12.5],
    ['12.50', 12.5],
    [99_999_999.99, 99_999_999.99],
    [0.01, 0.01],
    [0, null],
    ['0', null],
    ['0.00', null],
    [null, null],
  ])('shows the amount %j as %j', async (amount, shown) => {
    const { status, body } = await create({ common_name: 'A', amount })
    expect([status, body.amount]).toEqual([200, shown])
    expect((await get(body.id)).body.amount).toBe(shown)
  })

  it.each([-1, 0.001, '0.001', 12.345, 100_000_000, '', 'x', true, [5], '1e2', '-0.01'])(
    'cannot have the amount %j',
    async (amount) => {
      const answer = await create({ common_name: 'A', amount })
      expectRefusal(answer, 400, 'invalid_request', ['amount'])
    },
  )

  it.each([
    [true, true],
    [1, true],
    ['1', true],
    [false, false],
    [0, false],
    ['0', false],
  ])('shows active %j as %j', async (active, shown) => {
    expect((await create({ common_name: 'A', active })).body.active).toBe(shown)
  })

  it.each([
    [{}, ['common_name']],
    [{ common_name: '' }, ['common_name']],
    [{ common_name: null }, ['common_name']],
    [{ common_name: 'x'.repeat(256) }, ['common_name']],
    [{ common_name: 'A', active: 'yes' }, ['active']],
    [{ common_name: 'A', meta: [] }, ['meta']],
    [{ common_name: 'A', meta: { a: 'x'.repeat(16 * 1024) } }, ['meta']],
    [{ common_name: 'A', link_meta: 'memo' }, ['link_meta']],
    [{ common_name: 'A', link_meta: { a: 'x'.repeat(16 * 1024) } }, ['link_meta']],
    [{ common_name: 'A', link_meta: { memo: 5 } }, ['link_meta.memo']],
    [{ common_name: 'A', link_meta: { isTotalEditable: 'no' } }, ['link_meta.isTotalEditable']],
    [
      { common_name: 'A', link_meta: { successRedirect: 'javascript:alert(1)' } },
      ['link_meta.successRedirect'],
    ],
    [
      { common_name: 'A', link_meta: { successRedirect: '/thanks' } },
      ['link_meta.successRedirect'],
    ],
    [{ amount: -1, active: 2, meta: 5 }, ['active', 'amount', 'common_name', 'meta']],
  ])('is refused as %j, and every faulty field is named', async (body, fields) => {
    expectRefusal(await create(body), 400, 'invalid_request', fields)
  })

  it('can leave fields empty that its page asks for', async () => {
    const link_meta = { memo: null, successRedirect: '', isTotalEditable: null }
    const { status, body } = await create({ common_name: 'A', link_meta })
    expect([status, body.link_meta]).toEqual([200, link_meta])
  })

  it("answers another account's id exactly like an unknown one", async () => {
    const { body } = await create(FULL_LINK)
    const stranger = await service.merchant()
    const asStranger = { ...stranger.headers, 'x-request-id': 'same' }
    for (const [method, sent] of [['GET'], ['PUT', { active: true }], ['DELETE']] as const) {
      const ask = (id: string) =>
        call(service.app, method, `/query/payment-links/${id}`, asStranger, sent)
      const foreign = await ask(body.id)
      expectRefusal(foreign, 404, 'not_found')
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(await ask(UNKNOWN_LINK)))
    }
    expect((await get(body.id)).body).toEqual(body)
  })

  it.each(['x', '1', `${UNKNOWN_LINK}0`, UNKNOWN_LINK.slice(1), `g${UNKNOWN_LINK.slice(1)}`])(
    'has no id such as %s',
    async (id) => {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const sent = method === 'PUT' ? {} : undefined
        const url = `/query/payment-links/${id}`
        const answer = await call(service.app, method, url, merchant.headers, sent)
        expectRefusal(answer, 400, 'invalid_id', ['id'])
      }
    },
  )

  it('has no id with dashes', async () => {
    expectRefusal(await get('01941f29-7c00-7000-8000-000000000001'), 400, 'invalid_id', ['id'])
  })
})
