// Payers' pages in the payer's language: how it is chosen, that a page has no word of another
// language, and that a choice is kept through a payment.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '../../src/core/language.ts'
import { LETTER_TEXTS } from '../../src/messages/texts/letter-texts.ts'
import { TEXTS } from '../../src/pages/texts/texts.ts'
import { viewerOf } from '../../src/pages/viewer.ts'
import {
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
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import { strangersOn, textsIn, textsWithValues } from '../support/texts.ts'

const OTHERS = ['es', 'fr'] as const

/** A page waits for some payments as long as a payer would. */
const MAKING_MS = 90_000

const allOf = (language: Language) => ({
  pages: TEXTS[language],
  letters: LETTER_TEXTS[language],
})

const english = allOf('en')

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['es', 'es'],
    ['FR-ca', 'fr'],
    ['fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    ['en;q=0.5, es;q=0.9', 'es'],
    ['de-DE,de;q=0.9,es;q=0.1', 'es'],
    ['es;q=0, fr;q=0.2', 'fr'],
    ['fr;q=9, es;q=0.1', 'es'],
    ['fr;q=-1, es;q=0.1', 'es'],
    ['fr;q=1e9, es', 'es'],
    ['fr;q=0.5;q=1, es;q=0.1', 'es'],
    ['esperanto, french', 'en'],
    ['*;q=1, fr;q=0.001', 'fr'],
    ['../../es, <script>', 'en'],
    ['fr\u0000, es', 'es'],
    [`${'x'.repeat(10_000)}, fr`, 'fr'],
    [`${'de,'.repeat(3_000)}fr`, 'en'],
    [`${',;q='.repeat(3_000)}fr`, 'en'],
  ])('for Accept-Language %j is %s', (header, language) => {
    const headers = header === undefined ? {} : { 'accept-language': header }
    expect(viewerOf({ headers, query: {}, method: 'GET' }).language).toBe(language)
  })

  it.each([
    ['fr', 'fr', 'fr'],
    ['ES', 'es', 'es-US'],
    ['fr-CA', 'fr', 'fr'],
    ['de', 'en', 'en-GB'],
    [['fr', 'es'], 'en', 'en-GB'],
    ['', 'en', 'en-GB'],
    ['x'.repeat(5_000), 'en', 'en-GB'],
  ])('with ?lang=%j is %s, whatever the browser prefers', (lang, language, locale) => {
    const asked = { headers: { 'accept-language': 'en-GB' }, query: { lang }, method: 'GET' }
    expect(viewerOf(asked)).toMatchObject({ language, locale })
  })
})

describe('the texts', () => {
  it.each(OTHERS)('in %s are translated: few are the same as in English', (language) => {
    const own = new Set(textsIn(allOf(language)))
    const whole = textsIn(english)
    const same = whole.filter((text) => own.has(text) && /[a-z]{3}/i.test(text))
    expect(whole.length).toBeGreaterThan(150)
    expect(same.length).toBeLessThan(12)
  })

  it.each(LANGUAGES)('in %s show each of their values', (language) => {
    const { means, layout, labels } = LETTER_TEXTS[language]
    const { letters } = english
    const own = { pages: TEXTS[language], letters: { means, layout, labels } }
    const first = {
      pages: english.pages,
      letters: { means: letters.means, layout: letters.layout, labels: letters.labels },
    }
    const marks = (all: object) =>
      textsWithValues(all).map(([name, text]) => [name, text.split('\u2603').length - 1])
    expect(marks(own)).toEqual(marks(first))
    expect(marks(first).filter(([, count]) => count === 0)).toEqual([])
  })

  it('in French have a thin no-break space before double signs and inside quotation marks', () => {
    const wrong = textsIn(allOf('fr')).filter((text) =>
      /(?:^|[^\u202f])[;!?](?!\S)|[^\u202f]:(?:\s|$)|«(?!\u202f)|[^\u202f]»|[ \u00a0][:;!?»]/.test(
        text,
      ),
    )
    expect(wrong).toEqual([])
    expect(textsIn(allOf('fr')).filter((text) => /\u202f[:;]/.test(text)).length).toBeGreaterThan(5)
  })

  it('in Spanish open each question and exclamation', () => {
    const count = (text: string, mark: RegExp) => [...text.matchAll(mark)].length
    const wrong = textsIn(allOf('es')).filter(
      (text) => count(text, /[?!]/g) !== count(text, /[¿¡]/g),
    )
    expect(wrong).toEqual([])
  })

  it.each(OTHERS)('in %s have typographic apostrophes', (language) => {
    expect(textsIn(allOf(language)).filter((text) => /'/.test(text))).toEqual([])
  })
})

describe('payers’ pages', () => {
  let service: TestService
  let merchant: Merchant
  /** A page of each kind, by its name. */
  const places = new Map<string, string>()

  beforeAll(async () => {
    service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
    merchant = await service.merchant()
    for (const [name, place] of Object.entries(await everyPage(service, merchant))) {
      places.set(name, place)
    }
  }, MAKING_MS)
  afterAll(() => service.close())

  it.each(OTHERS)('in %s have no English word, and in English do', async (language) => {
    const inOther: Record<string, readonly string[]> = {}
    const found: Record<string, number> = {}
    for (const [name, place] of places) {
      const headers = { 'accept-language': language }
      const page = await openPage(service, place, headers)
      expect(page.text).toContain(`<html lang="${language}">`)
      expect(page.headers).toMatchObject({
        vary: expect.stringContaining('Accept-Language'),
        'content-language': language,
      })
      inOther[name] = strangersOn(page.text, allOf(language), english)
      found[name] = strangersOn(
        (await openPage(service, place)).text,
        allOf(language),
        english,
      ).length
    }
    expect(inOther).toEqual(Object.fromEntries([...places.keys()].map((name) => [name, []])))
    expect(Object.values(found).filter((count) => count < 3)).toEqual([])
  })

  it('keep the chosen language on the way through a payment', async () => {
    const path = await newLink(service, merchant, { amount: null })
    const form = await openPage(service, `${path}?amount=12&lang=fr`)
    expect(form.text).toContain('<html lang="fr">')
    expect(form.text).toContain('href="?amount=12&amp;lang=es"')
    const declined = newNonce()
    await payAt(service, path, { nonce: declined }, DECLINED_CARD)
    const bad = await openPage(service, `${path}/${declined}?lang=fr`)
    expect(bad.text).toContain(`href="${path}?amount=10.00&amp;lang=fr"`)
    const nonce = newNonce()
    await payAt(service, path, { nonce })
    const good = await openPage(service, `${path}/${nonce}?lang=fr`)
    const action = `${path}/${nonce}/receipt?lang=fr`
    expect(good.text).toContain(`action="${action}"`)
    const sent = await service.app.inject({
      method: 'POST',
      url: action,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=a@example.com',
    })
    expect(sent.headers.location).toBe(`${path}/${nonce}?receipt=sent&lang=fr`)
    const page = await openPage(service, String(sent.headers.location))
    expect(page.text).toContain(TEXTS.fr.receipt.sent)
    expect(page.text).toContain('href="?receipt=sent&amp;lang=es"')
  })

  it('without a choice have unchanged addresses', async () => {
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    const { body } = await payAt(service, path, { nonce })
    expect(body.next).toBe(`${path}/${nonce}`)
    const page = await openPage(service, `${path}/${nonce}`, { 'accept-language': 'fr' })
    expect(page.text).toContain(`action="${path}/${nonce}/receipt"`)
  })

  it.each(OTHERS)('answer their script in %s', async (language) => {
    const headers = { 'accept-language': language }
    const path = await newLink(service, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(service, path), amount: '10', ...PAYER }
    const { faults, refusals, gatewayFaults } = TEXTS[language]
    const wrong = { ...sent, name: '', email: 'x', amount: '1.234' }
    const bad = await sendJson(service, path, wrong, headers)
    expect(bad.headers['content-language']).toBe(language)
    expect(bad.body.faults).toEqual({
      amount: faults.amountAmbiguous,
      name: faults.nameMissing,
      email: faults.emailWrong,
    })
    const late = await sendJson(service, path, { ...sent, token: 'gone' }, headers)
    expect([late.headers['content-language'], late.body.message]).toEqual([
      language,
      refusals.tooLong.message,
    ])
    const other = await sendJson(service, path, { ...sent, amount: '11' }, headers)
    expect(other.body).toMatchObject({ reload: true, ...refusals.amountChanged })
    const card = { link: path.slice(5), card_number: '4111111111111112' }
    const url = '/sandbox-gateway/token'
    const expired = await sendJson(service, url, { ...card, card_exp: '0120' }, headers)
    expect(expired.body.faults).toMatchObject({
      number: gatewayFaults.number,
      exp: gatewayFaults.expired,
    })
    const odd = await sendJson(service, url, { ...card, card_exp: '1' }, headers)
    expect(odd.body.faults.exp).toBe(gatewayFaults.exp)
  })

  it("show the merchant's words as they were written", async () => {
    const link_meta = { memo: 'Thank you for your order' }
    const path = await newLink(service, merchant, { common_name: 'Invoice', link_meta })
    const { text } = await openPage(service, `${path}?lang=fr`)
    for (const words of ['<bdi>Invoice</bdi>', link_meta.memo]) expect(text).toContain(words)
  })
})

async function everyPage(service: TestService, merchant: Merchant) {
  const { app } = service
  const link = await newLink(service, merchant)
  const paidBy = async (path: string, body: object = {}, card?: string) => {
    const nonce = newNonce()
    await payAt(service, path, { nonce, ...body }, card)
    return `${path}/${nonce}`
  }
  const lastOf = async () => (await transactionsOf(service, merchant))[0]
  const voided = await paidBy(link)
  await call(app, 'POST', `/transaction/${(await lastOf()).id}/void`, merchant.headers)
  const meta = {
    subtotal: 8,
    tax: 1,
    shippingAmount: 1,
    poNumber: '7',
    reference: '8',
    memo: '9',
    lineItems: [{ item: 'X', quantity: 2, price: 4 }],
  }
  const bill = await newBill(service, merchant, { meta, due_at: '2026-12-24' })
  const paidBill = await newBill(service, merchant)
  const outcomeOfBill = await paidBy(paidBill.path)
  const undecided = await newBill(service, merchant, { total: 763.63 })
  const underWay = await paidBy(undecided.path, { amount: '763.63' })
  const gone = await newBill(service, merchant)
  await service.world.db.query(`UPDATE invoice SET status = 'VOID' WHERE id = $1`, [gone.id])
  const deleted = await newLink(service, merchant)
  await call(app, 'DELETE', `/query/payment-links/${deleted.slice(5)}`, merchant.headers)
  const off = await service.merchant()
  const offLink = await newLink(service, off)
  await setTeam(service.world, off.teamId, ['enabled=false'])
  return {
    link,
    'typed amount': await newLink(service, merchant, { amount: null }),
    approved: await paidBy(link),
    declined: await paidBy(link, {}, DECLINED_CARD),
    voided,
    bill: bill.path,
    'paid bill': paidBill.path,
    'outcome of a bill': outcomeOfBill,
    'bill under way': undecided.path,
    'payment under way': underWay,
    'canceled bill': gone.path,
    'deleted link': deleted,
    'inactive link': await newLink(service, merchant, { active: false }),
    'no payments': offLink,
    'no gateway': await newLink(service, await service.merchant('live')),
    'unknown payment': `${link}/${newNonce()}`,
    'unknown page': '/pay/x',
    'refused receipt': `${await paidBy(link)}?receipt=refused`,
  }
}
