// The pages of endpoints, deliveries and events in a browser, on a desk and on a phone, and the
// number of clicks to add and test an endpoint.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  hasChromium,
  isWiderThanScreen,
  openBrowser,
  serveService,
  type TestBrowser,
} from '../support/browser.ts'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { signIn } from '../support/operator.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'
import { deskOf, openWebhookService } from '../support/webhooks.ts'

const LONG = `https://shop.example/${'a-path-that-never-ends'.repeat(12)}`

const NARROWEST = { width: 320, height: 640 }

describe.skipIf(!hasChromium)('in a browser', { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser
  let receiver: Receiver
  let origin: string
  let cookie: string
  let merchant: Merchant
  let paths: readonly string[]

  beforeAll(async () => {
    service = await openWebhookService({ queues: ['webhook'] })
    origin = await serveService(service)
    browser = await openBrowser()
    receiver = await openReceiver()
    cookie = (await signIn(service.world)).cookie
    merchant = await service.merchant()
    const { accountId, teamId } = merchant
    const endpoint = await deskOf(service, merchant).made({ target_url: receiver.url })
    await service.world.db.query('UPDATE webhook SET target_url = $2 WHERE id = $1', [
      endpoint.id,
      LONG,
    ])
    await call(service.app, 'POST', '/customer', merchant.headers, { firstname: 'Ada' })
    const [failed] = await insertDeliveries(service, accountId, 1, {
      status: 'parked',
      recipient: `${'ada'.repeat(80)}@example.com`,
    })
    const [row] = await service.world.db.query(
      'SELECT id, subject_id FROM delivery WHERE lane = $1',
      [endpoint.id],
    )
    paths = [
      '/admin/endpoints',
      `/admin/endpoints/new?team=${teamId}`,
      `/admin/endpoints/${accountId}/${endpoint.id}`,
      '/admin/deliveries',
      '/admin/deliveries?state=failed&channel=email',
      `/admin/deliveries/${accountId}/${row?.id}`,
      `/admin/deliveries/${accountId}/${failed}`,
      '/admin/events',
      `/admin/events/${accountId}/${row?.subject_id}`,
    ]
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await service.close()
    await receiver.close()
  })

  it.each([
    ['desk', 'light'],
    ['phone', 'dark'],
  ] as const)('each page is free of faults (%s, %s)', async (size, scheme) => {
    const page = await browser.open(origin, { size, scheme, cookie })
    if (size === 'phone') await page.setViewportSize(NARROWEST)
    for (const path of paths) {
      const answer = await page.goto(path)
      expect([path, answer?.status()]).toEqual([path, 200])
      expect([path, (await answer?.body())?.length ?? 0]).toEqual([path, expect.any(Number)])
      expect((await answer?.body())?.length ?? 0).toBeLessThan(120_000)
      for (const details of await page.locator('main details > summary').all()) {
        await details.click()
      }
      expect([path, await axeFaults(page)]).toEqual([path, []])
      expect([path, await isWiderThanScreen(page)]).toEqual([path, false])
      expect([path, page.faults()]).toEqual([path, []])
    }
  })

  it('an endpoint is added and tested with four clicks, without scripts', async () => {
    const page = await browser.open(origin, { cookie, javaScript: false })
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Webhook endpoints', exact: true }).click()
    await page.getByRole('link', { name: 'Add an endpoint' }).click()
    await page.getByLabel('Team').fill(merchant.teamId)
    await page.getByLabel('Mode').selectOption('sandbox')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    expect(await page.locator('#endpoint-secret').textContent()).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('The test event was answered 200.').waitFor()
  })
})
