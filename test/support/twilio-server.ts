// Twilio's API for texts, on loopback: its behaviour is set by the test, and it keeps the requests.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TWILIO } from './settings.ts'

export type Form = Readonly<Record<string, string>>

interface TwilioRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly form: Form
}

export type TwilioBehaviour =
  | {
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** It takes the request and never answers. */
  | 'hang'
  /** It takes the request and closes the connection. */
  | 'cut'
  /** It begins to answer and closes the connection. */
  | 'cut in the middle'

type Behave = (asked: TwilioRequest) => TwilioBehaviour | Promise<TwilioBehaviour>

export interface TwilioServer extends AsyncDisposable {
  readonly url: string
  /** The requests, the oldest first. */
  readonly asked: readonly TwilioRequest[]
  /** Sets the behaviour, and forgets the earlier requests. */
  behave(behaviour: TwilioBehaviour | Behave): void
}

export const ACCOUNT_SID = TWILIO.TWILIO_ACCOUNT_SID
export const AUTH_TOKEN = 'a-token-of-32-characters-or-so..'

/** The sid of a text contains its number, so that a test knows it. */
export function sidOf(to: string): string {
  return `SM${to.replace(/\D/g, '').padStart(32, '0')}`
}

/** It accepts every text. */
export const TAKES: Behave = ({ form: { To = '' } }) => ({
  status: 201,
  body: { sid: sidOf(To), status: 'queued', to: To, error_code: null },
})

/** Twilio's form of a refusal. */
export function refusing(status: number, code: number, message = 'no', headers: Form = {}) {
  const more_info = `https://www.twilio.com/docs/errors/${code}`
  return { status, headers, body: { code, message, more_info, status } } satisfies TwilioBehaviour
}

export async function openTwilioServer(): Promise<TwilioServer> {
  const asked: TwilioRequest[] = []
  let behave: Behave = TAKES
  const server = createServer(async (request, response) => {
    const one = await read(request)
    asked.push(one)
    answer(response, await behave(one))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave(behaviour) {
      asked.length = 0
      behave = typeof behaviour === 'function' ? behaviour : () => behaviour
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<TwilioRequest> {
  const { method = '', url: path = '', headers } = request
  const chunks = await request.toArray()
  const text = Buffer.concat(chunks).toString('utf8')
  return { method, path, headers, form: Object.fromEntries(new URLSearchParams(text)) }
}

function answer(response: ServerResponse, behaviour: TwilioBehaviour): void {
  if (behaviour === 'hang') return
  if (behaviour === 'cut') {
    response.socket?.destroy()
  } else if (behaviour === 'cut in the middle') {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': 100 })
    response.write('{"sid":', () => response.socket?.destroy())
  } else {
    const { status, body = '', headers } = behaviour
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
}

/** The value of X-Twilio-Signature, by Twilio's documentation. */
export function signatureOf(url: string, form: Form, token = AUTH_TOKEN): string {
  const fields = Object.keys(form).sort()
  const text = url + fields.map((name) => `${name}${form[name]}`).join('')
  return createHmac('sha1', token).update(text, 'utf8').digest('base64')
}

/** A callback for `send`, signed for the given url. */
export function callback(url: string, form: Form, signature = signatureOf(url, form)) {
  const { pathname, search } = new URL(url)
  return {
    method: 'POST',
    url: `${pathname}${search}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': signature,
    },
    payload: new URLSearchParams(form).toString(),
  }
}
