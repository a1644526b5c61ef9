// A real browser, which looks at pages as people do: it loads their styles, runs their scripts and
// keeps their rules. What it complains of is kept for the test.

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { findChromium } from './find-program.ts'
import type { TestService } from './test-service.ts'

const PATH = findChromium()

/** For `describe.skipIf(!hasChromium)`; the settings of the suite say when that is an error. */
export const hasChromium = PATH !== undefined

/** The smaller file of the two: each page reads all of it anew. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const QUIETLY = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const SIZES = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
  },
} as const satisfies Record<string, BrowserContextOptions>

export interface Look {
  readonly size?: keyof typeof SIZES
  readonly scheme?: 'light' | 'dark'
  /** As a `cookie` header has them, `name=value; …`: who is signed in. */
  readonly cookie?: string
  readonly javaScript?: boolean
}

/** A page of the service, which is opened by its path: `page.goto('/admin')`. */
export type WatchedPage = Page & {
  /** Errors of the console and of scripts, and requests to other hosts, since the page was made. */
  faults(): readonly string[]
}

export interface TestBrowser extends AsyncDisposable {
  /** In a window of its own, which shares no cookie with another. */
  open(origin: string, look?: Look): Promise<WatchedPage>
  close(): Promise<void>
}

export async function openBrowser(): Promise<TestBrowser> {
  if (PATH === undefined) throw new Error('chromium is not on the PATH, and CHROMIUM is not set')
  const browser = await chromium.launch({ executablePath: PATH, args: QUIETLY })
  const close = () => browser.close()
  return {
    async open(origin, { size = 'desk', scheme = 'light', cookie, javaScript = true } = {}) {
      const context = await browser.newContext({
        ...SIZES[size],
        baseURL: origin,
        colorScheme: scheme,
        javaScriptEnabled: javaScript,
        timezoneId: 'America/New_York',
        locale: 'en-US',
      })
      context.setDefaultTimeout(10_000)
      await context.addCookies(cookiesOf(cookie ?? '', origin))
      const page = await context.newPage()
      return Object.assign(page, { faults: faultsOf(page, origin) })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The service on a port of its own, until it is closed; answers its origin. */
export async function serveService({ app, world }: TestService): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  world.listensOn(port)
  return `http://127.0.0.1:${port}`
}

/** What keeps somebody from using the page as it is now: serious and critical, in one line each. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  // Not as a script of the page, which its rules would refuse.
  await page.evaluate(AXE)
  const run = "axe.run({ resultTypes: ['violations'] })"
  const { violations } = await page.evaluate<AxeResults>(run)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any[0]?.message ?? ''}`),
    )
}

/** True where a finger would have to push the page sideways. */
export function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
}

function faultsOf(page: Page, origin: string): () => readonly string[] {
  const faults: string[] = []
  const opened = new Set<string>()
  page.on('request', (request) => {
    if (isPage(request)) opened.add(request.url())
    if (!/^(data|blob|about):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      faults.push(`asked elsewhere: ${request.url()}`)
    }
  })
  page.on('pageerror', (error) => faults.push(`script failed: ${error.message}`))
  page.on('console', (message) => {
    // A page that is a refusal is one on purpose; what a page loads should be there.
    const isRefusal = opened.has(message.location().url) && /^Failed to load/.test(message.text())
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`)
  })
  return () => [...faults]
}

function isPage(request: Request): boolean {
  return request.isNavigationRequest() && request.frame().parentFrame() === null
}

function cookiesOf(header: string, url: string) {
  return header
    .split('; ')
    .filter((pair) => pair !== '')
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url,
    }))
}
