// The time in which a body arrives is its sender's: the service does not blame itself for it.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, statusesOf } from '../support/raw-connection.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** Longer than a request may take, which is five seconds here. */
const SLOW_MS = 6_500

const LONG_TEST = { timeout: 60_000 }

let service: TestService
let merchant: Merchant
let socket: Socket

beforeAll(async () => {
  service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '1s' } })
  merchant = await service.merchant()
})
afterAll(async () => {
  socket.destroy()
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
  socket = connect(await listen(service.app), '127.0.0.1')
  let said = ''
  socket.on('data', (data) => {
    said += data
  })
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  await delay(SLOW_MS)
  expect(said).toBe('')
  socket.write(body.slice(5))
  await once(socket, 'close')
  expect(statusesOf(said)).toEqual([200])
})
