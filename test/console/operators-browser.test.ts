// In a browser, an admin adds an operator, who chooses a password, signs in, and sets up a second
// factor; and an operator with the role to view sees which forms are disabled.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  faultsInEachLook,
  hasChromium,
  type Look,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { codeAt, newPerson, OWN_PASSWORD, sessionOf } from '../support/persons.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const MOST_BYTES = 120_000

describe.skipIf(!hasChromium)('in a browser', { timeout: 60_000 }, () => {
  let service: TestService
  let browser: TestBrowser
  let origin: string
  let aheadMs = 0

  beforeAll(async () => {
    service = await openTestService({
      queues: [],
      clock: { now: () => new Date(Date.now() + aheadMs) },
    })
    origin = await serveService(service)
    browser = await openBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  async function expectDecent(page: WatchedPage, { javaScript = true }: Look): Promise<void> {
    // Each check runs a script in the page.
    if (javaScript) expect(await faultsInEachLook(page)).toEqual([])
    expect((await page.content()).length).toBeLessThan(MOST_BYTES)
    expect(page.faults()).toEqual([])
  }

  const LOOKS: readonly Look[] = [{ size: 'desk' }, { size: 'phone', javaScript: false }]

  it.each(LOOKS)(
    'an operator is added, chooses a password and a second factor (%j)',
    async (look) => {
      const { cookie } = await signIn(service.world)
      const admin = await browser.open(origin, { ...look, cookie })
      await admin.goto('/admin/operators')
      await admin.getByRole('link', { name: 'New operator' }).click()
      const name = `Grace ${'Hopper-'.repeat(5)}${LOOKS.indexOf(look)}`
      await admin.getByLabel(/^Name/).fill(name)
      await admin.getByLabel('Role').selectOption('operate')
      await admin.getByRole('button', { name: 'Add operator' }).click()
      await expectDecent(admin, look)
      const link = await admin.locator('#password-link').innerText()

      const own = await browser.open(origin, look)
      await own.goto(new URL(link).pathname + new URL(link).search)
      await expectDecent(own, look)
      await own.getByLabel('New password').fill(OWN_PASSWORD)
      await own.getByRole('button', { name: 'Set password' }).click()
      await enter(own, name)
      await own.goto('/admin/me')
      await own.getByRole('link', { name: 'Set up second factor' }).click()
      await expectDecent(own, look)
      const secret = await own.locator('#totp-secret').innerText()
      await own.getByLabel(/^Code/).fill(codeAt(secret, service.world.clock.now()))
      await own.getByLabel('Current password').fill(OWN_PASSWORD)
      await own.getByRole('button', { name: 'Turn on' }).click()
      await own.getByText('The second factor is on.').waitFor()

      aheadMs += 60_000
      const again = await browser.open(origin, look)
      await again.goto('/admin/sign-in')
      await expectDecent(again, look)
      await enter(again, name, codeAt(secret, service.world.clock.now()))
      await admin.goto('/admin/operators')
      await admin.getByRole('link', { name }).click()
      await expectDecent(admin, look)
    },
  )

  async function enter(page: WatchedPage, name: string, code?: string): Promise<void> {
    // The page is there for this: one can type at once.
    await page.locator('input[name=name]:focus').waitFor()
    await page.keyboard.type(name)
    await page.getByLabel('Password').fill(OWN_PASSWORD)
    if (code !== undefined) await page.getByLabel(/^Code/).fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/admin')
  }

  it('an operator with the role to view finds no form that can be sent', async () => {
    const person = await newPerson(service.world, 'view')
    const { cookie } = await sessionOf(service.world, person)
    const page = await browser.open(origin, { cookie })
    for (const path of ['/admin/teams/new', '/admin/operators/new', '/admin/links/new']) {
      await page.goto(path)
      await expectDecent(page, {})
      await expect(page.locator('main form[method=post]').count()).resolves.toBe(0)
      expect(await page.locator('main fieldset:disabled button').count()).toBeGreaterThan(0)
    }
  })
})
