// Every page of the console in a browser, on a desktop by day and a phone by night. Texts from
// outside are as long as possible and full of markup, and amounts are the largest.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  faultsInEachLook,
  hasChromium,
  openBrowser,
  serveService,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts'
import { crawl, fillConsole } from '../support/crawl.ts'
import { brokenAmounts, exaggerate, tooWide } from '../support/extremes.ts'
import { signIn } from '../support/operator.ts'
import { openSampleMerchant, type SampleMerchant } from '../support/samples.ts'

/** An e-mail is shown in a frame, which reports the requests that it has blocked. */
const IN_A_LETTER = /frame is sandboxed|'\S+\/admin\/outbox\/[^/]+\/[^/]+\/x' violates/

const MOST_BYTES = 120_000

describe.skipIf(!hasChromium)('every page of the console', { timeout: 300_000 }, () => {
  let seller: SampleMerchant
  let browser: TestBrowser
  let origin: string

  beforeAll(async () => {
    seller = await openSampleMerchant()
    browser = await openBrowser()
    origin = await serveService(seller.service)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await seller?.service.close()
  })

  it('keeps text as text, breaks no amount, fits the screen and can be read', async () => {
    await fillConsole(seller)
    const { cookie } = await signIn(seller.service.world)
    await exaggerate(seller.service)
    const page = await browser.open(origin, { cookie })
    const places = new Set<string | undefined>()
    let amounts = 0
    await crawl('/admin', async (path, kind) => {
      const { isWritten, links, ...run } = await visit(page, path)
      if (isWritten) places.add(kind.split('/')[2]?.split('?')[0])
      expect.soft({ path, ...run }).toEqual({ path, ...NOTHING_RUN })
      const found = await faultsInEachLook(page, async () => {
        const { count, broken } = await brokenAmounts(page)
        amounts += count
        return [...broken, ...(await tooWide(page))]
      })
      const faults = found.filter((fault) => !IN_A_LETTER.test(fault))
      expect.soft([path, faults]).toEqual([path, []])
      return links
    })
    // Otherwise the test has looked at nothing.
    expect(amounts).toBeGreaterThan(60)
    expect([...places]).toEqual(
      expect.arrayContaining([
        'audit',
        'deliveries',
        'endpoints',
        'outbox',
        'schedules',
        'teams',
        'transactions',
        'workers',
      ]),
    )
  })

  it('would show a script that the rules refuse, a failing one, and a request to another host', async () => {
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

  it('would show what cannot be read', async () => {
    const page = await browser.open(origin)
    await page.goto('/admin/sign-in')
    expect(await faultsInEachLook(page)).toEqual([])
    await page.evaluate(`document.body.append(document.createElement('button'))`)
    expect((await axeFaults(page)).join('\n')).toContain('button-name')
  })
})

const NOTHING_RUN = {
  status: 200,
  isLong: false,
  hasRun: false,
  scripts: 0,
  handlers: 0,
  addresses: [],
  repeatedIds: [],
}

/** Opens the page, and all that is folded on it. */
async function visit(page: WatchedPage, path: string) {
  const answer = await page.goto(path, { waitUntil: 'load' })
  const found = await page.evaluate<{ readonly isWritten: boolean; readonly links: string[] }>(
    `(() => {
    const all = [...document.querySelectorAll('*')]
    for (const one of document.querySelectorAll('main details')) one.open = true
    const addresses = all.flatMap((one) => [one.getAttribute('href'), one.getAttribute('src')])
    const links = [...document.querySelectorAll('a[href^="/admin"]:not([download])')]
    return {
      hasRun: 'hacked' in window,
      scripts: all.filter((one) => one.localName === 'script' && !one.src).length,
      handlers: all.filter((one) => [...one.attributes].some(({ name }) => /^on/i.test(name))).length,
      addresses: addresses.filter((one) => one !== null && !/^(\\/|#|https?:|mailto:)/.test(one)),
      repeatedIds: all.map(({ id }) => id).filter((id, at, ids) => id && ids.indexOf(id) < at),
      isWritten: document.querySelector('main').textContent.includes('window.hacked'),
      links: links.map((link) => link.getAttribute('href')),
    }
  })()`,
  )
  const isLong = ((await answer?.body())?.length ?? 0) >= MOST_BYTES
  return { status: answer?.status(), isLong, ...found }
}
