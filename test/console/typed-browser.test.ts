// What an operator has typed is kept if the session ends meanwhile.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, type WatchedPage } from '../support/browser.ts'
import { type ConsoleBrowser, openConsole } from '../support/console-browser.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const PASSWORD = 'lamps are lit at dusk'

describe.skipIf(!hasChromium)('in a browser', { timeout: 120_000 }, () => {
  let service: TestService
  let merchant: Merchant
  let browser: ConsoleBrowser

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { ADMIN_PASSWORD: PASSWORD } })
    merchant = await service.merchant()
    browser = await openConsole(service)
  }, 120_000)
  afterAll(() => browser?.close())

  /** Saves the form of the team after the session has ended, and signs in again. */
  async function savedTooLate(name: string): Promise<WatchedPage> {
    const page = await browser.open(`/admin/teams/${merchant.teamId}`)
    const form = page.locator('form[action$="/team"]')
    await form.getByLabel('E-mail').fill('typed@shop.example')
    await form.getByLabel('Split funding').check()
    await service.world.db.query('DELETE FROM operator_session', [])
    const others = "UPDATE team SET name = 'Changed meanwhile' WHERE id = $1"
    await service.world.db.query(others, [merchant.teamId])
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your session is over').waitFor()
    await page.getByLabel('Your name').fill(name)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`**/admin/teams/${merchant.teamId}`)
    return page
  }

  it('what was typed when the session ended is in the form again, and nothing else', async () => {
    const page = await savedTooLate('Ada')
    const form = page.locator('form[action$="/team"]')
    expect(await page.evaluate('document.activeElement.textContent')).toBe(
      'Your session had ended, so this was not sent. What you typed is here again.',
    )
    const shown = () =>
      Promise.all([
        form.getByLabel('E-mail').inputValue(),
        form.getByLabel('Split funding').isChecked(),
        form.getByLabel('Name', { exact: true }).inputValue(),
      ])
    expect(await shown()).toEqual(['typed@shop.example', true, 'Changed meanwhile'])
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.reload()
    expect(await page.getByText('What you typed is here again').count()).toBe(0)
  })

  it('another operator who signs in then sees nothing of it', async () => {
    const page = await savedTooLate('Grace')
    expect(await page.locator('main .note').count()).toBe(0)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })
})
