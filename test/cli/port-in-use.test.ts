// Two processes cannot listen on one port: the second says so in a line, and ends. So does one that
// cannot listen at all.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { portInUse } from '../../src/http/listen-on.ts'
import { processOf } from '../support/built.ts'
import { runCommand } from '../support/command.ts'
import { freshDatabase } from '../support/postgres.ts'

const LONG = { timeout: 90_000 }

let holder: Server
let port: number
let databaseUrl: string

beforeAll(async () => {
  holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  port = (holder.address() as AddressInfo).port
  databaseUrl = (await freshDatabase()).url
}, 60_000)
afterAll(() => {
  holder.close()
})

it.each([
  ['start', 'PORT'],
  ['api', 'PORT'],
  ['api', 'ADMIN_PORT'],
  ['worker', 'WORKER_PORT'],
])('%s names the setting of the port that is in use, and fails', LONG, async (part, setting) => {
  const child = spawn(process.execPath, [...processOf('src/main.ts'), part], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'warn',
      PORT: '0',
      [setting]: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'exit')
  expect(await said).toEqual(['', `lamplighter: ${portInUse(port, setting)}\n`])
  expect(code).toBe(1)
})

it.each([
  ['an address of another machine', '192.0.2.1', '3999'],
  ['an address of another machine, and any port', '192.0.2.1', '0'],
  ['an unknown name', 'nowhere.invalid', '3999'],
])('api names the setting for %s, and fails', LONG, async (_what, host, anyPort) => {
  const settings = { DATABASE_URL: databaseUrl, HOST: host, PORT: anyPort, LOG_LEVEL: 'warn' }
  const advice = 'set HOST to one that it has, or to 0.0.0.0'
  expect(await runCommand(['api'], settings)).toEqual({
    status: 1,
    out: '',
    err: `lamplighter: this machine has no address ${host}: ${advice}\n`,
  })
})

it('start notices it before it makes anything', LONG, async () => {
  const dataDir = join(tmpdir(), `lamplighter-never-${randomUUID()}`)
  const { status, err } = await runCommand(['start'], { DATA_DIR: dataDir, PORT: String(port) })
  expect(err).toBe(`lamplighter: ${portInUse(port, 'PORT')}\n`)
  expect(status).toBe(1)
  await expect(access(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
})
