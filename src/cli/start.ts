// `lamplighter start` runs the whole service in one process and prints what a newcomer needs.

import { access, chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prefixOf } from '../accounts/key.ts'
import { makeSignInLink } from '../operators/sign-in-link.ts'
import { QUEUE_NAMES } from '../queue/catalogue.ts'
import type { World } from '../world.ts'
import { createFirstKey, demoPaymentMethod } from './seed-demo.ts'
import { serve } from './serve.ts'

/**
 * The first key, for later starts: only the first start prints it. It is a sandbox key and moves no
 * money.
 */
const KEY_FILE = 'sandbox.key'

export async function startCommand(): Promise<void> {
  await serve({
    role: 'owner',
    api: true,
    queues: QUEUE_NAMES,
    async onReady({ world }, address) {
      const key = await keyToTry(world)
      const paymentMethodId = await demoPaymentMethod(world)
      const consoleUrl = await wayIn(world)
      const live = wayToPay(world)
      const ways = { address: address ?? '', consoleUrl, key, live, paymentMethodId }
      process.stdout.write(welcome(ways))
    },
  })
}

/** A key as it is shown, and the request header as a shell expands it. */
interface KeyToTry {
  readonly shown: string
  readonly header: string
}

/** Terminals and logs keep what is printed, so the key is printed only once, when it is made. */
async function keyToTry(world: World): Promise<KeyToTry | undefined> {
  const { seedApiKey, dataDir } = world.config
  if (seedApiKey !== undefined) {
    return {
      shown: `${prefixOf(seedApiKey)}…, from SEED_API_KEY`,
      header: '"Authorization: Bearer $SEED_API_KEY"',
    }
  }
  const file = join(dataDir, KEY_FILE)
  const made = await createFirstKey(world)
  if (made === undefined) {
    const isKept = await access(file).then(
      () => true,
      () => false,
    )
    const read = `$(cat '${file.replaceAll("'", `'\\''`)}')`
    return isKept ? { shown: `in ${file}`, header: `"Authorization: Bearer ${read}"` } : undefined
  }
  await writeFile(file, made, { mode: 0o600 }).catch(() => undefined)
  await chmod(file, 0o600).catch(() => undefined)
  return { shown: made, header: `'Authorization: Bearer ${made}'` }
}

/**
 * Printed on standard output, not in the log, because readers of logs must not be able to sign in.
 */
async function wayIn(world: World): Promise<string> {
  if (world.config.adminPassword !== undefined) return `${world.adminAddress()}/admin`
  const { url } = await makeSignInLink(world, 'start')
  return url
}

function wayToPay({ config }: World): string | undefined {
  const { checkout, stripe } = config
  const ways = [
    ...(stripe === undefined ? [] : [wayBy('Stripe', stripe)]),
    ...(checkout === undefined ? [] : [wayBy('Checkout.com', checkout)]),
  ]
  return ways.length === 0 ? undefined : ways.join('; ')
}

function wayBy(name: string, { isTest }: { readonly isTest: boolean }): string {
  return isTest ? `${name}, with a test key: no money moves` : name
}

interface Welcome {
  readonly address: string
  readonly consoleUrl: string
  readonly key: KeyToTry | undefined
  /** How live accounts are charged. Undefined if they are not. */
  readonly live: string | undefined
  readonly paymentMethodId: string | undefined
}

function welcome({ address, consoleUrl, key, live, paymentMethodId: method }: Welcome): string {
  const shownKey =
    key?.shown ?? 'made earlier; for another: npm run lamplighter -- keys create --team Demo'
  const lines = [
    '',
    '  Lamplighter is lit.',
    '',
    `  API      ${address}`,
    `  Docs     ${address}/docs`,
    `  Console  ${consoleUrl}`,
    `  Key      ${shownKey}`,
    ...(live === undefined ? [] : [`  Live     ${live}`]),
    '',
  ]
  if (key === undefined || method === undefined) return `${lines.join('\n')}\n`
  const body = JSON.stringify({ total: 12.5, payment_method_id: method })
  const curl = [
    '  Try',
    '',
    `curl -s ${address}/charge -H ${key.header} \\`,
    `  -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ]
  return `${[...lines, ...curl].join('\n')}\n`
}
