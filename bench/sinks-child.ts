// The receivers of messages and events: a mail server and an endpoint in a process of their own.
// They keep only the time of each arrival; the endpoint verifies every event, with the standard's
// own library.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { answerParent } from './child.ts'
import { SECRET } from './delivery-secret.ts'

export interface SinksQuestion {
  readonly kind: 'where' | 'forget' | 'arrived'
}

export interface SinksAnswer {
  readonly smtpPort: number
  readonly httpPort: number
  /** By the id of the message or of the event: milliseconds since 1970. */
  readonly mails: readonly (readonly [string, number])[]
  readonly posts: readonly (readonly [string, number])[]
  /** The number of arrivals, repeats included. */
  readonly count: number
}

const MESSAGE_ID = /^message-id:\s*<([^@>]+)/im

/** The header with a name is never further down. */
const HEAD_BYTES = 2_048

const webhook = new Webhook(SECRET)
const mails = new Map<string, number>()
const posts = new Map<string, number>()
let count = 0

const now = () => performance.timeOrigin + performance.now()

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, callback) {
    let head = ''
    stream.on('data', (chunk: Buffer) => {
      if (head.length < HEAD_BYTES) head += chunk.toString('latin1')
    })
    stream.on('end', () => {
      count += 1
      mails.set(MESSAGE_ID.exec(head)?.[1] ?? '', now())
      callback()
    })
  },
})

/** The steps of a receiver, as in docs/webhooks/receiver.mjs. */
const http = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const headers = request.headers as Record<string, string>
    try {
      webhook.verify(Buffer.concat(chunks), headers)
    } catch {
      response.writeHead(400).end()
      return
    }
    count += 1
    posts.set(headers['webhook-id'] ?? '', now())
    response.writeHead(204).end()
  })
})
http.keepAliveTimeout = 60_000

const smtpServer = smtp.listen(0, '127.0.0.1')
http.listen(0, '127.0.0.1')
await Promise.all([once(smtpServer, 'listening'), once(http, 'listening')])

answerParent<SinksQuestion, SinksAnswer>(async ({ kind }) => {
  if (kind === 'forget') {
    mails.clear()
    posts.clear()
    count = 0
  }
  const isAsked = kind === 'arrived'
  return {
    smtpPort: (smtpServer.address() as AddressInfo).port,
    httpPort: (http.address() as AddressInfo).port,
    mails: isAsked ? [...mails] : [],
    posts: isAsked ? [...posts] : [],
    count,
  }
})
