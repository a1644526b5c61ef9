// A connection to the intake on which anything at all can be said.

import { once } from 'node:events'
import { connect } from 'node:net'
import type { App } from '../../src/http/app.ts'

/** Lets the intake listen on a free port; answers the port. */
export async function listen(app: App): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the intake has no port')
  return address.port
}

/** Says the parts, each a write of its own; answers what was said back until the intake closed. */
export function converse(port: number, ...parts: readonly string[]): Promise<string> {
  return speak(port, parts, false)
}

/** The same, but hangs up after the last word. */
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
  socket.on('error', () => {}) // what was said before it is what counts
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve))
  if (hangsUp) socket.end()
  if (!socket.closed) await once(socket, 'close')
  return said
}
