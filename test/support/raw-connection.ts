// A connection to the API server that sends any bytes.

import { once } from 'node:events'
import { connect } from 'node:net'
import type { App } from '../../src/http/app.ts'

/** Lets the API server listen on a free port; answers the port. */
export async function listen(app: App): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the API server has no port')
  return address.port
}

/** Sends the parts, each as a write of its own; answers the bytes that came until the end. */
export function converse(port: number, ...parts: readonly string[]): Promise<string> {
  return speak(port, parts, false)
}

/** The same, and hangs up after the last part. */
export function hangUpAfter(port: number, ...parts: readonly string[]): Promise<string> {
  return speak(port, parts, true)
}

export function statusesOf(said: string): readonly number[] {
  return [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

async function speak(port: number, parts: readonly string[], hangsUp: boolean): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let said = ''
  socket.on('data', (data) => {
    said += data
  })
  socket.on('error', () => {}) // The bytes before it count.
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve))
  if (hangsUp) socket.end()
  if (!socket.closed) await once(socket, 'close')
  return said
}
