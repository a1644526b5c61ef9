// Requests that arrive together, on a bare server: none waits for all of the others.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { shareTurns } from '../../src/http/connections.ts'
import { statusesOf } from '../support/raw-connection.ts'

/** A fifth of what a turn has. */
const WORK_MS = 4

const CALLERS = 40

/** More than a connection reads ahead. */
const LONG_BYTES = 1024 * 1024

let server: Server
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  await once(server, 'close')
})

it('requests that arrive at once on many connections begin in several turns', async () => {
  const ofTurn = new Map<number, number>()
  let turn = 0
  let isOpen = true
  const nextTurn = () => {
    turn += 1
    if (isOpen) setImmediate(nextTurn)
  }
  const callers = await callersOf((path, response) => {
    if (path === '/work') {
      ofTurn.set(turn, (ofTurn.get(turn) ?? 0) + 1)
      work()
    }
    response.end()
  }, CALLERS)
  // Node accepts one connection in a turn, so all of them are in use before.
  for (const { socket } of callers) socket.write(get('/'))
  await Promise.all(callers.map(({ answers }) => answers(1)))
  nextTurn()
  for (const { socket } of callers) socket.write(get('/work'))
  await Promise.all(callers.map(({ answers }) => answers(2)))
  isOpen = false
  expect(Math.max(...ofTurn.values())).toBeLessThan(CALLERS / 4)
})

it('a request begins when the one before it on its connection is answered', async () => {
  const begun: string[] = []
  let finish = () => {}
  const [many, single] = await callersOf((path, response) => {
    begun.push(path)
    if (path === '/1') finish = () => response.end()
    else response.end()
  }, 2)
  many?.socket.write(['/1', '/2', '/3'].map(get).join(''))
  await until(() => begun.length > 0)
  single?.socket.write(get('/other'))
  await single?.answers(1)
  expect(begun).toEqual(['/1', '/other'])
  finish()
  await many?.answers(3)
  expect(begun).toEqual(['/1', '/other', '/2', '/3'])
  many?.socket.write(['/4', '/5'].map(get).join(''))
  await many?.answers(5)
  expect(begun.slice(4)).toEqual(['/4', '/5'])
})

it('a long body behind another request is read once its own request has begun', async () => {
  const read: number[] = []
  let finish = () => {}
  const [caller] = await callersOf((path, response, request) => {
    if (path === '/1') finish = () => response.end()
    else {
      let bytes = 0
      request.on('data', (data) => {
        bytes += data.length
      })
      request.on('end', () => {
        read.push(bytes)
        response.end()
      })
    }
  }, 1)
  const head = `POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: ${LONG_BYTES}\r\n\r\n`
  caller?.socket.write(`${get('/1')}${head}${'x'.repeat(LONG_BYTES)}${get('/1')}`)
  await delay(100)
  finish()
  await caller?.answers(2)
  expect(read).toEqual([LONG_BYTES])
})

it('what waits on a connection that has closed never begins', async () => {
  const begun: string[] = []
  const [gone, other] = await callersOf((path, response) => {
    begun.push(path)
    if (path !== '/1') response.end()
  }, 2)
  gone?.socket.write(['/1', '/2'].map(get).join(''))
  await until(() => begun.length > 0)
  const open = () => new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)))
  gone?.socket.destroy()
  while ((await open()) > 1) await new Promise(setImmediate)
  other?.socket.write(get('/other'))
  await other?.answers(1)
  expect(begun).toEqual(['/1', '/other'])
})

interface Caller {
  readonly socket: Socket
  /** Resolves once it has got so many answers. */
  answers(count: number): Promise<void>
}

async function callersOf(
  handle: (path: string, response: ServerResponse, request: IncomingMessage) => void,
  count: number,
): Promise<readonly Caller[]> {
  server = createServer((request, response) => {
    handle(request.url ?? '', response, request)
  })
  shareTurns(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return Promise.all(Array.from({ length: count }, () => callerOf(address.port)))
}

async function callerOf(port: number): Promise<Caller> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let said = ''
  socket.on('data', (data) => {
    said += data
  })
  await once(socket, 'connect')
  return { socket, answers: (wanted) => until(() => statusesOf(said).length >= wanted) }
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
}

function work(): void {
  const endMs = performance.now() + WORK_MS
  while (performance.now() < endMs);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate)
}
