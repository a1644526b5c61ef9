// An API server whose callers open more connections than it may open files.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../chaos/proxies.ts'
import { processOf } from '../support/built.ts'
import { openTestService } from '../support/test-service.ts'

const ROOT = join(import.meta.dirname, '../..')

const OPEN_FILES = 256

/** More than the connections to the database that are kept open for nothing. */
const REQUESTS = 30

async function startApi(databaseUrl: string): Promise<number> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-open-files-'))
  const command = `ulimit -n ${OPEN_FILES}; exec "$@"`
  const args = ['-c', command, 'sh', process.execPath, ...processOf('src/main.ts'), 'api']
  const { PATH = '', HOME = '' } = process.env
  const own = { DATA_DIR: folder, DATABASE_URL: databaseUrl, PORT: String(port) }
  const api = spawn('sh', args, {
    cwd: ROOT,
    env: { PATH, HOME, LOG_LEVEL: 'silent', ...own },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    api.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  await expect.poll(() => readiness(port)).toBe(200)
  return port
}

const readiness = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status,
    () => 0,
  )

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

it.skipIf(process.platform !== 'linux')(
  'keeps what it needs for its stores, and closes the connections that are too many',
  { timeout: 60_000 },
  async () => {
    await using service = await openTestService({ backend: 'postgres', queues: [] })
    const { key } = await service.merchant()
    const port = await startApi(service.databaseUrl)
    const sockets: Socket[] = []
    while (sockets.length < 2 * OPEN_FILES) sockets.push(await opened(port))
    const asked = `GET /customer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const answers = sockets.slice(0, REQUESTS).map(async (socket) => {
      socket.write(asked)
      const [answer] = await once(socket, 'data')
      return String(answer).split('\r\n')[0]
    })
    expect([...new Set(await Promise.all(answers))]).toEqual(['HTTP/1.1 200 OK'])
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => readiness(port)).toBe(200)
  },
)
