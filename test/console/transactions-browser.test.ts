// In a browser, an operator finds a charge, reads its history, refunds a part and sees the refund;
// copies a key; and reads a message that was not sent.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dollarText } from '../../src/console/parts/shown.tsx'
import { typedAmount } from '../../src/console/parts/typed.ts'
import { AMOUNT_FAULT } from '../../src/console/transactions/search.ts'
import { takeIntoBatch } from '../support/batch.ts'
import {
  axeFaults,
  hasChromium,
  isWiderThanScreen,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const AMOUNTS = [
  ...['10', '10.5', ' $1,000 ', '$ 1,234,567.8', '99999999.99', '0.01', '1000'],
  ...['1,00', '10,5', '0', '0.00', '1.234', '007', '-5', '1e3', '100000000', '٣', '1.', 'ten'],
]

describe.skipIf(!hasChromium)('in a browser', { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser
  let origin: string
  let cookie: string
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: ['charge', 'refund', 'doubt', 'email', 'sweep'] })
    origin = await serveService(service)
    browser = await openBrowser()
    cookie = (await signIn(service.world)).cookie
    merchant = await service.merchant()
    await service.world.db.prisma.account.update({
      where: { id: merchant.accountId },
      data: { autoReceipts: ['email'] },
    })
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  async function charged(lastname: string): Promise<string> {
    const person = { firstname: 'Ada', lastname, email: 'ada@example.com' }
    const customer = await call(service.app, 'POST', '/customer', merchant.headers, person)
    const card = await call(service.app, 'POST', '/payment-method', merchant.headers, {
      customer_id: customer.body.id,
      method: 'card',
      person_name: `Ada ${lastname}`,
      card_number: '4111111111111111',
      card_cvv: '123',
      card_exp: '1239',
    })
    const body = { total: 12.5, payment_method_id: card.body.id }
    const { body: made } = await service.charge(merchant, body)
    await takeIntoBatch(service, [made.id])
    return made.id
  }

  async function expectDecent(page: WatchedPage): Promise<void> {
    expect(await axeFaults(page)).toEqual([])
    expect(await isWiderThanScreen(page)).toBe(false)
    expect(page.faults()).toEqual([])
  }

  it('a charge is found, read and refunded on a phone', async () => {
    await charged('Byron')
    const page = await browser.open(origin, { size: 'phone', scheme: 'dark', cookie })
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto('/admin/transactions')
    // The list comes first; the filters and the menu open over it.
    const { y = 9_999 } = (await page.locator('tbody tr').first().boundingBox()) ?? {}
    expect(y).toBeLessThan(400)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Transactions' }).click()
    await page.getByRole('button', { name: 'Filters' }).click()
    await expectDecent(page)
    await page.getByLabel('Search', { exact: false }).first().fill('Ada Byron')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.locator('tbody tr a').first().click()
    await page.waitForURL(/\/transactions\/[^/]+\/[^/]+$/)
    await page.getByText('Event payload').first().click()
    expect(await page.locator('.timeline pre').first().isVisible()).toBe(true)
    await page.locator('input[name=total]').fill('2.50')
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByText('Refund of $2.50 ·').waitFor()
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await expect.poll(() => page.locator('h1').textContent()).toBe('Refund of $2.50')
    await expectDecent(page)
  })

  it('a form with a confirmation is not sent if the answer is no', async () => {
    const id = await charged('Hopper')
    const page = await browser.open(origin, { cookie })
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await page.goto(`/admin/transactions/${merchant.accountId}/${id}`)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    expect(questions).toEqual([expect.stringMatching(/^Refund \$12\.50 to Ada Hopper, .*··1111\?/)])
    // The question has the amount as the service reads it; there is none about what is no amount.
    const field = page.locator('input[name=total]')
    for (const typed of AMOUNTS) {
      await field.fill(typed)
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      const message = await field.evaluate((input) => (input as HTMLInputElement).validationMessage)
      const [, asked] = /^Refund (\S+) to/.exec(questions.splice(0).at(-1) ?? '') ?? []
      const cents = typedAmount(typed)
      const expected = cents === undefined ? AMOUNT_FAULT : dollarText(cents)
      expect([typed, asked ?? message]).toEqual([typed, expected])
    }
    const [row] = await service.world.db.query('SELECT children FROM transaction WHERE id = $1', [
      id,
    ])
    expect(row?.children).toBe(0)
  })

  it('a message is shown in its frame, on a phone too', async () => {
    await charged('Vaughan')
    const count = () => service.world.db.prisma.outboxMessage.count({ where: { channel: 'email' } })
    await expect.poll(count).toBeGreaterThan(0)
    const page = await browser.open(origin, { size: 'phone', cookie })
    await page.goto('/admin/outbox')
    await page.locator('tbody a').first().click()
    const letter = page.frameLocator('iframe.letter')
    await expect.poll(() => letter.locator('body').innerText()).toContain('$12.50')
    expect(page.faults()).toEqual([])
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  it('a key is made and copied', async () => {
    const page = await browser.open(origin, { cookie })
    await page.goto(`/admin/teams/${merchant.teamId}`)
    await page.locator('input[name=key_name]').fill('till')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: /Copied|Selected/ }).waitFor()
    await expectDecent(page)
  })
})
