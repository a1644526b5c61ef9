// Answers input that is not HTTP with a refusal in the usual form, and closes the connection,
// because the start of the next request is unknown.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, problemOf, Refusal } from '../core/errors.ts'

const BY_NODE_CODE: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

export function answerBrokenRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
  requestId: string,
): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const code = BY_NODE_CODE[error.code ?? ''] ?? 'invalid_request'
    socket.write(answerOf(new Refusal(code), requestId))
  }
  socket.destroy(error)
}

function answerOf(refusal: Refusal, requestId: string): string {
  const body = JSON.stringify(problemOf(refusal, requestId))
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
