// Pages of live accounts, as a payer's browser requests them: what they may load, how a bank's
// question is answered, and where a page's payment method can be used.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE, SECOND } from '../../src/core/time-units.ts'
import {
  askPage,
  MANY_PAYERS,
  newBill,
  newLink,
  newNonce,
  openPage,
  PAYER,
  pageTextOf,
  sendJson,
  transactionsOf,
} from '../support/pages.ts'
import { expectRefusal } from '../support/requests.ts'
import { soon } from '../support/soon.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const NUMBERS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  asked: '4000002500003155',
  bank: '000123456789',
}

describe('a page of a live account', () => {
  let live: LiveService
  let link: string

  beforeAll(async () => {
    live = await openLiveService({ timings: MANY_PAYERS })
    const address = await live.service.app.listen({ port: 0, host: '127.0.0.1' })
    live.stripe.events.addEndpoint({ url: `${address}/provider/stripe` })
    link = await newLink(live.service, live.merchant)
  })
  afterAll(() => live[Symbol.asyncDispose]())

  /** Calls Stripe as the script in the payer's browser does. */
  async function atStripe(path: string, fields: Record<string, string>) {
    const body = new URLSearchParams({ key: live.stripe.publishableKey, ...fields })
    return (await fetch(`${live.stripe.url}/v3/${path}`, { method: 'POST', body })).json()
  }

  async function pay(path: string, number: string, more: object = {}) {
    const { id: token } = await atStripe('confirmation_tokens', { number })
    const nonce = newNonce()
    const sent = { nonce, token, amount: '10.00', ...PAYER, ...more }
    return { nonce, sent, answer: await sendJson(live.service, path, sent) }
  }

  const step = (at: string) => sendJson(live.service, `${at}/step`, {})
  const stateOf = async (at: string) => (await askPage(live.service, at)).body.state
  const newest = async () => (await transactionsOf(live.service, live.merchant))[0]

  async function becomes(at: string, state: string): Promise<void> {
    await soon(async () => expect(await stateOf(at)).toBe(state))
  }

  /** A payment whose bank asks the payer, and the secret that the payer's browser gets. */
  async function asked(path = link) {
    const { nonce, answer } = await pay(path, NUMBERS.asked)
    expect(answer.body).toEqual({ state: 'processing', next: `${path}/${nonce}` })
    const { body, headers } = await step(answer.body.next)
    const clientSecret = expect.stringContaining('_secret_')
    expect(body).toEqual({ kind: 'asked', clientSecret, account: null })
    expect(headers['cache-control']).toBe('no-store')
    return { at: answer.body.next, client_secret: body.clientSecret }
  }

  it('may load its scripts from Stripe; every other page keeps its policy', async () => {
    const policyOf = async (path: string) =>
      `${(await openPage(live.service, path)).headers['content-security-policy']}`
    const { path: bill } = await newBill(live.service, live.merchant)
    const { url } = live.stripe
    for (const path of [link, bill]) {
      const policy = await policyOf(path)
      expect(policy).toContain(`script-src 'self' ${url};`)
      expect(policy).toContain(`connect-src 'self' ${url};`)
      expect(policy).toContain(`frame-src ${url};`)
      expect(policy).toContain("default-src 'none'")
    }
    const sandbox = await live.service.merchant()
    const { answer } = await pay(link, NUMBERS.good)
    const others = [await newLink(live.service, sandbox), answer.body.next, '/pay/unknown']
    for (const path of others) {
      const { text } = await openPage(live.service, path)
      expect(await policyOf(path)).toContain("script-src 'self'; style-src 'self';")
      expect(text).not.toMatch(/pay-hosted|data-key/)
    }
  })

  it('opens the window of a bank, which no other page may', async () => {
    const openerOf = async (path: string) =>
      (await openPage(live.service, path)).headers['cross-origin-opener-policy']
    expect(await openerOf(link)).toBe('same-origin-allow-popups')
    const sandbox = await newLink(live.service, await live.service.merchant())
    expect(await openerOf(sandbox)).toBe('same-origin')
  })

  it('takes a card, and makes one payment however often it is sent', async () => {
    const { sent, answer } = await pay(link, NUMBERS.good)
    expect(answer.body.state).toBe('approved')
    expect((await sendJson(live.service, link, sent)).text).toBe(answer.text)
    const again = await sendJson(live.service, link, { ...sent, nonce: newNonce() })
    expect([again.status, again.body.message]).toEqual([400, expect.stringContaining('again')])
    const { id, auth_id } = await newest()
    expect(
      live.stripe.ledger().filter((move) => move.kind === 'payment' && move.id === auth_id),
    ).toHaveLength(1)
    expect((await live.post(`/transaction/${id}/void`)).body.status).toBe('SUCCESS')
  })

  it('says that a card was declined', async () => {
    const { answer } = await pay(link, NUMBERS.declined)
    expect(answer.body.state).toBe('declined')
    expect(await newest()).toMatchObject({ status: 'FAILED', decline_code: 'card_declined' })
  })

  it('takes no token of another kind', async () => {
    for (const token of ['tok_1', 'pm_card_visa', 'ctoken_unknown']) {
      const sent = { nonce: newNonce(), token, amount: '10.00', ...PAYER }
      expect((await sendJson(live.service, link, sent)).status).toBe(400)
    }
  })

  it('has a payment approved once its payer has answered the bank, even if they return twice', async () => {
    const { at, client_secret } = await asked()
    expect((await openPage(live.service, at)).text).toMatch(/pay-hosted.*data-key="pk_test_/s)
    await atStripe('answers', { client_secret, answer: 'yes' })
    await Promise.all([step(at), step(at)])
    await becomes(at, 'approved')
    expect((await step(at)).body).toEqual({ kind: 'none' })
    const { auth_id } = await newest()
    const moves = live.stripe
      .ledger()
      .filter(({ id, kind }) => kind === 'payment' && id === auth_id)
    expect(moves.map(({ state }) => state)).toEqual(['succeeded'])
  })

  it("sends a payer on to the bank's question without waiting", async () => {
    const quick = async () => {
      const startedMs = performance.now()
      const { answer } = await pay(link, NUMBERS.asked)
      expect(answer.body.state).toBe('processing')
      // It waits this long for an outcome; a busy machine may be as slow for other reasons.
      expect(performance.now() - startedMs).toBeLessThan(3 * SECOND)
    }
    await soon(quick)
  })

  it("has a payment declined if the bank rejects the payer's answer, and closes it at Stripe", async () => {
    const { at, client_secret } = await asked()
    await atStripe('answers', { client_secret, answer: 'no' })
    await step(at)
    await becomes(at, 'declined')
    const made = await newest()
    expect(made).toMatchObject({ status: 'FAILED', decline_code: 'authentication_required' })
    expect(live.stripe.ledger().find(({ id }) => id === made.auth_id)?.state).toBe('canceled')
  })

  it('gives up a payment after half an hour if its payer went away, first at Stripe', async () => {
    const { at, client_secret } = await asked()
    const { id } = await newest()
    const { db, clock, queues } = live.service.world
    const row = async () => await db.prisma.transaction.findFirst({ where: { id } })
    const { accountId = '', createdAt, deadlineAt } = (await row()) ?? {}
    const left = Number(deadlineAt) - Number(createdAt)
    expect(Math.abs(left - 30 * MINUTE)).toBeLessThan(MINUTE)
    await db.query('UPDATE transaction SET deadline_at = $2, due_at = $2 WHERE id = $1', [
      id,
      clock.now(),
    ])
    queues.nudge('doubt', { accountId, id, requestId: 'r' })
    await becomes(at, 'declined')
    expect(await newest()).toMatchObject({
      status: 'FAILED',
      decline_code: 'authentication_required',
    })
    const late = await atStripe('answers', { client_secret, answer: 'yes' })
    expect(late.status).toBe('canceled')
  })

  it('keeps the secret from every caller who does not know the payment', async () => {
    const { at } = await asked()
    const other = await newLink(live.service, live.merchant)
    const nonce = at.split('/').at(-1)
    for (const place of [`${other}/${nonce}`, `${link}/${newNonce()}`]) {
      expect((await step(place)).body).toEqual({ kind: 'none' })
    }
    expect((await openPage(live.service, at)).text).not.toContain('_secret_')
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await sendJson(live.service, `${at}/step`, {}, elsewhere)).status).toBe(403)
  })

  it('has a bill paid whose card was refused without the payer, once the payer has answered the bank', async () => {
    const { id, path, customerId } = await newBill(live.service, live.merchant)
    const card = await live.method('pm_card_authenticationRequired', { customer_id: customerId })
    const alone = await live.post(`/invoice/${id}/pay`, { payment_method_id: card })
    expect(alone.body).toMatchObject({ decline_code: 'authentication_required', retry: 'never' })
    const invoice = async () => (await live.get(`/invoice/${id}`)).body
    expect(await invoice()).toMatchObject({ status: 'ATTEMPTED', next_retry_at: null })
    const { at, client_secret } = await asked(path)
    await atStripe('answers', { client_secret, answer: 'yes' })
    await step(at)
    await becomes(at, 'approved')
    expect(await invoice()).toMatchObject({ status: 'PAID', total_paid: 10 })
  })

  it('of a bill waits for the answer to a card payment, which takes no days', async () => {
    const { path } = await newBill(live.service, live.merchant)
    await asked(path)
    const page = await openPage(live.service, path)
    expect(page.text).toContain('id="waiting"')
    expect(pageTextOf(page)).not.toContain('takes several days')
  })

  it('has a debit of several days, which an event of Stripe ends', async () => {
    const { path } = await newBill(live.service, live.merchant)
    const { answer } = await pay(path, NUMBERS.bank)
    const at = answer.body.next
    expect(answer.body.state).toBe('processing')
    await soon(async () => expect((await step(at)).body).toEqual({ kind: 'waiting' }))
    for (const place of [at, path]) {
      expect(pageTextOf(await openPage(live.service, place))).toContain('takes several days')
    }
    expect((await sendJson(live.service, path, { ...(await pay(path, NUMBERS.good)).sent })).status)
      // The bill cannot be paid twice.
      .toBe(409)
    await live.stripe.advance(5 * DAY)
    await becomes(at, 'approved')
  })

  it('makes payment methods for one payment: the API refuses them with a reason', async () => {
    await pay(link, NUMBERS.good)
    const { payment_method_id } = await newest()
    const { id, customerId } = await newBill(live.service, live.merchant)
    const body = { total: 5, payment_method_id }
    const rule = 'RRULE:FREQ=DAILY'
    for (const refused of [
      await live.post('/charge', body),
      await live.post(`/invoice/${id}/pay`, { payment_method_id }),
      await live.post('/invoice', { ...body, customer_id: customerId }),
      await live.post('/invoice/schedule', { ...body, customer_id: customerId, rule }),
    ]) {
      expectRefusal(refused, 400, 'invalid_request')
      expect(refused.text).toContain('for one payment only')
    }
  })

  it('makes no default of a customer, and one of an earlier version ends with the next', async () => {
    await pay(link, NUMBERS.good)
    const { payment_method_id: id, customer_id } = await newest()
    const { query } = live.service.world.db
    const isDefault = 'SELECT is_default FROM payment_method WHERE id = $1'
    expect(await query(isDefault, [id])).toEqual([{ is_default: false }])
    const wanted = await live.put(`/payment-method/${id}`, { is_default: true })
    expectRefusal(wanted, 400, 'invalid_request', ['is_default'])
    const renamed = await live.put(`/payment-method/${id}`, { is_default: false, nickname: 'Once' })
    expect(renamed.body).toMatchObject({ is_default: false, nickname: 'Once' })
    await query('UPDATE payment_method SET is_default = true WHERE id = $1', [id])
    const card = { method: 'card', person_name: 'Ada', payment_method_token: 'pm_card_visa' }
    const added = await live.post('/payment-method', { ...card, customer_id })
    expect([added.status, added.body.is_default]).toEqual([200, true])
    expect(await query(isDefault, [id])).toEqual([{ is_default: false }])
  })
})
