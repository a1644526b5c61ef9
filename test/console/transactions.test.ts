// The search over all accounts, a transaction with its history, and the actions of an operator.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DECLINE_MEANINGS } from '../../src/core/decline.ts'
import { capitalized } from '../../src/core/sentence.ts'
import { HOUR } from '../../src/core/time-units.ts'
import { takeIntoBatch } from '../support/batch.ts'
import {
  type SignedIn,
  see,
  seeAfter,
  seePage,
  sendForm,
  signIn,
  textOf,
} from '../support/operator.ts'
import { newLink, payAt, transactionsOf } from '../support/pages.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

interface Made {
  readonly id: string
  readonly customer_id: string
  readonly auth_id: string
}

/** Another payment like that one, which waits to be made. */
const WAITING = `
  INSERT INTO transaction (account_id, id, type, method, currency, total, customer_id,
    payment_method_id, payment_link_id, gateway_name, last_four, meta, request_id, status, owed, due_at,
    deadline_at, created_at, updated_at)
  SELECT account_id, $2, type, method, currency, total, customer_id, payment_method_id,
    payment_link_id, gateway_name, last_four, meta, request_id, 'PENDING', 'charge', $3::timestamptz,
    $3::timestamptz, created_at, updated_at
  FROM transaction WHERE id = $1`

describe('transactions', () => {
  let service: TestService
  let operator: SignedIn
  let one: Merchant
  let other: Merchant
  const made: Record<string, Made> = {}

  beforeAll(async () => {
    service = await openTestService({ queues: ['charge', 'refund', 'doubt', 'sweep'] })
    operator = await signIn(service.world)
    one = await service.merchant()
    other = await service.merchant()
    await name(one, 'Harbour Coffee')
    await name(other, 'Paper Lantern')
    made.ada = await charge(one, ['Ada', 'Lovelace'], 12.5)
    made.grace = await charge(one, ['Grace', 'Hopper'], 40, DECLINED_CARD)
    made.mary = await charge(other, ['Mary', 'Jackson'], 12.5)
    made.keyed = await charge(other, ['Dorothy', 'Vaughan'], 7, undefined, { key: 'order-77' })
  }, 60_000)
  afterAll(() => service.close())

  function name({ teamId }: Merchant, text: string) {
    return service.world.db.prisma.team.update({ where: { id: teamId }, data: { name: text } })
  }

  async function charge(
    merchant: Merchant,
    [firstname, lastname]: readonly string[],
    total: number,
    card_number = '4111111111111111',
    { key, ...more }: { readonly key?: string; readonly pre_auth?: boolean; meta?: object } = {},
  ): Promise<Made> {
    const post = (url: string, body: object) =>
      call(service.app, 'POST', url, merchant.headers, body)
    const email = `${firstname?.toLowerCase()}@example.com`
    const customer = await post('/customer', { firstname, lastname, email })
    const card = await post('/payment-method', {
      customer_id: customer.body.id,
      method: 'card',
      person_name: `${firstname} ${lastname}`,
      card_number,
      card_cvv: '123',
      card_exp: '1239',
    })
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const paid = { total, payment_method_id: card.body.id, ...more }
    return (await service.charge(merchant, paid, headers)).body
  }

  /** The names of the customers on the page, in its order. */
  async function found(query: string): Promise<readonly string[]> {
    const { html } = await seePage(service.app, `/admin/transactions?${query}`, operator)
    const ids = [...html.matchAll(/<code title="([0-9a-f-]{36})">/g)].map(([, id]) => id)
    return ids.map((id) => Object.keys(made).find((who) => made[who]?.id === id) ?? `${id}`)
  }

  describe('are found', () => {
    it('without a filter, the newest first', async () => {
      expect(await found('')).toEqual(['keyed', 'mary', 'grace', 'ada'])
    })

    it.each<readonly [string, readonly string[]]>([
      ['q=ada', ['ada']],
      ['q=Mary+Jackson', ['mary']],
      ['q=hopper%40', []],
      ['q=grace%40example', ['grace']],
      ['q=order-77', ['keyed']],
      ['q=nobody', []],
      ['amount=12.50', ['mary', 'ada']],
      ['amount=%2412.5', ['mary', 'ada']],
      ['amount=12.50&q=ada', ['ada']],
      ['last_four=1881', ['grace']],
      ['last_four=1111&amount=7', ['keyed']],
      ['status=FAILED', ['grace']],
      ['status=SUCCESS', ['keyed', 'mary', 'ada']],
      ['type=refund', []],
      ['method=card', ['keyed', 'mary', 'grace', 'ada']],
      ['mode=live', []],
      ['mode=sandbox&status=FAILED', ['grace']],
      ['team=Harbour+Coffee', ['grace', 'ada']],
      ['team=Harbour+Coffee&mode=sandbox', ['grace', 'ada']],
      ['team=Harbour+Coffee&mode=sandbox&q=ada', ['ada']],
      ['team=Harbour+Coffee&mode=sandbox&amount=40&status=FAILED', ['grace']],
      ['team=Harbour+Coffee&q=mary', []],
      ['from=2020-01-01&to=2021-01-01', []],
      ['from=2020-01-01', ['keyed', 'mary', 'grace', 'ada']],
      ['status=nonsense&page=-3&from=never&before=x', ['keyed', 'mary', 'grace', 'ada']],
    ])('by %s', async (query, who) => {
      expect(await found(query)).toEqual(who)
    })

    it('by the longest key, and not by the beginning of a longer one', async () => {
      const key = 'k'.repeat(255)
      made.long = await charge(one, ['Ida', 'Rhodes'], 3, undefined, { key })
      expect(await found(`q=${key}`)).toEqual(['long'])
      expect(await found(`q=${key}k`)).toEqual([])
      const { body } = await see(service.app, `/admin/transactions?q=${key}k`, operator)
      expect(body).toContain('Use 255 characters at most.')
      const file = await see(service.app, `/admin/transactions.csv?q=${key}k`, operator)
      expect(file.statusCode).toBe(400)
    })

    it('by whole ids: its own, its customer’s, its gateway’s; in any account', async () => {
      const { mary } = made
      for (const q of [mary?.id, mary?.customer_id, mary?.auth_id, mary?.id.toUpperCase()]) {
        expect(await found(`q=${q}`), q).toEqual(['mary'])
      }
      expect(await found(`team=${one.accountId}&q=${mary?.id}`)).toEqual([])
      expect(await found(`team=${other.accountId}&q=${mary?.id}`)).toEqual(['mary'])
    })

    it('page after page, none twice and none left out', async () => {
      const { keyed, grace } = made
      expect(await found(`before=${keyed?.id}`)).toEqual(['mary', 'grace', 'ada'])
      expect(await found(`before=${grace?.id}&status=SUCCESS`)).toEqual(['ada'])
      expect(await found(`before=${keyed?.id}&q=example`)).toEqual(['mary', 'grace', 'ada'])
    })

    it('and an impossible value is reported beside its field, with the typed text', async () => {
      const path = '/admin/transactions?amount=much&team=Nobody%3Cb%3E'
      const { body } = await see(service.app, path, operator)
      expect(body).toContain('value="much"')
      expect(body).toContain('Enter an amount such as 12.50')
      expect(body).toContain('there is no team Nobody&lt;b>')
    })

    it('and a filter that is off is named, and the others are not', async () => {
      const path = '/admin/transactions?status=nonsense&from=never&to=2026-03-07&type=refund'
      const { body } = await see(service.app, path, operator)
      expect(
        [...body.matchAll(/“([^”]*)” is not [^<]*so this filter is off/g)].map(([, v]) => v),
      ).toEqual(['nonsense', 'never'])
    })
  })

  describe('a transaction', () => {
    const path = (who: string, merchant: Merchant) =>
      `/admin/transactions/${merchant.accountId}/${made[who]?.id}`

    it('has its facts and its history, in order', async () => {
      const { body } = await see(service.app, path('ada', one), operator)
      for (const words of ['Charge of $12.50', 'Harbour Coffee', 'Ada Lovelace', '··1111']) {
        expect(body).toContain(words)
      }
      const story = [...body.matchAll(/class="what">([^<]*)</g)].map(([, words]) => words)
      expect(story[0]).toBe('Payment received, waiting to be charged')
      expect(story).toContain('Succeeded')
    })

    it('leads to the request that made it, and so to its key, while that is kept', async () => {
      const { id } = await charge(one, ['Asked', 'Today'], 5)
      const page = `/admin/transactions/${one.accountId}/${id}`
      const link = async () => {
        const { body } = await see(service.app, page, operator)
        return /href="(\/admin\/requests\?request=[^"]+)">Open the request</.exec(body)?.[1]
      }
      // Requests are written once a second.
      await expect.poll(link).toBeDefined()
      const list = await see(service.app, (await link()) ?? '', operator)
      expect(list.body).toMatch(/POST \/charge.*href="\/admin\/requests\?key=/s)
      const forget = 'DELETE FROM recent_request WHERE account_id = $1'
      await service.world.db.query(forget, [one.accountId])
      expect(await link()).toBeUndefined()
    })

    it('tells why a request about it was refused, in sentences that need no answer beside', async () => {
      const { id } = await charge(one, ['Typing', 'Quickly'], 5)
      const body = { total: 5, reason: 'It came broken' }
      await call(service.app, 'POST', `/transaction/${id}/refund`, one.headers, body)
      const page = `/admin/transactions/${one.accountId}/${id}`
      const story = async () => (await see(service.app, page, operator)).body
      // Requests are written once a second.
      await expect.poll(story).toContain('Request refused: POST /transaction/…/refund')
      expect(await story()).toMatch(/>A field is not known: use [^<]*total/)
      expect(await story()).toContain('>Correct the name of the field: errors in the answer names')
      expect(await story()).not.toContain('It came broken')
    })

    it('through a payment link names the link', async () => {
      const merchant = await service.merchant()
      const link = await newLink(service, merchant)
      await payAt(service, link)
      const [{ id }] = await transactionsOf(service, merchant)
      const page = `/admin/transactions/${merchant.accountId}/${id}`
      const { statusCode, body } = await see(service.app, page, operator)
      expect([statusCode, body.includes(`>${link.slice('/pay/'.length)}</code>`)]).toEqual([
        200,
        true,
      ])
      const ofLink = `q=${link.slice('/pay/'.length)}`
      expect(await found(ofLink)).toEqual([id])
      const waiting = service.world.newId()
      await service.world.db.query(WAITING, [id, waiting, new Date(Date.now() + HOUR)])
      expect(await found(ofLink)).toEqual([waiting, id])
    })

    it('of another account is not found', async () => {
      const wrong = `/admin/transactions/${other.accountId}/${made.ada?.id}`
      expect((await see(service.app, wrong, operator)).statusCode).toBe(404)
      expect((await see(service.app, '/admin/transactions/a/b', operator)).statusCode).toBe(404)
    })

    it('that FAILED can be neither voided nor refunded, and says why', async () => {
      const { body } = await see(service.app, path('grace', one), operator)
      expect(body).toContain('Can’t be voided or refunded: the payment failed.')
    })

    it('has what it is for, in the merchant’s words', async () => {
      const meta = {
        memo: 'Order <1001>',
        poNumber: 'PO-9',
        lineItems: [{ item: 'Lamp', quantity: 2, price: 4 }],
      }
      made.lamps = await charge(one, ['Iris', 'Lamp'], 8, undefined, { meta })
      const { body } = await see(service.app, path('lamps', one), operator)
      const [, after = ''] = body.split('What it is for')
      const [text] = textOf(after).split('Void payment')
      for (const words of ['Lamp 2 × $4.00 $8.00', 'Order &lt;1001>', 'PO-9']) {
        expect(text).toContain(words)
      }
      const { body: other } = await see(service.app, path('grace', one), operator)
      expect(other).not.toContain('What it is for')
    })

    it('that was declined says why in words, with the code of the gateway', async () => {
      const ofGateway = "UPDATE transaction SET gateway_code = 'do_not_honor' WHERE id = $1"
      await service.world.db.query(ofGateway, [made.grace?.id])
      const { body } = await see(service.app, path('grace', one), operator)
      const text = textOf(body)
      expect(text).toContain(`card_declined ${capitalized(DECLINE_MEANINGS.card_declined)}`)
      expect(text).toContain('Gateway’s code do_not_honor')
      expect(text).toContain('Another try later It may be tried again after hours or days')
    })
  })

  describe('an operator', () => {
    const path = (id: string | undefined) => `/admin/transactions/${one.accountId}/${id}`

    async function formOf(
      id: string | undefined,
      operation = '',
    ): Promise<Readonly<Record<string, string>>> {
      const { body } = await see(service.app, path(id), operator)
      const form = body.split(`/${id}/${operation}`)[1]?.split('</form>')[0] ?? ''
      const inputs = [...form.matchAll(/name="(key|previously_refunded)" value="([^"]*)"/g)]
      return Object.fromEntries(inputs.map(([, field, value]) => [field, value]))
    }

    const childrenOf = (id: string | undefined) =>
      service.world.db.query(
        `SELECT type, status, total::integer, idempotency_id FROM transaction
         WHERE reference_id = $1 ORDER BY id`,
        [id],
      )

    it('voids a transaction, once, however often the form is sent', async () => {
      const { id } = await charge(one, ['Void', 'Me'], 5)
      const form = await formOf(id)
      const answers = await Promise.all(
        [1, 2, 3].map(() => sendForm(service.app, `${path(id)}/void`, operator, form)),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
      for (const answer of answers) {
        const { first } = await seeAfter(service.app, answer, operator)
        expect(first).toContain('Voided $5.00.')
      }
      const idempotency_id = `console-${form.key}`
      const void_ = { type: 'void', status: 'SUCCESS', total: 500, idempotency_id }
      expect(await childrenOf(id)).toEqual([void_])
      const entries = await service.world.db.query(
        'SELECT deed AS action FROM deed WHERE subject = $1',
        [id],
      )
      expect(entries).toEqual([{ action: 'void asked for' }])
    })

    it('cannot give a card number as a reason, and nothing moves', async () => {
      const { id } = await charge(one, ['No', 'Cards'], 5)
      const form = { ...(await formOf(id, 'void')), reason: 'card 4111 1111 1111 1111' }
      const { statusCode, body } = await sendForm(service.app, `${path(id)}/void`, operator, form)
      expect(statusCode).toBe(400)
      expect(body).toContain('Don’t enter the number of a card here.')
      expect(await childrenOf(id)).toEqual([])
    })

    it('captures nothing for a team that is stopped, but returns its money', async () => {
      const merchant = await service.merchant()
      const { id } = await charge(merchant, ['Stopped', 'Team'], 9, undefined, { pre_auth: true })
      const at = path(id).replace(one.accountId, merchant.accountId)
      const sent = { key: service.world.newId(), reason: 'It is stopped', total: '5' }
      await setTeam(service.world, merchant.teamId, ['status=inactive'])
      const page = (await see(service.app, at, operator)).body
      expect(page).not.toContain('<h2>Capture</h2>')
      expect(page).toContain('<h2>Void payment</h2>')
      const refused = await sendForm(service.app, `${at}/capture`, operator, sent)
      expect([refused.statusCode, refused.body]).toEqual([
        403,
        expect.stringContaining('Nothing was captured'),
      ])
      expect(await childrenOf(id)).toEqual([])
      const voided = await sendForm(service.app, `${at}/void`, operator, sent)
      expect(voided.statusCode).toBe(303)
    })

    it('captures a part of a hold, and then its rest', async () => {
      const { id } = await charge(one, ['Hold', 'Me'], 9, undefined, { pre_auth: true })
      const page = async () => (await see(service.app, path(id), operator)).body
      const titles = async () =>
        [...(await page()).matchAll(/<h2>(Capture|Void payment|Refund)<\/h2>/g)].map(
          ([, title]) => title,
        )
      expect(await titles()).toEqual(['Capture', 'Void payment'])
      const capture = async (total: string) => {
        const form = { ...(await formOf(id, 'capture')), total, reason: 'Two came back' }
        return sendForm(service.app, `${path(id)}/capture`, operator, form)
      }
      const { key = '' } = await formOf(id, 'capture')
      const reason = `${'R'.repeat(199)}\u{1f600}\u202e`
      for (const spelt of [key, key.toUpperCase()]) {
        const sent = { key: spelt, total: '0.50', reason }
        const answer = await sendForm(service.app, `${path(id)}/capture`, operator, sent)
        expect(answer.statusCode).toBe(303)
      }
      const { first } = await seeAfter(service.app, await capture('4'), operator)
      expect(first).toContain('Captured $4.00.')
      const refused = await capture('5.01')
      expect(refused.body).toContain('Enter $4.50 or less: that is what can still be captured.')
      expect(refused.body).toContain('value="Two came back"')
      expect(await titles()).toEqual(['Capture'])
      await capture('4.50')
      expect(await titles()).toEqual([])
      expect(await childrenOf(id)).toMatchObject([
        { type: 'capture', status: 'SUCCESS', total: 50 },
        { type: 'capture', status: 'SUCCESS', total: 400 },
        { type: 'capture', status: 'SUCCESS', total: 450 },
      ])
      const shown = await page()
      expect(shown).not.toContain('Capture asked for')
      const [child] = await service.world.db.query(
        'SELECT id FROM transaction WHERE reference_id = $1 ORDER BY id DESC LIMIT 1',
        [id],
      )
      // The hold and the capture both show it.
      for (const body of [shown, (await see(service.app, path(child?.id), operator)).body]) {
        for (const words of ['by Ada', 'Two came back']) expect(body).toContain(words)
      }
      const entries = await service.world.db.query(
        'SELECT deed AS action, detail FROM deed WHERE subject = $1 ORDER BY id',
        [id],
      )
      expect(entries).toMatchObject([
        { action: 'capture asked for', detail: { total: 0.5, reason: reason.slice(0, -1) } },
        { action: 'capture asked for', detail: { total: 4, reason: 'Two came back' } },
        { action: 'capture asked for', detail: { total: 4.5, reason: 'Two came back' } },
      ])
    })

    it('refunds a part, and the same form sent again does nothing', async () => {
      const { id } = await charge(one, ['Refund', 'Me'], 9)
      await takeIntoBatch(service, [id])
      const form = { ...(await formOf(id)), total: '2.50' }
      expect(form).toMatchObject({ previously_refunded: '0' })
      for (let n = 0; n < 2; n += 1) {
        const answer = await sendForm(service.app, `${path(id)}/refund`, operator, form)
        expect(answer.statusCode).toBe(303)
        const { first } = await seeAfter(service.app, answer, operator)
        expect(first).toContain('Refunded $2.50.')
      }
      expect(await childrenOf(id)).toMatchObject([
        { type: 'refund', status: 'SUCCESS', total: 250 },
      ])
      const { body } = await see(service.app, path(id), operator)
      expect(body).toContain('Refund of $2.50 · succeeded')
      expect(body).toContain('value="6.50"')
    })

    it('sees how much can still be refunded, once a part of it is', async () => {
      const { id } = await charge(one, ['Part', 'Refunded'], 9)
      await takeIntoBatch(service, [id])
      const refund = async (total: string) =>
        sendForm(service.app, `${path(id)}/refund`, operator, { ...(await formOf(id)), total })
      await refund('2.50')
      for (const total of ['6.51', '900']) {
        const { statusCode, body } = await refund(total)
        expect([statusCode >= 400, total]).toEqual([true, total])
        expect(body).toContain('Enter $6.50 or less: that is what can still be refunded.')
      }
      expect((await childrenOf(id)).length).toBe(1)
    })

    it('reads large amounts in groups of three digits', async () => {
      const { id } = await charge(one, ['Large', 'Amount'], 9_999_999.99)
      expect((await see(service.app, path(id), operator)).body).toContain('Charge of $9,999,999.99')
    })

    it('with an outdated page refunds nothing', async () => {
      const { id } = await charge(one, ['Old', 'Page'], 9)
      await takeIntoBatch(service, [id])
      const [first, second] = [await formOf(id), await formOf(id)]
      await sendForm(service.app, `${path(id)}/refund`, operator, { ...first, total: '1' })
      const answer = await sendForm(service.app, `${path(id)}/refund`, operator, {
        ...second,
        total: '1',
      })
      expect([answer.statusCode, (await childrenOf(id)).length]).toEqual([409, 1])
      expect(answer.body).toContain('role="alert"')
    })

    it.each(['0', 'much', '9.001', '1,50', '1000'])(
      'who types %s gets an error, and the typed text stays',
      async (total) => {
        const { id } = await charge(one, ['Type', 'Badly'], 900)
        await takeIntoBatch(service, [id])
        const form = { ...(await formOf(id)), total }
        const answer = await sendForm(service.app, `${path(id)}/refund`, operator, form)
        expect(answer.statusCode).toBeGreaterThanOrEqual(400)
        expect(answer.body).toContain(`value="${total}"`)
        expect(await childrenOf(id)).toEqual([])
      },
    )
  })
})
