// Several Redis servers that act as one: a server with its replica, watched by three sentinels, and
// a cluster of three.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../chaos/proxies.ts'

export interface RedisSentinel extends AsyncDisposable {
  readonly url: string
  /** SIGKILL of the server that takes the writes. */
  killMaster(): Promise<void>
  /** The port that the sentinels name. */
  masterPort(): Promise<number>
}

export interface RedisCluster extends AsyncDisposable {
  readonly url: string
  /** The number of keys on each node. */
  sizes(): Promise<readonly number[]>
  /** Waits until the others say that the cluster is not whole. */
  killNode(): Promise<void>
  /** Starts the killed node; it has lost its keys, and knows its slots. */
  startNode(): Promise<void>
}

const GROUP = 'main'
const SENTINELS = 3

/** The time after which a server counts as down; the votes and the promotion come after that. */
const DOWN_AFTER_MS = 1_000
const READY_WITHIN_MS = 20_000
const LOOK_MS = 50

const SLOTS = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const

interface Server {
  readonly port: number
  readonly process: ChildProcess
}

export async function openSentinel(): Promise<RedisSentinel> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-sentinel-'))
  const master = await startRedis(folder, 'one', [])
  const follows = ['--replicaof', `127.0.0.1 ${master.port}`]
  const replica = await startRedis(folder, 'two', follows)
  const names = Array.from({ length: SENTINELS }, (_, i) => `sentinel-${i}`)
  const sentinels = await Promise.all(names.map((n) => startSentinel(folder, n, master.port)))
  const first = sentinels[0]?.port ?? 0
  const all = [master, replica, ...sentinels]
  for (const { port } of sentinels) await until(() => knowsAll(port))
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join()}/${GROUP}`,
    killMaster: () => end(master),
    async masterPort() {
      const [, port] = (await ask(first, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', GROUP)) as string[]
      return Number(port)
    },
    [Symbol.asyncDispose]: () => remove(folder, all),
  }
}

export async function openCluster(): Promise<RedisCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-cluster-'))
  const nodes: Server[] = []
  for (const name of ['one', 'two', 'three']) {
    nodes.push(await startRedis(folder, name, await clusterOptions()))
  }
  const ports = nodes.map(({ port }) => port)
  const buses = nodes.map(busOf)
  for (const [i, port] of ports.entries()) {
    const [from = 0, to = 0] = SLOTS[i] ?? []
    await ask(port, 'CLUSTER', 'ADDSLOTSRANGE', from, to)
    if (i > 0) await ask(port, 'CLUSTER', 'MEET', '127.0.0.1', ports[0] ?? 0, buses[0] ?? 0)
  }
  for (const port of ports) await until(() => isWhole(port))
  return {
    url: ports.map((port) => `redis://127.0.0.1:${port}`).join(),
    sizes: () => Promise.all(ports.map(async (port) => Number(await ask(port, 'DBSIZE')))),
    async killNode() {
      if (nodes[2] !== undefined) await end(nodes[2])
      for (const port of ports.slice(0, 2)) await until(() => isBroken(port))
    },
    async startNode() {
      const again = ['--cluster-enabled', 'yes', '--cluster-port', String(buses[2])]
      nodes[2] = await startRedis(folder, 'three', again, ports[2])
      for (const port of ports) await until(() => isWhole(port))
    },
    [Symbol.asyncDispose]: () => remove(folder, nodes),
  }
}

async function clusterOptions(): Promise<readonly string[]> {
  const timeout = ['--cluster-node-timeout', String(2 * DOWN_AFTER_MS)]
  return ['--cluster-enabled', 'yes', ...timeout, '--cluster-port', String(await freePort())]
}

function busOf({ process: { spawnargs } }: Server): number {
  return Number(spawnargs[spawnargs.indexOf('--cluster-port') + 1])
}

async function startRedis(
  folder: string,
  name: string,
  options: readonly string[],
  at?: number,
): Promise<Server> {
  const port = at ?? (await freePort())
  const dir = join(folder, name)
  await mkdir(dir, { recursive: true })
  const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', '']
  const child = spawn('redis-server', [...common, ...options], { stdio: 'ignore' })
  await until(() => isUp(port))
  return { port, process: child }
}

async function startSentinel(folder: string, name: string, masterPort: number): Promise<Server> {
  const port = await freePort()
  const file = join(folder, `${name}.conf`)
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${GROUP} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${GROUP} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${GROUP} ${5 * DOWN_AFTER_MS}`,
    '',
  ]
  await writeFile(file, lines.join('\n'))
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
  await until(() => isUp(port))
  return { port, process: child }
}

async function knowsAll(port: number): Promise<boolean> {
  const facts = (await ask(port, 'SENTINEL', 'MASTER', GROUP)) as string[]
  const fact = (name: string) => Number(facts[facts.indexOf(name) + 1])
  return fact('num-other-sentinels') === SENTINELS - 1 && fact('num-slaves') === 1
}

async function isWhole(port: number): Promise<boolean> {
  const info = await clusterInfo(port)
  return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3')
}

async function isBroken(port: number): Promise<boolean> {
  return (await clusterInfo(port)).includes('cluster_state:fail')
}

async function clusterInfo(port: number): Promise<string> {
  return String(await ask(port, 'CLUSTER', 'INFO').catch(() => ''))
}

function isUp(port: number): Promise<boolean> {
  return ask(port, 'PING').then(
    () => true,
    () => false,
  )
}

async function ask(port: number, command: string, ...args: (string | number)[]): Promise<unknown> {
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {}) // The command reports it as well.
  try {
    await client.connect()
    return await client.call(command, ...args)
  } finally {
    client.disconnect()
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const startedMs = performance.now(); !(await isSo()); await delay(LOOK_MS)) {
    if (performance.now() - startedMs > READY_WITHIN_MS)
      throw new Error('Redis was not ready in time')
  }
}

async function end({ process: child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function remove(folder: string, servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map(end))
  await rm(folder, { recursive: true, force: true })
}
