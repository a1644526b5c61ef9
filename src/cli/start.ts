// `lamplighter start`: the whole service in one process, and what a newcomer needs to try it.

import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSignInLink } from '../operators/sign-in-link.ts'
import { QUEUE_NAMES } from '../queue/catalogue.ts'
import { createFirstKey, demoPaymentMethod } from '../upkeep/seed-demo.ts'
import type { World } from '../world.ts'
import { serve } from './serve.ts'

/**
 * The first key again, for the newcomer who starts a second time. It is a sandbox key: it moves no
 * money.
 */
const KEY_FILE = 'sandbox.key'

export async function start(): Promise<void> {
  await serve({
    role: 'owner',
    api: true,
    queues: QUEUE_NAMES,
    async onReady({ world }, address) {
      const key = await keyToTry(world)
      const paymentMethodId = await demoPaymentMethod(world)
      const consoleUrl = await wayIn(world)
      process.stdout.write(welcome({ address: address ?? '', consoleUrl, key, paymentMethodId }))
    },
  })
}

async function keyToTry(world: World): Promise<string | undefined> {
  const { seedApiKey, dataDir } = world.config
  if (seedApiKey !== undefined) return seedApiKey
  const file = join(dataDir, KEY_FILE)
  const made = await createFirstKey(world)
  if (made === undefined) return readFile(file, 'utf8').catch(() => undefined)
  await writeFile(file, made, { mode: 0o600 }).catch(() => undefined)
  await chmod(file, 0o600).catch(() => undefined)
  return made
}

/** Standard output, and not the log: who reads logs may not come in. */
async function wayIn(world: World): Promise<string> {
  if (world.config.adminPassword !== undefined) return `${world.publicAddress()}/admin`
  const { url } = await makeSignInLink(world, 'start')
  return url
}

interface Welcome {
  readonly address: string
  readonly consoleUrl: string
  readonly key: string | undefined
  readonly paymentMethodId: string | undefined
}

function welcome({ address, consoleUrl, key, paymentMethodId: method }: Welcome): string {
  const shownKey =
    key ?? 'made earlier; for another: npm run lamplighter -- keys create --team Demo'
  const lines = [
    '',
    '  Lamplighter is lit.',
    '',
    `  API      ${address}`,
    `  Docs     ${address}/docs`,
    `  Console  ${consoleUrl}`,
    `  Key      ${shownKey}`,
    '',
  ]
  if (key === undefined || method === undefined) return `${lines.join('\n')}\n`
  const body = JSON.stringify({ total: 12.5, payment_method_id: method })
  const curl = [
    '  Try',
    '',
    `curl -s ${address}/charge -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ]
  return `${[...lines, ...curl].join('\n')}\n`
}
