// The pictures of the API's reference, which is made of the routes alone and needs no database.

import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { openLog } from '../../src/log.ts'
import { openWorld } from '../../src/world.ts'
import { type Screen, savePair } from './save-pair.ts'

const SCREENS: Readonly<Record<string, Screen>> = {
  desk: { width: 1280, height: 900, sharpness: 1 },
  phone: { width: 390, height: 844, sharpness: 1.5 },
}

const NO_DATABASE = 'postgresql://127.0.0.1:1/none'

export async function pictureReference(browser: Browser): Promise<void> {
  const world = openWorld({
    config: readConfig({ PUBLIC_URL: 'https://pay.example.com' }),
    databaseUrl: NO_DATABASE,
    log: openLog('silent'),
  })
  const app = await buildApp(world)
  try {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    for (const [screen, size] of Object.entries(SCREENS)) {
      await savePair(browser, `reference/payments-${screen}`, size, async (page: Page) => {
        await page.goto(`http://127.0.0.1:${port}/docs/payments#post-charge`)
        return page.screenshot()
      })
    }
  } finally {
    await app.close()
    await world.close()
  }
}
