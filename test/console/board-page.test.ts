// The board as people use it: its own page, in a browser, under our rules.

import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openBrowser, serveService, type TestBrowser } from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const HOSTILE = '<script>window.hacked=1</script><img src=x onerror=window.hacked=1>'

describe.skipIf(!hasChromium)("the board's page", { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    browser = await openBrowser()
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  it('has failed jobs tried again by a click, and asks no other host for anything', async () => {
    const { queues } = service.world
    let isBroken = true
    const worker = queues.work('email', async () => {
      if (isBroken) throw new Error(HOSTILE)
    })
    const failed = once(worker, 'failed')
    await queues.queue('email').add(HOSTILE, { items: [] }, { attempts: 1, jobId: 'letter' })
    await failed

    const { cookie } = await signIn(service.world)
    const page = await browser.open(await serveService(service), { cookie })
    await page.goto('/admin/queues/queue/email?status=failed')
    await page.getByText('window.hacked').first().waitFor()
    expect(await page.title()).toBe('Lamplighter')
    isBroken = false
    const done = once(worker, 'completed')
    await page.getByRole('button', { name: 'Retry all' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await done

    const entry = await service.world.db.prisma.auditEntry.findFirst({ orderBy: { id: 'desc' } })
    expect(entry).toMatchObject({
      action: 'jobs retried',
      subject: 'email',
      detail: { status: 'failed' },
    })
    expect(await page.evaluate("'hacked' in window")).toBe(false)
    expect(page.faults()).toEqual([])
  })
})
