// Answers input that is not HTTP with a refusal in the usual form, and closes the connection,
// because the start of the next request is unknown.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_CATALOGUE } from '../core/errors.ts'

const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

export function answerBrokenRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
  requestId: string,
): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    socket.write(answerOf(STATUSES[error.code ?? ''] ?? 400, requestId))
  }
  socket.destroy(error)
}

function answerOf(status: number, requestId: string): string {
  const { message } = ERROR_CATALOGUE.invalid_request
  const body = JSON.stringify({ error: 'invalid_request', message, request_id: requestId })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
