// The board's own page, used in a browser under our content rules.

import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EASTERN } from '../../src/core/business-day.ts'
import {
  axeFaults,
  hasChromium,
  openBrowser,
  serveService,
  type TestBrowser,
} from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const HOSTILE = '<script>window.hacked=1</script><img src=x onerror=window.hacked=1>'

describe.skipIf(!hasChromium)("the board's page", { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser
  let origin: string
  let cookie: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    browser = await openBrowser()
    origin = await serveService(service)
    cookie = (await signIn(service.world)).cookie
  }, 60_000)

  async function opened(path: string, size: 'desk' | 'phone' = 'desk') {
    const page = await browser.open(origin, { cookie, size })
    await page.goto(path)
    return page
  }

  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  it('leads back to the console', async () => {
    for (const size of ['desk', 'phone'] as const) {
      const page = await opened('/admin/queues/queue/charge', size)
      await page.getByRole('link', { name: 'Back to the Console' }).click()
      await page.waitForURL('**/admin')
      expect(page.faults()).toEqual([])
    }
  })

  it('names every button, and passes the accessibility rules', async () => {
    await service.world.queues.keepSchedulers([{ time: '20:00', zone: EASTERN }])
    await service.world.queues.queue('sms').add('sms', { items: [] }, { delay: 3_600_000 })
    for (const path of ['', '/queue/sms?status=delayed', '/job-schedulers']) {
      const page = await opened(`/admin/queues${path}`)
      await page.getByRole('button', { name: 'Settings' }).waitFor()
      await page.locator('main').getByRole('button').first().waitFor()
      expect([path, await axeFaults(page)]).toEqual([path, []])
    }
  })

  it('offers only allowed actions', async () => {
    const page = await opened('/admin/queues/queue/sms?status=delayed')
    const promote = page.getByRole('button', { name: 'Promote', exact: true })
    await promote.waitFor()
    // The data, the time and copies of a job are not offered.
    const job = promote.locator('xpath=ancestor::ul[1]').getByRole('button')
    expect(await namesOf(job)).toEqual(['Promote', 'Remove'])
    await page.getByRole('button', { name: 'Actions on sms' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Pause', 'Empty'])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Queue info' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await page.getByRole('button', { name: /Set / }).count()).toBe(0)

    await page.goto('/admin/queues/job-schedulers')
    const row = page.getByRole('row').filter({ hasText: 'sweep' })
    await row.getByRole('button', { name: 'Run now' }).waitFor()
    expect(await row.getByRole('button', { name: /Edit|Remove/ }).count()).toBe(0)
    // A scheduler's next job goes only together with the scheduler.
    await page.goto('/admin/queues/queue/settlement?status=delayed')
    await page.getByRole('button', { name: 'Promote', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Remove', exact: true }).count()).toBe(0)
    expect(page.faults()).toEqual([])
  })

  it('says so at an unknown address', async () => {
    const page = await opened('/admin/queues/nowhere')
    expect(await page.locator('main').textContent()).toContain('There is no page at this address')
    await page.getByRole('link', { name: 'Open the queues' }).click()
    await page.getByRole('button', { name: 'Settings' }).waitFor()
    expect(page.faults()).toEqual([])
  })

  it('retries failed jobs at a click, and makes no request to another host', async () => {
    const { queues } = service.world
    let isBroken = true
    const worker = queues.work('email', async () => {
      if (isBroken) throw new Error(HOSTILE)
    })
    const failed = once(worker, 'failed')
    await queues.queue('email').add(HOSTILE, { items: [] }, { attempts: 1, jobId: 'letter' })
    await failed

    const page = await opened('/admin/queues/queue/email?status=failed')
    await page.getByText('window.hacked').first().waitFor()
    expect(await page.title()).toBe('Lamplighter')
    isBroken = false
    const done = once(worker, 'completed')
    await page.getByRole('button', { name: 'Retry all' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await done

    // The job may be done before the board has answered.
    const lastEntry = () =>
      service.world.db.prisma.auditEntry.findFirst({ orderBy: { id: 'desc' } })
    await expect
      .poll(lastEntry)
      .toMatchObject({ action: 'jobs retried', subject: 'email', detail: { status: 'failed' } })
    expect(await page.evaluate("'hacked' in window")).toBe(false)
    expect(page.faults()).toEqual([])
  })
})

type Found = ReturnType<Awaited<ReturnType<TestBrowser['open']>>['locator']>

async function namesOf(buttons: Found): Promise<readonly (string | null)[]> {
  return Promise.all((await buttons.all()).map((one) => one.getAttribute('aria-label')))
}
