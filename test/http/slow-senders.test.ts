// The time in which a request arrives is its sender's: the service does not blame itself for it.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECOND } from '../../src/core/time-units.ts'
import { listen, statusesOf } from '../support/raw-connection.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** Longer than a request may take, which is five seconds here. */
const SLOW_MS = 6_500

const LONG_TEST = { timeout: 60_000 }

let service: TestService
let merchant: Merchant
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '1s' } })
  merchant = await service.merchant()
  port = await listen(service.app)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await service.close()
})

it('a request whose body arrives slowly is answered when it is there', LONG_TEST, async () => {
  const body = JSON.stringify({ firstname: 'Ada' })
  const head = [
    'POST /customer HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: ${merchant.headers.authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  const { socket, said } = opened()
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  await delay(SLOW_MS)
  expect(said()).toBe('')
  socket.write(body.slice(5))
  await once(socket, 'close')
  expect(statusesOf(said())).toEqual([200])
})

// Node by itself looks each half minute, and then ends all late requests at once.
it('a request that has not arrived in time is refused soon after', LONG_TEST, async () => {
  const { server } = service.app
  const { headersTimeout, requestTimeout } = server
  try {
    Object.assign(server, { headersTimeout: 100, requestTimeout: 100 })
    const { socket, said } = opened()
    socket.write('POST /customer HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
    await Promise.race([once(socket, 'close'), delay(15 * SECOND)])
    expect(said()).toContain('"error":"request_timeout"')
    expect(statusesOf(said())).toEqual([408])
  } finally {
    Object.assign(server, { headersTimeout, requestTimeout })
  }
})

function opened(): { readonly socket: Socket; readonly said: () => string } {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let said = ''
  socket.on('data', (data) => {
    said += data
  })
  return { socket, said: () => said }
}
