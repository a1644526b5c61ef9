// Attacks on pages that are open to the public: markup in texts, forms of other sites, stolen
// cards; and no card is in any log.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, after as later } from '../../src/core/time-units.ts'
import { forgetUnusedTokens } from '../../src/outside/gateway/sandbox/tokens.ts'
import {
  askPage,
  MANY_PAYERS,
  newBill,
  newLink,
  newNonce,
  openPage,
  PAYER,
  payAt,
  sendJson,
  tokenFor,
  transactionsOf,
} from '../support/pages.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`

const MOST_BYTES = 50_000

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
  merchant = await service.merchant()
})
afterAll(() => service.close())

describe('a page', () => {
  it('shows markup by merchants and payers as text', async () => {
    await service.world.db.query('UPDATE team SET name = $1', [EVIL])
    const link_meta = { memo: EVIL }
    const path = await newLink(service, merchant, { common_name: EVIL, link_meta })
    const nonce = newNonce()
    await payAt(service, path, { nonce, name: EVIL, email: `"'<x>@example.com` })
    const meta = {
      memo: EVIL,
      poNumber: EVIL,
      lineItems: [{ item: EVIL, details: EVIL, price: 1 }],
    }
    const bill = await newBill(service, merchant, { meta }, { company: EVIL })
    const off = await newLink(service, merchant, { common_name: EVIL, active: false })
    for (const place of [path, `${path}/${nonce}`, bill.path, off, `${path}?amount=${EVIL}`]) {
      const { text } = await openPage(service, place)
      expect(text).toContain('&lt;script>')
      expect(text).not.toMatch(/<script>|<img src=x|<script(?! defer src="\/assets\/)/)
      expect(text).not.toMatch(/ style="|<style| on\w+="/)
    }
  })

  it('of any kind has the permissions of our pages, and is cached nowhere', async () => {
    const path = await newLink(service, merchant)
    const bill = await newBill(service, merchant)
    for (const place of [path, bill.path, '/pay/x', `${path}/${newNonce()}`]) {
      const { headers } = await openPage(service, place)
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    }
  })

  it('is small, with everything that it loads', async () => {
    const { path } = await newBill(service, merchant)
    const page = await openPage(service, path)
    const names = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, to]) => to)
    const parts = await Promise.all(
      [...new Set(names)].map((name) => openPage(service, name ?? '')),
    )
    const bytes = [page, ...parts].reduce((all, { text }) => all + Buffer.byteLength(text), 0)
    expect(parts.length).toBeGreaterThan(3)
    expect(bytes).toBeLessThan(MOST_BYTES)
  })

  it('has another nonce each time', async () => {
    const path = await newLink(service, merchant)
    const pages = await Promise.all([1, 2, 3, 4].map(() => openPage(service, path)))
    const nonces = pages.map(({ text }) => /data-nonce="([0-9a-f]{32})"/.exec(text)?.[1])
    expect(new Set(nonces).size).toBe(4)
  })

  it('that fails shows nothing internal, nor anything that was sent', async () => {
    const path = await newLink(service, merchant)
    const send = (payload: string, type: string) => {
      const headers = { accept: 'application/json', 'content-type': type }
      return service.app.inject({ method: 'POST', url: path, headers, payload })
    }
    const broken = await send('{"card_number":"4111111111111111"', 'application/json')
    const form = await send('a=b', 'application/x-www-form-urlencoded')
    const large = await send(JSON.stringify({ a: 'x'.repeat(20_000) }), 'application/json')
    expect([broken, form, large].map(({ statusCode }) => statusCode)).toEqual([400, 415, 413])
    const answers = [broken, form, large].map(({ body }) => JSON.parse(body))
    for (const answer of answers)
      expect(Object.keys(answer)).toEqual(['error', 'message', 'request_id', 'title'])
    const codes = ['invalid_request', 'unsupported_media_type', 'body_too_large']
    expect(answers.map(({ error }) => error)).toEqual(codes)
    expect(broken.body).not.toContain('4111')
  })
})

describe('a request from another site', () => {
  it.each([
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
  ])('is refused, recognised by %s %s', async (name, value) => {
    const path = await newLink(service, merchant)
    const before = (await transactionsOf(service, merchant)).length
    const sent = { nonce: newNonce(), token: await tokenFor(service, path), amount: '10', ...PAYER }
    const headers = { [name]: value }
    const card = { link: path.slice(5), card_number: '4111111111111111' }
    expect((await sendJson(service, path, sent, headers)).status).toBe(403)
    expect((await sendJson(service, '/sandbox-gateway/token', card, headers)).status).toBe(403)
    const receipt = await service.app.inject({
      method: 'POST',
      url: `${path}/${sent.nonce}/receipt`,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=a@example.com',
    })
    expect(receipt.statusCode).toBe(403)
    expect(await transactionsOf(service, merchant)).toHaveLength(before)
    const own = { 'sec-fetch-site': 'same-origin' }
    expect((await sendJson(service, path, sent, own)).status).toBe(200)
  })
})

describe('a token', () => {
  it('belongs to one account: another’s page does not take it', async () => {
    const other = await service.merchant()
    const [mine, theirs] = [await newLink(service, merchant), await newLink(service, other)]
    const token = await tokenFor(service, theirs)
    const sent = { nonce: newNonce(), token, amount: '10', ...PAYER }
    const answer = await sendJson(service, mine, sent)
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('again')])
    expect((await sendJson(service, theirs, sent)).status).toBe(200)
  })

  it.each([
    [9, 200],
    [11, 400],
  ])('that was made %i minutes ago is answered %i', async (minutes, status) => {
    const path = await newLink(service, merchant)
    const token = await tokenFor(service, path)
    await service.world.db.query(
      `UPDATE sandbox_gateway_token SET created_at = created_at - make_interval(mins => $2)
       WHERE token = $1`,
      [token, minutes],
    )
    const sent = { nonce: newNonce(), token, amount: '10', ...PAYER }
    expect((await sendJson(service, path, sent)).status).toBe(status)
  })

  it('belongs to one page: another of the same account does not take it', async () => {
    const [path, other] = [await newLink(service, merchant), await newLink(service, merchant)]
    const bill = await newBill(service, merchant)
    const token = await tokenFor(service, path)
    const sent = () => ({ nonce: newNonce(), token, amount: '10', ...PAYER })
    for (const place of [other, bill.path]) {
      expect((await sendJson(service, place, sent())).status).toBe(400)
    }
    expect((await sendJson(service, path, sent())).body.state).toBe('approved')
  })

  it('pays once: the same post again is the same payment, and another payment is refused', async () => {
    const path = await newLink(service, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(service, path), amount: '10', ...PAYER }
    const first = await sendJson(service, path, sent)
    expect((await sendJson(service, path, sent)).text).toBe(first.text)
    const before = (await transactionsOf(service, merchant)).length
    const again = await sendJson(service, path, { ...sent, nonce: newNonce() })
    expect([again.status, again.body.message]).toEqual([400, expect.stringContaining('again')])
    expect(await transactionsOf(service, merchant)).toHaveLength(before)
  })

  it('is used by one of several simultaneous payments', async () => {
    const path = await newLink(service, merchant)
    const token = await tokenFor(service, path)
    const sent = () => ({ nonce: newNonce(), token, amount: '10', ...PAYER })
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => sendJson(service, path, sent())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  it('that no payment has used is deleted after a day, and no other', async () => {
    const path = await newLink(service, merchant)
    const [unused, used] = [await tokenFor(service, path), await tokenFor(service, path)]
    await sendJson(service, path, { nonce: newNonce(), token: used, amount: '10', ...PAYER })
    const card = await service.card(merchant)
    const kept = `SELECT token FROM sandbox_gateway_token WHERE token = ANY($1)
      OR token = (SELECT gateway_token FROM payment_method WHERE id = $2)`
    const tokens = () => service.world.db.query(kept, [[unused, used], card])
    await forgetUnusedTokens(service.world.db, later(service.world.clock.now(), HOUR), 1_000)
    expect(await tokens()).toHaveLength(3)
    await forgetUnusedTokens(service.world.db, later(service.world.clock.now(), 25 * HOUR), 1_000)
    const left = (await tokens()).map(({ token }) => token)
    expect([left.length, left.includes(unused), left.includes(used)]).toEqual([2, false, true])
  })

  it('that a payment has used is unknown to the API, and the other way round', async () => {
    const path = await newLink(service, merchant)
    const create = async (payment_method_token: string) => {
      const body = { method: 'card', person_name: 'A B', payment_method_token }
      return call(service.app, 'POST', '/payment-method', merchant.headers, body)
    }
    const paid = await tokenFor(service, path)
    const pay = (token: string) =>
      sendJson(service, path, { nonce: newNonce(), token, amount: '10.00', ...PAYER })
    expect((await pay(paid)).status).toBe(200)
    expect((await create(paid)).status).toBe(400)
    const kept = await tokenFor(service, path)
    expect((await create(kept)).status).toBe(200)
    expect((await pay(kept)).status).toBe(400)
  })

  it.each([
    ['number', { card_number: '4111111111111112' }],
    ['exp', { card_exp: '0120' }],
    ['exp', { card_exp: '1339' }],
    ['cvc', { card_cvv: '' }],
  ])('is not made with a wrong %s: %j', async (field, wrong) => {
    const path = await newLink(service, merchant)
    const card = { card_number: '4111111111111111', card_exp: '1239', card_cvv: '123', ...wrong }
    const sent = { link: path.slice(5), ...card }
    const { status, body } = await sendJson(service, '/sandbox-gateway/token', sent)
    expect([status, Object.keys(body.faults)]).toEqual([400, [field]])
  })

  it('for a bank account pays as well', async () => {
    const { path } = await newBill(service, merchant)
    const account = { bank_routing: '021000021', bank_account: '9876543210' }
    const sent = { bill: path.slice(6), method: 'bank', ...account }
    const { body } = await sendJson(service, '/sandbox-gateway/token', sent)
    const paid = { nonce: newNonce(), token: body.token, amount: '10', ...PAYER }
    expect((await sendJson(service, path, paid)).body.state).toBe('approved')
    const [made] = await transactionsOf(service, merchant)
    expect([made.method, made.last_four]).toEqual(['bank', '3210'])
  })
})

describe('one address', () => {
  it('tries few cards a minute, makes few payments and sends few receipts; then it must wait', async () => {
    const timings = { paymentsAMinute: 2, tokensAMinute: 3, receiptsAMinute: 1 }
    await using strict = await openTestService({ backend: 'postgres', timings })
    const path = await newLink(strict, await strict.merchant())
    const card = { link: path.slice(5), card_number: '4111111111111112' }
    const token = await tokenFor(strict, path)
    const tries = [1, 2, 3].map(() => sendJson(strict, '/sandbox-gateway/token', card))
    const tried = (await Promise.all(tries)).map(({ status }) => status)
    expect(tried.sort()).toEqual([400, 400, 429])
    const sent = { nonce: newNonce(), token, amount: '10', ...PAYER }
    const paid = [await sendJson(strict, path, sent), await sendJson(strict, path, sent)]
    expect(paid.map(({ status }) => status)).toEqual([200, 200])
    const late = await sendJson(strict, path, { ...sent, nonce: newNonce() })
    expect([late.status, late.body.message]).toEqual([429, expect.stringContaining('Please wait')])
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    const receipt = () =>
      strict.app.inject({
        method: 'POST',
        url: `${path}/${sent.nonce}/receipt`,
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'email=a@example.com',
      })
    expect((await receipt()).statusCode).toBe(303)
    const refused = await receipt()
    expect([refused.statusCode, refused.body]).toEqual([429, expect.stringContaining('<h1>')])
    // Opening a page has no limit.
    expect((await openPage(strict, path)).status).toBe(200)
    expect((await askPage(strict, `${path}/${sent.nonce}`)).body.state).toBe('approved')
  })
})

describe('a card number typed into a page', () => {
  it('is in no log, table or answer', async () => {
    const lines: string[] = []
    const log = { write: (line: string) => lines.push(line) }
    await using watched = await openTestService({ backend: 'postgres', timings: MANY_PAYERS, log })
    watched.world.log.level = 'trace'
    const path = await newLink(watched, await watched.merchant())
    const number = '4012888888881881'
    const answers: string[] = []
    const card = { link: path.slice(5), card_number: number, card_exp: '1239', card_cvv: '0764' }
    for (const wrong of [{}, { card_exp: '0120' }, { link: 'x' }, { card_cvv: '07641' }]) {
      const sent = { ...card, ...wrong }
      answers.push((await sendJson(watched, '/sandbox-gateway/token', sent)).text)
    }
    const payload = `{"card_number":"${number}","card_cvv":"0764"`
    const headers = { 'content-type': 'application/json' }
    const url = '/sandbox-gateway/token'
    answers.push((await watched.app.inject({ method: 'POST', url, headers, payload })).body)
    answers.push((await payAt(watched, path, { nonce: newNonce() }, number)).text)
    const rows = await watched.world.db.query(
      `SELECT row_to_json(t)::text AS row FROM sandbox_gateway_token t
       UNION ALL SELECT row_to_json(m)::text FROM payment_method m
       UNION ALL SELECT row_to_json(k)::text FROM idempotency k
       UNION ALL SELECT row_to_json(e)::text FROM event e`,
    )
    const everywhere = [...lines, ...answers, ...rows.map(({ row }) => row)].join('\n')
    expect(lines.length).toBeGreaterThan(5)
    expect(rows.length).toBeGreaterThan(4)
    expect(everywhere).toContain('1881')
    expect(everywhere).not.toMatch(/4012888888881881|"0764"/)
  })
})
