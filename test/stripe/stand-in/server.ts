// The network side: reads requests, answers them as Stripe does, and applies planned faults.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { newId } from './account.ts'
import { delay, type StripeFault, type StripeRequest } from './faults.ts'
import { readForm } from './form.ts'
import type { StripeReply } from './idempotency.ts'
import type { BrowserReply } from './stripe-js.ts'

export interface ReceivedRequest extends StripeRequest {
  readonly requestId: string
  readonly apiKey: string | undefined
  readonly apiVersion: string
}

/** A logged request, without its parameters, some of which are secrets. */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | undefined
  readonly account: string | undefined
  /** The status that was sent; undefined if the client got no complete answer. */
  readonly status: number | undefined
  readonly isReplayed: boolean
  readonly fault: StripeFault['kind'] | undefined
}

export interface StripeHandlers {
  plan(request: StripeRequest): StripeFault | undefined
  answer(request: ReceivedRequest, fault: StripeFault | undefined): Promise<StripeReply>
  log(request: LoggedRequest): void
  /** The answer to a browser; undefined if the request is not a browser's. */
  browse(request: StripeRequest): BrowserReply | undefined
  /** The version of the account, for an answer to a request that names none. */
  readonly apiVersion: string
}

const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>\n'
const GARBAGE = '{"id": "pi_'

export function stripeServer(handlers: StripeHandlers): Server {
  return createServer((incoming, response) => {
    serve(handlers, incoming, response).catch((error: unknown) => {
      console.error(error)
      incoming.destroy()
    })
  })
}

async function serve(
  { plan, answer, log, browse, apiVersion }: StripeHandlers,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await read(incoming, apiVersion)
  const page = browse(request)
  if (page !== undefined) {
    const headers = { 'content-type': page.type, 'access-control-allow-origin': '*' }
    response.writeHead(page.status, headers).end(page.body)
    return
  }
  const fault = plan(request)
  if (fault?.kind === 'slow' && fault.while === 'arriving') await delay(fault.lasts)
  const isExecuted = !(fault && 'isExecuted' in fault) || fault.isExecuted
  const reply = isExecuted ? await answer(request, fault) : undefined
  if (fault?.kind === 'slow' && fault.while === 'answering') await delay(fault.lasts)
  const status = send(response, request, reply, fault)
  const { account, idempotencyKey, method, path } = request
  const isReplayed = reply?.originalRequestId !== undefined
  log({ method, path, idempotencyKey, account, status, isReplayed, fault: fault?.kind })
}

async function read(incoming: IncomingMessage, apiVersion: string): Promise<ReceivedRequest> {
  const { headers, method = '', url = '' } = incoming
  const text = Buffer.concat(await incoming.toArray()).toString('utf8')
  const { pathname, search } = new URL(url, 'http://localhost')
  return {
    requestId: newId('req'),
    method,
    path: pathname,
    apiKey: apiKeyOf(headers.authorization),
    apiVersion: headerOf(headers['stripe-version']) ?? apiVersion,
    account: headerOf(headers['stripe-account']),
    idempotencyKey: headerOf(headers['idempotency-key']),
    form: readForm(text === '' ? search.slice(1) : text),
  }
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** `Bearer sk_…`, or the key as the user of Basic, as curl sends it. */
function apiKeyOf(authorization = ''): string | undefined {
  const [scheme = '', value = ''] = authorization.split(' ')
  if (/^bearer$/i.test(scheme)) return value
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}

/** Returns the status of a complete answer. */
function send(
  response: ServerResponse,
  request: ReceivedRequest,
  reply: StripeReply | undefined,
  fault: StripeFault | undefined,
): number | undefined {
  switch (fault?.kind) {
    case 'hang':
      return undefined
    case 'cut':
      response.socket?.destroy()
      return undefined
    case 'bad gateway':
      response.writeHead(502, { 'content-type': 'text/html' }).end(BAD_GATEWAY)
      return 502
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE)
      return 200
    case 'other words':
      response.writeHead(fault.status, { 'content-type': 'application/json' }).end(fault.body)
      return fault.status
  }
  if (reply === undefined) return undefined
  response.writeHead(reply.status, headersOf(request, reply))
  if (fault?.kind === 'reset in the body') {
    const half = reply.body.slice(0, reply.body.length / 2)
    response.write(half, () => response.socket?.resetAndDestroy())
    return undefined
  }
  response.end(reply.body)
  return reply.status
}

function headersOf(request: ReceivedRequest, reply: StripeReply): Record<string, string> {
  const { account, apiVersion, idempotencyKey } = request
  const isReplayed = reply.originalRequestId !== undefined
  return {
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(reply.body)}`,
    'request-id': reply.requestId,
    'stripe-version': apiVersion,
    ...(account !== undefined && { 'stripe-account': account }),
    ...(idempotencyKey !== undefined && {
      'idempotency-key': idempotencyKey,
      'original-request': reply.originalRequestId ?? reply.requestId,
    }),
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
    ...(reply.status >= 500 && { 'stripe-should-retry': reply.isKept ? 'false' : 'true' }),
  }
}
