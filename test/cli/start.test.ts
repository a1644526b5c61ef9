// The first commands of a newcomer: the whole service by one command, and the commands beside it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processOf } from '../support/built.ts'
import { type Ran, runCommand, runHere } from '../support/command.ts'

const ROOT = join(import.meta.dirname, '../..')
const LONG = { timeout: 60_000 }

let folder: string
let service: ChildProcess
let welcome: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter start '))
  service = lamplighter()
  welcome = await saidUntil(service, '"msg":"ready"')
}, 60_000)

afterAll(async () => {
  if (service.exitCode === null) service.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

describe('lamplighter start', LONG, () => {
  it('prints all addresses when it is ready, and a request that works when pasted', async () => {
    const [, address = '', key = ''] =
      /(http\S+)\/charge -H 'Authorization: Bearer (\S+)'/.exec(welcome) ?? []
    const [, body = ''] = /-d '(.+)'/.exec(welcome) ?? []
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${address}/charge`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ status: 'SUCCESS', total: 12.5 })
    expect((await fetch(`${address}/docs`)).status).toBe(200)
  })

  it('shows a link to the console that works once and is in no log', async () => {
    const [, url = ''] = /Console {2}(http\S+\?once=\S+)/.exec(welcome) ?? []
    const { pathname, origin, searchParams } = new URL(url)
    const once = searchParams.get('once') ?? ''
    const knock = () =>
      fetch(origin + pathname, {
        method: 'POST',
        body: new URLSearchParams({ once, name: 'Ada' }),
        redirect: 'manual',
      })
    expect((await fetch(url)).status).toBe(200)
    expect((await knock()).headers.get('location')).toBe('/admin')
    expect((await knock()).status).toBe(401)
    expect(welcome.split(once)).toHaveLength(2)
  })

  it('has its folder to itself, and names in one line the process that has it', async () => {
    const { status, err } = await runCommand(['start'], settings())
    expect(status).toBe(1)
    expect(err).toContain(`is in use by process ${service.pid}`)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

describe('a command beside a running service', LONG, () => {
  it('makes, lists, rolls and revokes keys', async () => {
    const key = await json(['keys', 'create', '--team', 'Demo', '--name', 'shop'])
    expect(key.key).toMatch(/^sk_sandbox_[\w-]{43}$/)
    const rolled = await json(['keys', 'roll', key.id, '--overlap', '1h'])
    await json(['keys', 'revoke', rolled.id])
    const states = (await json(['keys', 'list'])).map((one: { id: string; state: string }) => [
      one.id,
      one.state,
    ])
    expect(Object.fromEntries(states)).toMatchObject({ [key.id]: 'active', [rolled.id]: 'revoked' })
  })

  it('makes, changes and lists teams', async () => {
    await json(['teams', 'create', 'Moonlight Books'])
    const team = await json([
      'teams',
      'set',
      'Moonlight Books',
      'status=inactive',
      'sms_enabled=true',
    ])
    expect(team).toMatchObject({ status: 'inactive', sms_enabled: true })
    expect(await json(['teams', 'list'])).toHaveLength(2)
  })

  it('makes another link into the console', async () => {
    const { url, expires_at: expiresAt } = await json(['sign-in-link'])
    expect(url).toMatch(/^http:\/\/.*\/admin\/sign-in\?once=[\w-]{43}$/)
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  })

  it('examines it, and finds no fault', async () => {
    // It has a process of its own, as an operator's command has.
    const findings = jsonOf(await runCommand(['doctor', '--json'], settings()))
    expect(findings.filter((one: { state: string }) => one.state !== 'ok')).toEqual([])
  })

  it.each([
    [['keys', 'create', '--team', 'Nobody'], 'there is no team Nobody'],
    [['keys', 'revoke', 'x'], 'there is no key x'],
    [['teams', 'set', 'Demo', 'colour=blue'], 'colour=blue is not a change of a team'],
    [['teams', 'create', ' '], 'a name has 1 to 120 characters'],
    [['teams', 'set', 'Demo', 'name='], 'name=: a name has 1 to 120 characters'],
  ])('reports the fault in one line: %s', async (args, text) => {
    const { status, err } = await runHere(args, settings())
    expect(status).toBe(1)
    expect(err).toContain(text)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('names every wrong setting', async () => {
    const wrong = { PORT: 'x', REDIS_URL: 'http://here' }
    const { status, err } = await runHere(['doctor'], { ...settings(), ...wrong })
    expect(status).toBe(1)
    expect(err).toMatch(/PORT[\s\S]*REDIS_URL/)
  })
})

describe('on SIGTERM', LONG, () => {
  it('ends, though its log is no longer read', async () => {
    service.stdout?.destroy()
    service.kill('SIGTERM')
    const [status] = await once(service, 'exit')
    expect(status).toBe(0)
  })
})

describe('the next start', LONG, () => {
  it('says which file holds the key of the first start, and its request works too', async () => {
    expect(welcome).toMatch(/Key {6}sk_sandbox_[\w-]{43}/)
    await using again = await startAgain({})
    expect(again.welcome).toContain(`Key      in ${join(folder, 'sandbox.key')}`)
    expect(again.welcome).not.toMatch(/sk_sandbox_\w/)
    expect(await again.pasted()).toContain('"status":"SUCCESS"')
  })

  it('shows only the beginning of a key from the settings', async () => {
    const given = 'sk_sandbox_given_by_the_operator_who_knows_it'
    await using again = await startAgain({ SEED_API_KEY: given })
    expect(again.welcome).toMatch(/Key {6}sk_sandbox_given\w*…, from SEED_API_KEY/)
    expect(again.welcome).not.toContain(given)
    expect(await again.pasted({ SEED_API_KEY: given })).toContain('"status":"SUCCESS"')
  })
})

async function startAgain(more: Readonly<Record<string, string>>) {
  const child = lamplighter(more)
  const said = await saidUntil(child, '"msg":"ready"')
  return {
    welcome: said,
    /** The output of the pasted command in a shell. */
    async pasted(env: Readonly<Record<string, string>> = {}) {
      const line = said.slice(said.indexOf('curl -s'), said.indexOf("}'") + 2)
      const shell = spawn('sh', ['-c', line], { env: { PATH: process.env.PATH ?? '', ...env } })
      return text(shell.stdout)
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function settings() {
  return { DATA_DIR: folder, PORT: '0' }
}

function lamplighter(more: Readonly<Record<string, string>> = {}) {
  const { PATH = '', HOME = '' } = process.env
  return spawn('node', [...processOf('src/main.ts'), 'start'], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings(), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

// biome-ignore lint/suspicious/noExplicitAny: what a command prints is looked into as a script does
function jsonOf({ status, out, err }: Ran): any {
  if (status !== 0) throw new Error(err)
  return JSON.parse(out)
}

async function json(args: readonly string[]) {
  return jsonOf(await runHere([...args, '--json'], settings()))
}

/** Reads without ending the stream, as leaving a `for await` would. */
function saidUntil(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk) => {
      said += chunk
      if (said.includes(text)) resolve(said)
    })
    child.once('exit', () => reject(new Error(`it ended:\n${said}`)))
  })
}
