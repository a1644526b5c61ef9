// PostgreSQL's protocol, as far as writing rows needs it. `pg` signs in; after that its socket
// carries messages that were made beforehand.

import type { Socket } from 'node:net'
import pg from 'pg'

export interface Wire {
  /** Resolves when the server has executed it and is ready for the next. */
  send(message: Buffer): Promise<void>
  close(): void
}

/** Kind and length, which counts itself but not the kind. */
const HEAD_BYTES = 5
const LENGTH_BYTES = 4

const READY = 'Z'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)

export async function openWire(databaseUrl: string): Promise<Wire> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {}) // this module uses its socket now, and reports errors of it
  await client.connect()
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection
  socket.removeAllListeners('data')
  return { send: senderOn(socket), close: () => socket.destroy() }
}

function senderOn(socket: Socket): Wire['send'] {
  let rest: Buffer | undefined
  let resolve: () => void = () => {}
  let reject: (error: Error) => void = () => {}
  socket.on('data', (chunk) => {
    const received = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (received.length - at >= HEAD_BYTES) {
      const end = at + 1 + received.readInt32BE(at + 1)
      if (end > received.length) break
      if (received[at] === ERROR)
        reject(new Error(wordsOf(received.subarray(at + HEAD_BYTES, end))))
      if (received[at] === READY) resolve()
      at = end
    }
    rest = at === received.length ? undefined : received.subarray(at)
  })
  socket.on('error', (error) => reject(error))
  return (message) =>
    new Promise((done, failed) => {
      resolve = done
      reject = failed
      socket.write(message)
    })
}

/** Returns the message for people among the fields, each a letter and a text. */
function wordsOf(error: Buffer): string {
  const fields = error.toString('utf8').split('\0')
  return fields.find((field) => field.startsWith('M'))?.slice(1) ?? 'an error without words'
}

/** Prepares a statement on the server under its name. */
export function preparation(name: string, text: string): Buffer {
  return Buffer.concat([message('P', [`${name}\0${text}\0`, int16(0)]), message('S', [])])
}

export interface Execution {
  readonly message: Buffer
  /** The offset of the text of the first value, which another of the same length overwrites. */
  readonly firstValueAt: number
}

/** Runs a prepared statement, and commits. */
export function execution(name: string, values: readonly (string | null)[]): Execution {
  const head = [`\0${name}\0`, int16(0), int16(values.length)]
  const texts = values.flatMap((value) =>
    value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), value],
  )
  const bind = message('B', [...head, ...texts, int16(0)])
  const run = message('E', ['\0', int32(0)])
  return {
    message: Buffer.concat([bind, run, message('S', [])]),
    firstValueAt: HEAD_BYTES + bytesOf(head).length + LENGTH_BYTES,
  }
}

function message(kind: string, parts: readonly (string | Buffer)[]): Buffer {
  const body = bytesOf(parts)
  return Buffer.concat([Buffer.from(kind), int32(body.length + LENGTH_BYTES), body])
}

function bytesOf(parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES)
  bytes.writeInt32BE(value)
  return bytes
}
