// A service of its own with data to show: some shops, a month of their business, and charges that
// continue while the pictures are taken. All of it comes through the API, as from merchants, except
// failures that take days or a broken gateway.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort } from '../../src/db/embedded/server.ts'
import { openStripe } from '../../test/stripe/stand-in/open.ts'
import { context } from './ask.ts'
import { busyShop } from './busy-shop.ts'
import { lookTexts } from './give-look.ts'
import { leaveUndecided } from './leave-undecided.ts'
import { type PicturedShop, runShop } from './shop.ts'

export interface StoryService {
  readonly origin: string
  readonly password: string
  /** The second one has a look, in French. */
  readonly shops: readonly PicturedShop[]
  /** A payment link of the first shop's live account, through the stand-in for Stripe. */
  readonly liveLink: string
  close(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..')
const TSX = join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')
const PASSWORD = 'lamps are lit at dusk'

const OPERATORS = [
  ['Grace Hopper', 'admin'],
  ['Katherine Johnson', 'operate'],
  ['Vera Rubin', 'view'],
] as const

const SHOPS = ['Moonlight Books', 'Harbour Coffee', 'Green Street Dental', 'Wheel & Spoke']

export async function openServiceWithStory(browser: Browser): Promise<StoryService> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-pictures-'))
  const port = await freePort()
  const stripe = await openStripe()
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMIT_PER_MINUTE: '1000000',
    EMAIL_PER_SECOND: '1000',
    SANDBOX_MESSAGES_PER_DAY: '1000000',
    LOG_LEVEL: 'warn',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_API_URL: stripe.url,
  }
  const service = run(['start'], env)
  const origin = `http://127.0.0.1:${port}`
  async function end(): Promise<void> {
    if (service.exitCode === null) {
      service.kill('SIGTERM')
      await once(service, 'exit')
    }
    await stripe[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(service, origin)
    const shops = await openShops(origin, env)
    const look = await lookTexts(browser, folder)
    await output(run(['teams', 'set', `${SHOPS[1]}`, ...look], env))
    for (const [name, role] of OPERATORS) {
      await output(run(['operators', 'add', name, '--role', role], env))
    }
    await leaveUndecided(folder, shops.slice(0, 3))
    const [busiest] = shops
    const rest = busiest === undefined ? undefined : busyShop(busiest)
    return {
      origin,
      password: PASSWORD,
      shops,
      liveLink: await openLiveLink(origin, env),
      async close() {
        await rest?.()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function openShops(origin: string, env: NodeJS.ProcessEnv): Promise<readonly PicturedShop[]> {
  const shops: PicturedShop[] = []
  for (const [i, name] of SHOPS.entries()) {
    await output(run(['teams', 'create', name, '--json'], env))
    await output(
      run(['teams', 'set', name, 'email=hello@shop.example', 'sandbox_receipts=email'], env),
    )
    const { key } = JSON.parse(await output(run(['keys', 'create', '--team', name, '--json'], env)))
    shops.push(await runShop({ origin, key, name, seed: i + 1 }))
  }
  return shops
}

async function openLiveLink(origin: string, env: NodeJS.ProcessEnv): Promise<string> {
  const words = ['keys', 'create', '--team', `${SHOPS[0]}`, '--mode', 'live', '--json']
  const { key } = JSON.parse(await output(run(words, env)))
  const link = { common_name: 'A year of stories', amount: 48 }
  const { url } = await context(origin, key)('POST', '/payment-link', link)
  return url
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const main = join(ROOT, 'src', 'main.ts')
  return spawn(process.execPath, ['--import', `file://${TSX}`, main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function output(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (some) => {
    text += some
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`a command of the story failed: ${text}`)
  return text
}

async function untilReady(service: ChildProcess, origin: string): Promise<void> {
  service.stdout?.resume()
  for (;;) {
    if (service.exitCode !== null) throw new Error('the service did not start')
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
