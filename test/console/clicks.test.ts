// The number of clicks for an operator's usual tasks, from the first page to the answer. Enter in a
// field counts as a click; opening the menu on a phone counts as one more. What is made by a form is
// made without scripts too.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '../../src/core/reference.ts'
import { DAY } from '../../src/core/time-units.ts'
import { takeIntoBatch } from '../support/batch.ts'
import {
  axeFaults,
  hasChromium,
  isWiderThanScreen,
  type Look,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { insertWork } from '../support/heartbeats.ts'
import { signIn } from '../support/operator.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { CARD, DECLINED_CARD } from '../support/sandbox-cards.ts'
import { PATH as SCHEDULES } from '../support/schedules.ts'
import { call, GOOD_CARD, type Merchant, type TestService } from '../support/test-service.ts'
import { insertEventSeries, openWebhookService, webhooksOf } from '../support/webhooks.ts'

const WINDOWS = [
  { size: 'desk' },
  { size: 'phone' },
  { size: 'phone', javaScript: false },
] as const satisfies readonly Look[]

/** They are tried without scripts as well. */
const BY_FORM = ['adds a webhook', 'makes a payment link', 'makes an invoice']

type Hand = Awaited<ReturnType<typeof handOn>>

/** Counts the clicks on a page. */
function handOn(page: WatchedPage, isPhone: boolean) {
  let clicks = 0
  const main = page.locator('main')
  return {
    page,
    clicks: () => clicks,
    async click(name: string | RegExp, role: 'link' | 'button' = 'link', within = main) {
      clicks += 1
      await within.getByRole(role, { name }).first().click()
    },
    /** On a phone the filters open on request. */
    async showFilters() {
      if (isPhone) await main.getByRole('button', { name: 'Filters' }).click()
    },
    async choose(label: string, value: string) {
      await main.getByLabel(label).first().selectOption(value)
    },
    async find(text: string) {
      clicks += 1
      await page.locator('#find').fill(text)
      await page.locator('#find').press('Enter')
      await page.waitForURL((url) => url.pathname !== '/admin')
    },
    async open(place: string) {
      if (isPhone) {
        const menu = page.getByRole('button', { name: 'Menu' })
        if (await menu.isVisible()) await menu.click()
      }
      clicks += 1
      await page.locator('nav').getByRole('link', { name: place, exact: true }).click()
      await page.waitForURL((url) => url.pathname !== '/admin')
    },
    async fill(label: string | RegExp, text: string) {
      await main.getByLabel(label).first().fill(text)
    },
    async sees(text: string | RegExp) {
      await main.getByText(text).first().waitFor()
    },
  }
}

describe.skipIf(!hasChromium)('an operator', { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser
  let origin: string
  /** They stay open: a new one costs as much CPU as the pages that a task opens in it. */
  const windows: { readonly page: WatchedPage; readonly look: Look }[] = []
  let receiver: Receiver
  let merchant: Merchant
  let failed: string
  let settled: readonly string[]
  let teamName: string

  beforeAll(async () => {
    service = await openWebhookService({ queues: ['charge', 'refund', 'webhook'] })
    origin = await serveService(service)
    browser = await openBrowser()
    receiver = await openReceiver()
    merchant = await service.merchant()
    const { db } = service.world
    const team = await db.prisma.team.findUniqueOrThrow({ where: { id: merchant.teamId } })
    teamName = team.name
    failed = (await paid('failing@example.com', DECLINED_CARD)).id
    settled = [(await paid('ada@example.com')).id, (await paid('ada@example.com')).id]
    await takeIntoBatch(service, settled)
    await paid('seen@example.com', GOOD_CARD, {}, { 'x-request-id': 'seen-by-an-operator' })
    const { headers } = merchant
    await call(service.app, 'POST', `/transaction/${settled[0]}/refund`, headers, { total: 9_999 })
    await schedule()
    const { cookie } = await signIn(service.world)
    for (const look of WINDOWS) {
      const page = await browser.open(origin, { ...look, cookie })
      page.on('dialog', (dialog) => void dialog.accept())
      windows.push({ page, look })
    }
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await service.close()
    await receiver.close()
  })

  const KEPT = 'SELECT FROM recent_request WHERE subject_id = $1 AND status >= 400'

  const NEWEST_EVENTS = 'SELECT id FROM event WHERE account_id = $1 ORDER BY id DESC LIMIT 3'

  async function failWebhooks(): Promise<void> {
    const { accountId } = merchant
    await insertEventSeries(service, accountId, { count: 3, from: service.world.clock.now() })
    const rows = await service.world.db.query(NEWEST_EVENTS, [accountId])
    const subjects = rows.map(({ id }) => id)
    const endpoint: string = (await webhooksOf(service, merchant).made()).id
    const fields = { channel: 'webhook', status: 'parked', endpoint, subjects } as const
    await insertDeliveries(service, accountId, subjects.length, fields)
  }

  async function paid(email: string, card_number = GOOD_CARD, more: object = {}, headers = {}) {
    const person = { firstname: 'Ada', lastname: 'Byron', email }
    const customer = await call(service.app, 'POST', '/customer', merchant.headers, person)
    const card = { ...CARD, customer_id: customer.body.id, card_number }
    const method = await call(service.app, 'POST', '/payment-method', merchant.headers, card)
    const body = { total: 45, payment_method_id: method.body.id, ...more }
    const by = { ...merchant, headers: { ...merchant.headers, ...headers } }
    return (await service.charge(by, body)).body
  }

  async function schedule(): Promise<void> {
    const { body } = await call(service.app, 'GET', `/transaction/${settled[0]}`, merchant.headers)
    const tomorrow = new Date(service.world.clock.now().getTime() + DAY / 2)
    const made = await call(service.app, 'POST', SCHEDULES, merchant.headers, {
      customer_id: body.customer_id,
      payment_method_id: body.payment_method_id,
      total: 80,
      rule: 'FREQ=MONTHLY;COUNT=3',
      start: tomorrow.toISOString(),
      meta: {},
    })
    expect([made.status, made.text.slice(0, 300)]).toEqual([200, expect.any(String)])
  }

  const TASKS: readonly [task: string, most: number, act: (hand: Hand) => Promise<void>][] = [
    [
      'finds a failed payment by the e-mail address of its payer',
      3,
      async (hand) => {
        await hand.find('failing@example.com')
        await hand.click(referenceOf(failed))
        await hand.sees('FAILED')
      },
    ],
    [
      'finds a payment by the number of its receipt',
      2,
      async (hand) => {
        await hand.find(`Receipt no. ${referenceOf(settled[0] ?? '')}`)
        await hand.sees('What happened')
      },
    ],
    [
      'reads why a refund was refused',
      3,
      async (hand) => {
        const kept = async () => (await service.world.db.query(KEPT, [settled[0]])).length
        await expect.poll(kept).toBe(1)
        await hand.find(referenceOf(settled[0] ?? ''))
        await hand.sees('Request refused: POST /transaction/…/refund')
        await hand.sees(/Total .*45/)
      },
    ],
    [
      'reads what runs tomorrow, with its sum',
      2,
      async (hand) => {
        await hand.open('Schedules')
        await hand.sees('$80.00')
      },
    ],
    [
      'sends the failed webhooks of a team again',
      3,
      async (hand) => {
        await failWebhooks()
        await hand.open('Deliveries')
        await hand.showFilters()
        await hand.choose('State', 'failed')
        await hand.choose('Channel', 'webhook')
        await hand.fill('Team', merchant.teamId)
        await hand.click('Search', 'button')
        await hand.click(/again/, 'button')
        await hand.sees(/queued for retry/)
      },
    ],
    [
      'rolls a key',
      4,
      async (hand) => {
        await hand.open('Teams and keys')
        await hand.click(teamName)
        await hand.click(/^Change/)
        await hand.click('Roll key', 'button')
        await hand.sees('Copy the key now.')
        // A key is rolled once, and the next hand takes this one too.
        await service.world.db.query('UPDATE api_key SET rolled_to = NULL')
      },
    ],
    [
      'freezes a team',
      3,
      async (hand) => {
        await hand.open('Teams and keys')
        await hand.click(teamName)
        const card = hand.page.getByRole('region', { name: 'Payments', exact: true })
        await card.getByLabel('Status').selectOption('inactive')
        await hand.click('Save', 'button', card)
        await hand.sees('Saved.')
        await service.world.db.query("UPDATE team SET status = 'active' WHERE id = $1", [
          merchant.teamId,
        ])
      },
    ],
    [
      'saves the transactions of a batch as CSV',
      3,
      async (hand) => {
        await hand.open('Batches')
        await hand.click(/^[0-9A-Z]{12}$|^\d{4}-\d\d-\d\d$/)
        const [file] = await Promise.all([
          hand.page.waitForEvent('download'),
          hand.click('Download CSV'),
        ])
        expect(file.suggestedFilename()).toMatch(/^batch-.*\.csv$/)
      },
    ],
    [
      'saves a list of transactions as CSV',
      3,
      async (hand) => {
        await hand.open('Transactions')
        const [file] = await Promise.all([
          hand.page.waitForEvent('download'),
          hand.click('Download CSV'),
        ])
        expect(file.suggestedFilename()).toMatch(/\.csv$/)
      },
    ],
    [
      'refunds a part of a payment',
      3,
      async (hand) => {
        await hand.find(referenceOf(settled[1] ?? ''))
        await hand.fill('Amount', '5')
        await hand.click('Refund', 'button')
        await hand.sees('Refund of $5.00')
      },
    ],
    [
      'captures a part of an authorization',
      3,
      async (hand) => {
        const { id } = await paid('pre@example.com', GOOD_CARD, { pre_auth: true })
        await hand.find(referenceOf(id))
        await hand.fill('Amount', '30')
        await hand.click('Capture', 'button')
        await hand.sees('Capture of $30.00')
      },
    ],
    [
      'adds a webhook endpoint and tests it',
      4,
      async (hand) => {
        await hand.open('Webhook endpoints')
        await hand.click('Add an endpoint')
        await hand.fill('Team', merchant.teamId)
        await hand.choose('Mode', 'sandbox')
        await hand.fill('Address', receiver.url)
        await hand.click('Add endpoint', 'button')
        await hand.click('Send test event', 'button')
        await hand.sees('The test event was answered 200.')
      },
    ],
    [
      'makes a payment link',
      4,
      async (hand) => {
        await hand.open('Payment links')
        await hand.click('New payment link')
        await hand.fill('Team', merchant.teamId)
        await hand.choose('Mode', 'sandbox')
        await hand.fill(/^Name/, 'Coffee')
        await hand.click('Create payment link', 'button')
        await hand.sees('The payment link is made.')
        const code = hand.page.getByRole('img', { name: 'QR code of the address' })
        expect(await code.isVisible()).toBe(true)
      },
    ],
    [
      'makes an invoice and sends it',
      5,
      async (hand) => {
        await hand.open('Invoices')
        await hand.click('New invoice')
        await hand.click('Ada Byron')
        await hand.fill('Item 1', 'Beans')
        await hand.fill('Price of one', '12.50')
        await hand.click('Create and send by e-mail', 'button')
        await hand.sees('The invoice is queued for')
      },
    ],
    [
      'sees which worker is slow',
      2,
      async (hand) => {
        const at = service.world.clock.now()
        const queues = (runSeconds: number) => ({
          charge: { rows: 100, failed: 0, jobs: 50, runSeconds, waitSeconds: 0 },
        })
        for (const [process, seconds] of [
          ['quick-1', 1],
          ['quick-2', 1],
          ['lame-3', 90],
        ] as const) {
          const work = { process, span: 'minute', at, queues: queues(seconds) }
          await insertWork(service.world, work)
        }
        await hand.open('Workers')
        const row = hand.page.locator('main tr').filter({ hasText: 'lame-3' })
        await row.getByText('slow').waitFor()
      },
    ],
    [
      'sees what a request did',
      2,
      async (hand) => {
        await hand.find('seen-by-an-operator')
        await hand.sees('What happened')
      },
    ],
  ]

  it.each(TASKS)('%s, in %i clicks', async (task, most, act) => {
    const isByForm = BY_FORM.some((one) => task.startsWith(one))
    for (const { page, look } of windows) {
      const { size, javaScript = true } = look
      if (!javaScript && !isByForm) continue
      await page.goto('/admin')
      const hand = handOn(page, size === 'phone')
      await act(hand)
      expect(hand.clicks()).toBeLessThanOrEqual(most)
      expect(page.faults()).toEqual([])
      if (size === 'desk') expect(await axeFaults(page)).toEqual([])
      else expect(await isWiderThanScreen(page)).toBe(false)
    }
  })
})
