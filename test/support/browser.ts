// A real browser, which loads the styles of pages, runs their scripts and applies their content
// rules. Its complaints are kept for the test.

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { findChromium } from './find-program.ts'
import type { TestService } from './test-service.ts'

const PATH = findChromium()

/**
 * For `describe.skipIf(!hasChromium)`; the settings of the suite decide whether its absence is an
 * error.
 */
export const hasChromium = PATH !== undefined

/** The smaller of the two files, since each page reads it anew. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Waits for what is being faded in, because its contrast is not the final one. */
const AT_REST = `Promise.allSettled(
  document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    .map(({ finished }) => finished),
)`

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
  /** The session as in a `cookie` header: `name=value; …`. */
  readonly cookie?: string
  readonly javaScript?: boolean
}

/** A page of the service, opened by its path: `page.goto('/admin')`. */
export type WatchedPage = Page & {
  /** Errors of the console and of scripts, and requests to other hosts, since the page was made. */
  faults(): readonly string[]
}

export interface TestBrowser extends AsyncDisposable {
  /**
   * Opens a window of its own, which shares no cookie with another. It is closed after the test,
   * because many pages show what is new all the time; one that a hook opens stays for all tests.
   */
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
      context.setDefaultTimeout(20_000)
      await context.addCookies(cookiesOf(cookie ?? '', origin))
      const page = await context.newPage()
      if (TestRunner.getCurrentTest() !== undefined) {
        onTestFinished(async () => {
          if (page.isClosed()) return
          await page.unrouteAll({ behavior: 'ignoreErrors' })
          await context.close()
        })
      }
      return Object.assign(page, { faults: faultsOf(page, origin) })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Serves it at a port until it is closed; answers its origin. */
export async function serveService({ app, world }: TestService): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  world.listensOn(port)
  return `http://127.0.0.1:${port}`
}

/** Serious and critical faults of accessibility on the page as it is now, in one line each. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AT_REST)
  // The content rules of the page would refuse it as a script of the page.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const run = "axe.run({ resultTypes: ['violations'] })"
  const { violations } = await page.evaluate<AxeResults>(run)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any[0]?.message ?? ''}`),
    )
}

/** A desktop by day, and a small phone by night. */
const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const

/**
 * What is wrong with the page as it is now, in each of two looks: faults of accessibility, what it
 * has complained of, and what `more` finds.
 */
export async function faultsInEachLook(
  page: WatchedPage,
  more = async () => ((await isWiderThanScreen(page)) ? ['it is wider than the screen'] : []),
): Promise<readonly string[]> {
  const before = page.viewportSize()
  const faults: string[] = []
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    const found = [...(await axeFaults(page)), ...(await more())]
    faults.push(...found.map((fault) => `${width} wide: ${fault}`))
  }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
  return [...faults, ...page.faults()]
}

/** True if the page can be scrolled sideways. */
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
    // A refused page is one on purpose; everything that a page loads must exist.
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
