// In a real browser, payers use pages of live accounts, with the script of the stand-in for Stripe.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  hasChromium,
  isWiderThanScreen,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { MANY_PAYERS, newBill, newLink, transactionsOf } from '../support/pages.ts'
import { call } from '../support/test-service.ts'
import { type LiveService, openLiveService } from './live-service.ts'

const START_MS = 60_000

const [GOOD, DECLINED, ASKED, BANK, UNVERIFIED] = [
  '4242 4242 4242 4242',
  '4000 0000 0000 0002',
  '4000 0025 0000 3155',
  '000123456789',
  '000888888880',
]

describe.skipIf(!hasChromium)('a payer of a live account', { timeout: START_MS }, () => {
  let live: LiveService
  let browser: TestBrowser
  let origin: string
  const lines: string[] = []
  const pages: WatchedPage[] = []
  const sent: string[] = []
  const secrets: string[] = []

  beforeAll(async () => {
    live = await openLiveService({
      timings: MANY_PAYERS,
      log: { write: (line) => lines.push(line) },
    })
    browser = await openBrowser()
    origin = await serveService(live.service)
  }, START_MS)
  afterAll(async () => {
    await browser.close()
    await live[Symbol.asyncDispose]()
  })

  async function opened(path: string): Promise<WatchedPage> {
    const page = await browser.open(origin, { size: 'phone' })
    pages.push(page)
    page.on('request', (request) => {
      if (request.url().startsWith(origin)) sent.push(`${request.url()} ${request.postData()}`)
    })
    page.on('response', async (response) => {
      if (!response.url().endsWith('/step')) return
      const { clientSecret } = await response.json().catch(() => ({}))
      if (clientSecret !== undefined) secrets.push(clientSecret)
    })
    await page.goto(path)
    return page
  }

  async function type(page: Page, number: string): Promise<void> {
    await page.locator('#send:enabled').waitFor()
    await page.getByLabel('Card or account number').fill(number)
    await page.getByLabel('Expiration').fill('12 / 39')
    await page.getByLabel('CVC').fill('737')
    await page.getByLabel('Name on the card').fill('Grace Hopper')
  }

  const press = (page: Page) => page.getByRole('button', { name: /^Pay/ }).click()

  async function isShown(page: Page, title: string): Promise<void> {
    await page.getByRole('heading', { name: title }).waitFor({ timeout: 20_000 })
  }

  /** Opens a payment that the bank wants confirmed: the question is on the payment's own page. */
  async function asked(path: string): Promise<Page> {
    const page = await opened(path)
    await type(page, ASKED)
    await press(page)
    await page.getByText('is this payment yours?').waitFor({ timeout: 20_000 })
    expect(await page.locator('#asked').isVisible()).toBe(false)
    expect(await page.getByText('Your bank asks you to confirm this payment').isVisible()).toBe(
      true,
    )
    expect(await page.getByText('has not answered yet').isVisible()).toBe(false)
    return page
  }

  const statuses = async () =>
    (await transactionsOf(live.service, live.merchant)).map(({ status }) => status)

  it('pays through a link, on a page that says that it is a test', async () => {
    const page = await opened(await newLink(live.service, live.merchant))
    expect(await page.getByText('Test mode: no money moves').isVisible()).toBe(true)
    await type(page, GOOD)
    expect([await axeFaults(page), await isWiderThanScreen(page)]).toEqual([[], false])
    await press(page)
    await isShown(page, 'Paid')
    const [made] = await transactionsOf(live.service, live.merchant)
    expect(made).toMatchObject({ status: 'SUCCESS', total: 10, last_four: '4242' })
    expect(live.stripe.ledger().find(({ id }) => id === made.auth_id)).toMatchObject({
      amount: 10_00,
    })
    const refund = await live.post(`/transaction/${made.id}/void-or-refund`)
    expect(refund.body.status).toBe('SUCCESS')
  })

  it('is declined, and pays an amount of their own with another card', async () => {
    const before = (await statuses()).length
    const page = await opened(await newLink(live.service, live.merchant, { amount: null }))
    await page.locator('#amount').fill('23,50')
    await expect.poll(() => page.locator('#hosted > div').getAttribute('data-amount')).toBe('2350')
    await type(page, DECLINED)
    await press(page)
    await isShown(page, 'Your payment did not go through')
    await page.getByRole('link', { name: 'Try again' }).click()
    await type(page, GOOD)
    await press(page)
    await isShown(page, 'Paid')
    expect((await statuses()).slice(0, -before)).toEqual(['SUCCESS', 'FAILED'])
  })

  it('sees beside the field that a number is wrong, and is not charged', async () => {
    const before = await statuses()
    const page = await opened(await newLink(live.service, live.merchant))
    await type(page, '4242')
    await press(page)
    await page.locator('#said', { hasText: 'Your card number is invalid.' }).waitFor()
    expect(await statuses()).toEqual(before)
    await page.getByLabel('Card or account number').fill(GOOD)
    await press(page)
    await isShown(page, 'Paid')
  })

  it('pays a bill by a double click once', async () => {
    const { path } = await newBill(live.service, live.merchant)
    const before = (await statuses()).length
    const page = await opened(path)
    await type(page, GOOD)
    await page.getByRole('button', { name: /^Pay/ }).dblclick()
    await isShown(page, 'Paid')
    expect((await statuses()).length).toBe(before + 1)
    await page.goto(path)
    await isShown(page, 'This invoice is paid')
  })

  it('confirms to the bank on the page of the payment', async () => {
    const page = await asked(await newLink(live.service, live.merchant))
    await page.getByRole('button', { name: 'Complete' }).click()
    await isShown(page, 'Paid')
  })

  it('is not charged if the bank rejects the confirmation', async () => {
    const page = await asked(await newLink(live.service, live.merchant))
    await page.getByRole('button', { name: 'Fail' }).click()
    await isShown(page, 'Your payment did not go through')
    const [made] = await transactionsOf(live.service, live.merchant)
    expect(made).toMatchObject({ status: 'FAILED', decline_code: 'authentication_required' })
    const [move] = live.stripe.ledger().filter(({ id }) => id === made.auth_id)
    expect(move?.state).toBe('canceled')
  })

  it('is asked to confirm though Stripe did not answer the page at first, and no secret is logged', async () => {
    const page = await opened(await newLink(live.service, live.merchant))
    await type(page, ASKED)
    let cuts = 2
    live.stripe.fault(({ method, path }) =>
      method === 'GET' && path.startsWith('/v1/payment_intents/') && cuts-- > 0
        ? { kind: 'reset in the body', isExecuted: true }
        : undefined,
    )
    await press(page)
    await page.getByRole('button', { name: 'Complete' }).click({ timeout: 20_000 })
    await isShown(page, 'Paid')
    live.stripe.fault()
    expect(cuts).toBeLessThan(1)
    // The browser's console reports the answers of the service that Stripe withheld.
    pages.splice(pages.indexOf(page), 1)
  })

  it('closes the question, loads the page again, and confirms then', async () => {
    const page = await asked(await newLink(live.service, live.merchant))
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Your bank has not confirmed this payment yet').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Complete' }).click()
    await isShown(page, 'Paid')
  })

  it('sees that a debit takes days, and that it is paid once the bank has said so', async () => {
    const page = await opened(await newLink(live.service, live.merchant))
    await type(page, BANK)
    await press(page)
    await isShown(page, 'Payment in progress')
    await page.getByText('takes several days').waitFor()
    await page.reload()
    await isShown(page, 'Payment in progress')
  })

  it('is told at once of a bank account that only small deposits could verify', async () => {
    const before = (await statuses()).length
    const page = await opened(await newLink(live.service, live.merchant))
    await type(page, UNVERIFIED)
    await press(page)
    await page.getByText('This bank cannot be reached').first().waitFor()
    expect(await statuses()).toHaveLength(before)
    await type(page, GOOD)
    await press(page)
    await isShown(page, 'Paid')
  })

  it('is told that the script was blocked, and cannot pay', async () => {
    const page = await opened('/healthz')
    await page.route(`${live.stripe.url}/**`, (route) => route.abort('blockedbyclient'))
    await page.goto(await newLink(live.service, live.merchant))
    await page.locator('#said', { hasText: 'You were not charged' }).waitFor()
    expect(await page.locator('#send').isDisabled()).toBe(true)
  })

  it('whose link is deleted meanwhile is told so, and not charged', async () => {
    const before = await statuses()
    const path = await newLink(live.service, live.merchant)
    const page = await opened(path)
    await type(page, GOOD)
    const url = `/query/payment-links/${path.slice(5)}`
    await call(live.service.app, 'DELETE', url, live.merchant.headers)
    await press(page)
    await isShown(page, 'This payment page is gone')
    expect(await statuses()).toEqual(before)
  })

  it('pays into the connected account of a merchant', async () => {
    await live.service.world.db.query('UPDATE account SET gateway_account = $1', ['acct_1Shop'])
    const page = await opened(await newLink(live.service, live.merchant))
    await type(page, GOOD)
    await press(page)
    await isShown(page, 'Paid')
    const asked = await opened(await newLink(live.service, live.merchant))
    await type(asked, ASKED)
    await press(asked)
    await asked.getByRole('button', { name: 'Complete' }).click({ timeout: 20_000 })
    await isShown(asked, 'Paid')
    const paid = live.stripe.ledger('acct_1Shop').filter(({ kind }) => kind === 'payment')
    expect(paid.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
  })

  it("has met no error of a page, and no host except the gateway's", () => {
    expect(pages.length).toBeGreaterThan(8)
    const { url } = live.stripe
    const isOnPurpose = (fault: string) =>
      fault.startsWith(`asked elsewhere: ${url}/v3/`) ||
      /status of 400|410 \(Gone\)|ERR_BLOCKED_BY_CLIENT/.test(fault)
    const faults = pages.flatMap((page) => page.faults())
    expect(faults.filter((fault) => !isOnPurpose(fault))).toEqual([])
  })

  it('typed no card number that reached this service, and left no secret in it', async () => {
    await expect.poll(() => secrets.length).toBeGreaterThan(2)
    const rows = await live.service.world.db.query(
      `SELECT row_to_json(t)::text AS row FROM transaction t
       UNION ALL SELECT row_to_json(m)::text FROM payment_method m
       UNION ALL SELECT row_to_json(k)::text FROM idempotency k
       UNION ALL SELECT row_to_json(e)::text FROM event e`,
    )
    const jobs = await live.service.world.queues.queue('doubt').getJobs()
    const everywhere = [
      ...lines,
      ...sent,
      ...rows.map(({ row }) => row),
      JSON.stringify(jobs.map(({ data }) => data)),
    ].join('\n')
    expect(everywhere).toContain('4242')
    for (const number of [GOOD, DECLINED, ASKED, BANK]) {
      expect(everywhere).not.toContain(number)
      expect(everywhere).not.toContain(number.replace(/ /g, ''))
    }
    expect(everywhere).not.toMatch(/_secret_/)
    expect(lines.join('\n')).not.toMatch(/\b(?:pm|cus|ctoken)_[A-Za-z0-9]{6,}/)
  })
})
