// Text from outside on every page of the console: names, addresses and errors with markup in them,
// in a real browser.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  hasChromium,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { crawl, fillConsole } from '../support/crawl.ts'
import { signIn } from '../support/operator.ts'
import { openShop, type Shop } from '../support/samples.ts'
import type { TestService } from '../support/test-service.ts'

/** An address, the end of an attribute, and elements that would run, all in one text. */
const HOSTILE =
  'javascript:window.hacked=1//"\'></title></textarea></script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>'

/** The columns that hold text from outside. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  api_key: ['name'],
  customer: ['firstname', 'lastname', 'company', 'email', 'notes', 'reference', 'address_1'],
  deed: ['operator', 'address', 'deed', 'subject'],
  delivery: ['recipient', 'provider_id', 'last_error', 'request_id'],
  operator_session: ['name'],
  outbox_message: ['recipient', 'subject', 'text', 'html'],
  payment_link: ['common_name'],
  payment_method: ['person_name', 'nickname', 'bank_name', 'address_1'],
  process_pulse: ['host', 'version'],
  schedule: ['url', 'request_id'],
  team: ['name', 'email'],
  transaction: ['message', 'auth_id', 'receipt_to', 'request_id'],
  webhook: ['target_url', 'disabled_reason'],
}

/** The tables that hold such text within JSON. */
const KEPT_AS_JSON = ['customer', 'payment_link', 'payment_method', 'schedule', 'transaction']

/** An e-mail is shown in a frame, which reports the requests that it has blocked. */
const IN_A_LETTER = /frame is sandboxed|'\S+\/admin\/outbox\/[^/]+\/[^/]+\/x' violates/

describe.skipIf(!hasChromium)('text from outside', { timeout: 120_000 }, () => {
  let shop: Shop
  let browser: TestBrowser

  beforeAll(async () => {
    shop = await openShop()
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await shop?.service.close()
  })

  it('stays text on every page', async () => {
    await fillConsole(shop)
    const { cookie } = await signIn(shop.service.world)
    await poison(shop.service)
    const page = await browser.open(await serveService(shop.service), { cookie })
    const shown: string[] = []
    await crawl('/admin', async (path, kind) => {
      const found = await look(page, path)
      expect({ path, ...found.wrong }).toEqual({ path, ...NOTHING_WRONG })
      if (found.isWritten) shown.push(kind)
      return found.links
    })
    expect(page.faults().filter((fault) => !IN_A_LETTER.test(fault))).toEqual([])
    // Otherwise the test has looked at nothing.
    const places = new Set(shown.map((kind) => kind.split('/')[2]?.split('?')[0]))
    expect([...places]).toEqual(
      expect.arrayContaining([
        'audit',
        'deliveries',
        'endpoints',
        'outbox',
        'schedules',
        'teams',
        'transactions',
      ]),
    )
  })
})

const NOTHING_WRONG = { status: 200, hasRun: false, scripts: 0, handlers: 0, addresses: [] }

interface Found {
  readonly wrong: object
  readonly isWritten: boolean
  readonly links: readonly string[]
}

async function look(page: WatchedPage, path: string): Promise<Found> {
  const answer = await page.goto(path, { waitUntil: 'load' })
  const { isWritten, links, ...wrong } = await page.evaluate<Omit<Found, 'wrong'>>(`(() => {
    const all = [...document.querySelectorAll('*')]
    const addresses = all.flatMap((one) => [one.getAttribute('href'), one.getAttribute('src')])
    const links = [...document.querySelectorAll('a[href^="/admin"]:not([download])')]
    return {
      hasRun: 'hacked' in window,
      scripts: all.filter((one) => one.localName === 'script' && !one.src).length,
      handlers: all.filter((one) => [...one.attributes].some(({ name }) => /^on/i.test(name))).length,
      addresses: addresses.filter((one) => one !== null && !/^(\\/|#|https?:|mailto:)/.test(one)),
      isWritten: document.body.textContent.includes('window.hacked'),
      links: links.map((link) => link.getAttribute('href')),
    }
  })()`)
  return { wrong: { status: answer?.status(), ...wrong }, isWritten, links }
}

async function poison({ world }: TestService): Promise<void> {
  for (const [table, columns] of Object.entries(WRITTEN)) {
    for (const column of columns) {
      await world.db.query(`UPDATE ${table} SET ${column} = $1`, [HOSTILE]).catch(() => undefined)
    }
  }
  const json = JSON.stringify({ [HOSTILE]: HOSTILE })
  for (const table of KEPT_AS_JSON) {
    await world.db.query(`UPDATE ${table} SET meta = $1`, [json])
  }
}
