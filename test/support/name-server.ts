// A name server in this process, with the names that a test sets.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Addresses of one family, a code of failure, or no answer at all. */
export type NameAnswer = readonly string[] | { readonly failure: number } | 'silence'

export interface NameServer extends AsyncDisposable {
  /** The address in a resolver's form. */
  readonly address: string
  /** The requested names, with their families, in order. */
  readonly asked: readonly string[]
}

export const SERVER_FAILURE = 2
export const NO_SUCH_NAME = 3

const HEADER_BYTES = 12
const FAMILIES = new Map([
  [1, 4],
  [28, 6],
] as const)

export async function openNameServer(
  know: (name: string, family: 4 | 6) => NameAnswer,
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    const family = FAMILIES.get(query.readUInt16BE(end) as 1 | 28) ?? 4
    asked.push(`${name} ${family}`)
    const answer = know(name, family)
    if (answer !== 'silence') socket.send(replyTo(query, end + 4, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function replyTo(query: Buffer, end: number, answer: Exclude<NameAnswer, 'silence'>): Buffer {
  const addresses = 'failure' in answer ? [] : answer
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | ('failure' in answer ? answer.failure : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...addresses.map(record)])
}

/** It may be cached for an hour. */
function record(address: string): Buffer {
  const data = address.includes(':')
    ? bytesOf6(address)
    : Buffer.from(address.split('.').map(Number))
  const type = data.length === 4 ? 1 : 28
  return Buffer.concat([
    Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0x0e, 0x10, 0, data.length]),
    data,
  ])
}

/** The bytes of an address with one `::`. */
function bytesOf6(address: string): Buffer {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  const words = [...head, ...zeros, ...tail].map((word) => Number.parseInt(word, 16))
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]))
}
