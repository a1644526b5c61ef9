// The console of a test service in a browser.

import { type Look, openBrowser, serveService, type WatchedPage } from './browser.ts'
import { signIn } from './operator.ts'
import type { TestService } from './test-service.ts'

export interface ConsoleBrowser {
  /** Each page is in a window and a session of its own. */
  open(path: string, look?: Look): Promise<WatchedPage>
  /** Closes the service too. */
  close(): Promise<void>
}

export async function openConsole(service: TestService): Promise<ConsoleBrowser> {
  const browser = await openBrowser()
  const origin = await serveService(service)
  return {
    async open(path, look) {
      const { cookie } = await signIn(service.world)
      const page = await browser.open(origin, { cookie, ...look })
      await page.goto(path)
      return page
    },
    async close() {
      await browser.close()
      await service.close()
    },
  }
}
