// What `lamplighter start` prints when it is ready: what a newcomer needs.

import { access, chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prefixOf } from '../accounts/key.ts'
import { BY_START } from '../operators/audit-entries.ts'
import { makeSignInLink } from '../operators/sign-in-link.ts'
import type { World } from '../world.ts'
import { createFirstKey, demoPaymentMethod } from './seed-demo.ts'

/**
 * The first key, for later starts: only the first start prints it. It is a sandbox key and moves no
 * money.
 */
const KEY_FILE = 'sandbox.key'

export async function welcome(world: World, address: string): Promise<string> {
  const key = await keyToTry(world)
  const paymentMethodId = await demoPaymentMethod(world)
  const consoleUrl = await consoleAddress(world)
  const live = liveGatewayText(world)
  return welcomeText({ address, consoleUrl, key, live, paymentMethodId })
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
async function consoleAddress(world: World): Promise<string> {
  if (world.config.adminPassword !== undefined) return `${world.adminAddress()}/admin`
  const { url } = await makeSignInLink(world, BY_START)
  return url
}

function liveGatewayText({ config }: World): string | undefined {
  const { checkout, stripe } = config
  const ways = [
    ...(stripe === undefined ? [] : [gatewayText('Stripe', stripe)]),
    ...(checkout === undefined ? [] : [gatewayText('Checkout.com', checkout)]),
  ]
  return ways.length === 0 ? undefined : ways.join('; ')
}

function gatewayText(name: string, { isTest }: { readonly isTest: boolean }): string {
  return isTest ? `${name}, with a test key: no money moves` : name
}

interface Welcome {
  readonly address: string
  readonly consoleUrl: string
  readonly key: KeyToTry | undefined
  /** The gateway of live accounts. Undefined if live accounts are not charged. */
  readonly live: string | undefined
  readonly paymentMethodId: string | undefined
}

function welcomeText({ address, consoleUrl, key, live, paymentMethodId: method }: Welcome): string {
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
