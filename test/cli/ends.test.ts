// Whatever fails while a process starts or stops, it ends: in its time, with a line that names the
// fault, and with the right status. A dead process does not appear alive.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isThere } from '../../src/db/embedded/files.ts'
import { freePort } from '../chaos/proxies.ts'
import { processOf } from '../support/built.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import type { BrokenStep } from './ends-child.ts'

const LONG = { timeout: 120_000 }
const GRACE_MS = 400

/** The time from the deletion of the data until nothing is written into them any more. */
const MOMENT_MS = 250

const ENOUGH = 300

/** Added to the grace: the time for closing, and the delay of a busy machine. */
const LATE_MS = 6_000 + 5_000

let folder: string
let database: FreshDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter-ends-'))
  database = await freshDatabase()
}, 60_000)
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly said: string
}

function start(script: string, words: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...processOf(script), ...words], {
    env: { PATH, HOME, PORT: '0', GRACE_MS: String(GRACE_MS), LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const said = child.stderr === null ? '' : text(child.stderr)
  const ended = once(child, 'exit').then(
    async ([code, signal]): Promise<End> => ({ code, signal, said: await said }),
  )
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

function startBroken(broken: BrokenStep) {
  const { role } = broken
  const own = role === 'owner' ? { DATA_DIR: folder } : { DATABASE_URL: database.url }
  return start('test/cli/ends-child.ts', [JSON.stringify(broken)], own)
}

/** Kills the PostgreSQL of the folder, as the kernel does when memory runs out. */
async function killPostgres(): Promise<number> {
  const pid = await expect
    .poll(() => readyPid())
    .toBeGreaterThan(0)
    .then(readyPid)
  process.kill(pid, 'SIGKILL')
  return pid
}

async function killAfter(ms: number): Promise<number> {
  await expect.poll(readyPid).toBeGreaterThan(0)
  await delay(ms)
  return await killPostgres()
}

/** The pid of the ready process; 0 while none serves there. */
async function readyPid(): Promise<number> {
  const file = join(folder, 'postgres', 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  const isAlive = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== ''
  return isAlive && lines[7]?.trim() === 'ready' ? pid : 0
}

interface Case extends Omit<BrokenStep, 'role'> {
  readonly code: number
  readonly said: RegExp
}

const CASES: readonly Case[] = [
  { step: 'drain', fault: 'hangs', code: 1, said: /^lamplighter: stopped by .+ 6\.4 s\n$/ },
  // Connections that do not close are cut: nothing depends on how they end.
  { step: 'close', fault: 'hangs', code: 0, said: /^$/ },
  { step: 'world', fault: 'throws', code: 1, said: /^lamplighter: world is broken\n$/ },
  { step: 'workersReady', fault: 'throws', code: 1, said: /^lamplighter: workersReady is .+\n$/ },
  { step: 'onReady', fault: 'throws', code: 1, said: /^lamplighter: onReady is broken\n$/ },
  { step: 'drain', fault: 'throws', code: 1, said: /^lamplighter: drain is broken\n$/ },
  { step: 'close', fault: 'throws', code: 1, said: /^lamplighter: close is broken\n$/ },
  { step: 'probe', fault: 'hangs', code: 0, said: /^$/ },
  { step: 'workersReady', fault: 'hangs', code: 0, said: /^$/ },
  { step: 'onReady', fault: 'hangs', code: 0, said: /^$/ },
  { step: 'none', fault: 'hangs', code: 0, said: /^$/ },
]

/** A fault during the start ends the process; for any other the test sends the signal. */
async function endOf({ step, fault }: Case): Promise<End & { readonly tookMs: number }> {
  const { child, ended } = startBroken({ role: 'guest', step, fault })
  const early = ended.then(() => performance.now())
  const signalledMs = await Promise.race([signalled(child, fault), early])
  const end = await ended
  return { ...end, tookMs: performance.now() - signalledMs }
}

async function signalled(child: ChildProcess, fault: BrokenStep['fault']): Promise<number> {
  for (;;) {
    const [message] = await once(child, 'message')
    if (message === 'reached' && fault === 'throws') continue
    child.kill('SIGTERM')
    return performance.now()
  }
}

describe('a process with one broken step', LONG, () => {
  it('ends in its time, with the status and the line of the table', async () => {
    // One by one: each has up to 34 connections, and must end in time on a slow machine too.
    for (const one of CASES) {
      const { step, fault, code, said } = one
      const end = await endOf(one)
      expect(end.said, `${step} ${fault}`).toMatch(said)
      expect(end, `${step} ${fault}`).toMatchObject({ code, signal: null })
      expect(end.tookMs, `${step} ${fault}`).toBeLessThan(GRACE_MS + LATE_MS)
    }
  })
})

describe('start whose PostgreSQL is killed', LONG, () => {
  const KILLED = 'it was killed \\(SIGKILL\\), by hand or for want of memory'
  const GONE = new RegExp(
    `^lamplighter: the PostgreSQL of \\S+ is gone: ${KILLED}: see \\S+postgres\\.log, then start again\\n$`,
  )

  it.each(['probe', 'onReady', 'none'] as const)(
    'while it is busy with a step of the start (%s) ends with a line and status 1',
    async (step) => {
      const { child, ended } = startBroken({ role: 'owner', step, fault: 'hangs' })
      await once(child, 'message')
      await killPostgres()
      const killedMs = performance.now()
      const end = await ended
      expect(end).toEqual({ code: 1, signal: null, said: expect.stringMatching(GONE) })
      expect(performance.now() - killedMs).toBeLessThan(LATE_MS)
    },
  )

  it.each([0, 80, 250])('%i ms after it got ready ends in the same way', async (afterMs) => {
    const { child, ended } = start('src/main.ts', ['start'], { DATA_DIR: folder })
    const killed = await killAfter(afterMs)
    // One that is killed before the start has noticed that it is ready is replaced by another.
    const isReplaced = async () => ![0, killed].includes(await readyPid())
    await expect.poll(async () => child.exitCode !== null || (await isReplaced())).toBe(true)
    if (child.exitCode === null) await killAfter(MOMENT_MS)
    expect(await ended).toEqual({ code: 1, signal: null, said: expect.stringMatching(GONE) })
  })
})

describe('start whose PostgreSQL is frozen', LONG, () => {
  it('ends at the signal, and takes its PostgreSQL with it', async () => {
    const { child, ended } = startBroken({ role: 'owner', step: 'none', fault: 'hangs' })
    await once(child, 'message')
    const pid = await readyPid()
    process.kill(pid, 'SIGSTOP')
    child.kill('SIGTERM')
    const signalledMs = performance.now()
    expect(await ended).toEqual({ code: 0, signal: null, said: '' })
    expect(performance.now() - signalledMs).toBeLessThan(GRACE_MS + LATE_MS)
    expect(await readyPid()).toBe(0)
  })
})

describe('start whose terminal is closed', LONG, () => {
  it.skipIf(process.platform !== 'linux' && !process.env.CI)(
    'ends, and takes its PostgreSQL with it',
    async () => {
      const command = [process.execPath, ...processOf('src/main.ts'), 'start']
      const { PATH = '' } = process.env
      // It makes a terminal, which ends with it.
      const terminal = spawn('script', ['--quiet', '--command', command.join(' '), '/dev/null'], {
        env: { PATH, SHELL: '/bin/sh', PORT: '0', LOG_LEVEL: 'fatal', DATA_DIR: folder },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      onTestFinished(() => void terminal.kill('SIGKILL'))
      for await (const chunk of terminal.stdout) if (/Try/.test(String(chunk))) break
      expect(await readyPid()).toBeGreaterThan(0)
      terminal.kill('SIGKILL')
      await expect.poll(() => isThere(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
    },
  )

  it('outlives it if none of its streams leads there, as under nohup', async () => {
    const { child, ended } = startBroken({ role: 'owner', step: 'none', fault: 'hangs' })
    await once(child, 'message')
    // A process that SIGHUP ends has died of it before it hears of SIGTERM, or takes that for a
    // second signal.
    child.kill('SIGHUP')
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, signal: null, said: '' })
  })
})

describe('start whose data folder is deleted', LONG, () => {
  it('answers 503 for a moment, and ends with a line and status 1', async () => {
    const port = String(await freePort())
    const seed = 'sk_sandbox_for_whoever_looks_on'
    const limit = { RATE_LIMIT_PER_MINUTE: '1000000' }
    const env = { DATA_DIR: folder, PORT: port, SEED_API_KEY: seed, ...limit }
    const { ended } = start('src/main.ts', ['start'], env)
    const headers = { authorization: `Bearer ${seed}` }
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers }).then(
        ({ status, headers }) => [status, headers.has('retry-after')] as const,
        () => undefined,
      )
    await expect.poll(async () => (await ask('/readyz'))?.[0]).toBe(200)
    await rename(folder, `${folder}-moved`)
    onTestFinished(() => rename(`${folder}-moved`, folder))
    const answers = new Set<string>()
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    while (!isOver) {
      const some = await Promise.all(['/self', '/transaction', '/event'].map(ask))
      for (const answer of some) if (answer !== undefined) answers.add(answer.join())
    }
    const said = expect.stringMatching(
      /^lamplighter: the PostgreSQL of \S+ is gone: its data are no longer in .*\n$/,
    )
    expect(await ended).toEqual({ code: 1, signal: null, said })
    expect([...answers].filter((one) => one !== '200,false' && one !== '503,true')).toEqual([])
  })

  it('gives no answer from deleted data, except for a moment', async () => {
    const own = await mkdtemp(join(tmpdir(), 'lamplighter-deleted-'))
    onTestFinished(() => rm(own, { recursive: true, force: true, maxRetries: 10 }))
    const port = String(await freePort())
    const seed = 'sk_sandbox_for_whoever_looks_on'
    const limit = { RATE_LIMIT_PER_MINUTE: '1000000' }
    const env = { DATA_DIR: own, PORT: port, SEED_API_KEY: seed, ...limit }
    const { ended } = start('src/main.ts', ['start'], env)
    const headers = { authorization: `Bearer ${seed}`, 'content-type': 'application/json' }
    const api = `http://127.0.0.1:${port}`
    const isReady = () =>
      fetch(`${api}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady).toBe(true)
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    let answered = 0
    let lastMs = 0
    async function write(): Promise<void> {
      const body = JSON.stringify({ firstname: 'Ada' })
      while (!isOver) {
        const sentMs = performance.now()
        const answer = await fetch(`${api}/customer`, { method: 'POST', headers, body }).catch(
          () => undefined,
        )
        if (answer?.ok !== true) continue
        answered += 1
        lastMs = sentMs
      }
    }
    const writers = Promise.all([write(), write(), write(), write()])
    // By then each connection has its files open.
    await expect.poll(() => answered).toBeGreaterThan(ENOUGH)
    // This is quicker than a removal by Node, file by file, which would be noticed earlier. Files
    // that are made meanwhile stay, and make it fail.
    await promisify(execFile)('rm', ['-rf', own]).catch(() => {})
    const deletedMs = performance.now()
    expect((await ended).code).toBe(1)
    await writers
    expect(lastMs - deletedMs).toBeLessThan(MOMENT_MS)
  })
})
