// The tests' own browser reports a fault if there is one.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  hasChromium,
  openBrowser,
  serveService,
  type TestBrowser,
} from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

describe.skipIf(!hasChromium)('the browser of the tests', () => {
  let service: TestService
  let origin: string
  let browser: TestBrowser

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    origin = await serveService(service)
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  it('is signed in by a cookie, and reports no fault of a good page', async () => {
    const page = await browser.open(origin, { cookie: (await signIn(service.world)).cookie })
    await page.goto('/admin/audit')
    expect(await page.locator('h1').textContent()).toBe('Audit')
    expect(await axeFaults(page)).toEqual([])
    expect(page.faults()).toEqual([])
  })

  it('reports a script that the rules refuse, a failing one, and a request to another host', async () => {
    const page = await browser.open(origin)
    await page.goto('/admin/sign-in')
    await page.evaluate(`
      const add = (name, of) => document.body.append(Object.assign(document.createElement(name), of))
      add('script', { textContent: 'window.wasRun = true' })
      add('img', { src: 'http://elsewhere.example/x.png' })
      setTimeout(() => { throw new Error('on purpose') })
    `)
    for (const fault of ['script failed: on purpose', 'asked elsewhere: ', 'inline script']) {
      await expect.poll(() => page.faults().join('\n')).toContain(fault)
    }
    expect(await page.evaluate('window.wasRun')).toBe(undefined)
  })

  it('reports text that cannot be read', async () => {
    const page = await browser.open(origin, { size: 'phone', scheme: 'dark' })
    await page.goto('/admin/sign-in')
    expect(await axeFaults(page)).toEqual([])
    await page.evaluate(`document.body.append(document.createElement('button'))`)
    expect((await axeFaults(page)).join('\n')).toContain('button-name')
  })
})
