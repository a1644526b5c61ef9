// The HTTP request of a charge. It is made beforehand; only its key changes.

import type { Target } from './load.ts'
import { END_OF_HEAD, isOk } from './raw-caller.ts'

const FINAL = '"status":"SUCCESS"'

/** Unlike any key of another run on the same database. */
const RUN = Math.random().toString(36).slice(2, 10).padEnd(8, '0')

let charges = 0

export function nextKey(): string {
  charges += 1
  return `bench-${RUN}-${String(charges).padStart(10, '0')}`
}

/** The parts of the request before the idempotency key, and after it. */
export function requestParts(target: Target, paymentMethodId: string): [string, string] {
  const body = JSON.stringify({ total: 12.5, payment_method_id: paymentMethodId })
  const head = [
    'POST /charge HTTP/1.1',
    `Host: ${new URL(target.address).host}`,
    `Authorization: Bearer ${target.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Idempotency-Key: ',
  ]
  return [head.join('\r\n'), `${END_OF_HEAD}${body}`]
}

export function isSuccess(answer: Buffer): boolean {
  return isOk(answer) && answer.includes(FINAL)
}
