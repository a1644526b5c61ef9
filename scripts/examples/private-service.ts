// A service in this process, on a database of its own that is removed at the end, with one sandbox
// team for the examples.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeTeam } from '../../src/accounts/change-team.ts'
import { createTeam } from '../../src/accounts/create-team.ts'
import { createKey } from '../../src/accounts/manage-keys.ts'
import { readTeamChange } from '../../src/cli/team-changes.ts'
import { readConfig } from '../../src/config.ts'
import { type EmbeddedServer, openEmbedded } from '../../src/db/embedded/index.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type App, buildApp } from '../../src/http/app.ts'
import { openLog } from '../../src/log.ts'
import { inOneCommit } from '../../src/operators/audit-entries.ts'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { migrateQueues } from '../../src/queue/postgres-engine.ts'
import { keepSchedulers } from '../../src/upkeep/keep-schedulers.ts'
import { openWorld, type World } from '../../src/world.ts'
import { SECRETS_KEY } from '../../test/support/secrets-key.ts'
import { WORKERS } from '../../workers/index.ts'
import { processorOf } from '../../workers/run.ts'

export interface PrivateService extends AsyncDisposable {
  readonly app: App
  /** An endpoint that accepts every event. */
  readonly endpoint: string
  /** A new sandbox account, for which everything is enabled, and more requests than usual. */
  newAccount(): Promise<{ readonly key: string }>
  readonly gateway: GatewayControls
}

/** The sandbox gateway, which can be made slow or made to decline. */
export interface GatewayControls {
  /** It answers nothing until the returned function is called. */
  hold(): () => void
  declineNext(): void
}

const FEATURES = ['sms_enabled=true', 'split_funding_enabled=true']
const MANY_REQUESTS = 'sandbox_rate_limit=1000000'

/** Plainly no real key. The number of the account follows. */
const KEY = `sk_sandbox_${'example'.repeat(6)}`

/** Every part runs in this process, so no wait needs to be long. */
const QUICK = { nudgeGraceMs: 400, sweepEveryMs: 300, recheckEveryMs: 200 }

const DRAIN_MS = 5_000

export async function openPrivateService(): Promise<PrivateService> {
  const endpoint = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-examples-'))
  const server = await openEmbedded(folder, { role: 'owner' })
  try {
    return await openOn(server, folder, endpoint)
  } catch (error) {
    // The server would outlive this process.
    await server.stop()
    throw error
  }
}

async function openOn(
  server: EmbeddedServer,
  folder: string,
  endpoint: Server,
): Promise<PrivateService> {
  await migrate(server.url)
  await migrateQueues(server.url)
  const state: GatewayState = { held: Promise.resolve(), isDeclining: false }
  const world = openWorld({
    config: readConfig({
      DATA_DIR: folder,
      PUBLIC_URL: 'https://pay.example.com',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SECRETS_KEY,
    }),
    databaseUrl: server.url,
    log: openLog('silent'),
    timings: QUICK,
    withGateway: (gateway) => controlledGateway(gateway, state),
  })
  const app = await buildApp(world)
  await app.ready()
  await world.queues.engine.probe()
  for (const queue of QUEUE_NAMES) {
    world.queues.work(queue, processorOf(world, queue, WORKERS[queue]))
  }
  await keepSchedulers(world)
  let accounts = 0
  return {
    app,
    endpoint: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/events`,
    newAccount() {
      accounts += 1
      const name = accounts === 1 ? 'Corner shop' : `Corner shop ${accounts}`
      return newAccount(world, name, `${KEY}${accounts}`)
    },
    gateway: {
      hold() {
        let release = () => {}
        state.held = new Promise((resolve) => {
          release = resolve
        })
        return release
      },
      declineNext() {
        state.isDeclining = true
      },
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await world.queues.drain(DRAIN_MS)
      await world.close()
      await server.stop()
      endpoint.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface GatewayState {
  held: Promise<void>
  isDeclining: boolean
}

function controlledGateway(gateway: Gateway, state: GatewayState): Gateway {
  return {
    ...gateway,
    carryOut: async (order, signal) => {
      await state.held
      const isDeclined = state.isDeclining
      state.isDeclining = false
      if (isDeclined) return { kind: 'declined', gatewayId: null, message: 'Declined' }
      return gateway.carryOut(order, signal)
    },
    lookUp: gateway.lookUp,
    giveUp: gateway.giveUp,
  }
}

async function newAccount(world: World, name: string, key: string) {
  await inOneCommit(world, 'team', async (own) => {
    const { id, accounts } = await createTeam(own, name)
    const wanted = { accountId: accounts.sandbox, mode: 'sandbox', name: 'till', key } as const
    await createKey(own, wanted)
    await changeTeam(own, id, [...FEATURES, MANY_REQUESTS].map(readTeamChange))
  })
  return { key }
}
