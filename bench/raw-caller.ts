// HTTP over a raw socket, one request after the other, as little of it as a load needs: on a small
// machine the cost of the load reduces the measured speed.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawCaller {
  readonly socket: Socket
  /** Resolves with the whole answer, head and body. */
  send(request: string): Promise<Buffer>
}

export const END_OF_HEAD = '\r\n\r\n'

const VERSION = 'HTTP/1.1 '
const OK = `${VERSION}200 `

export async function openRawCaller(address: string): Promise<RawCaller> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let received: Buffer | undefined
  let resolve: (answer: Buffer) => void = () => {}
  let reject: (error: Error) => void = () => {}
  socket.on('data', (chunk) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk])
    if (!isWhole(received)) return
    const answer = received
    received = undefined
    resolve(answer)
  })
  socket.on('error', (error) => reject(error))
  socket.on('close', () => reject(new Error('the service closed a connection')))
  return {
    socket,
    send(request) {
      socket.write(request, 'latin1')
      return new Promise((done, failed) => {
        resolve = done
        reject = failed
      })
    },
  }
}

export function isOk(answer: Buffer): boolean {
  return answer.toString('latin1', 0, OK.length) === OK
}

export function statusOf(answer: Buffer): number {
  return Number(answer.toString('latin1', VERSION.length, OK.length))
}

function isWhole(received: Buffer): boolean {
  const headEnd = received.indexOf(END_OF_HEAD)
  if (headEnd < 0) return false
  const head = received.toString('latin1', 0, headEnd)
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error('an answer without its length')
  return received.length >= headEnd + END_OF_HEAD.length + Number(length)
}
