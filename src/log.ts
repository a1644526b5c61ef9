// The log: JSON lines, one request id all along, and nothing in it that must not be there.

import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/**
 * By the names under which secrets and card data travel. Nothing logs them; this is for the day
 * when something does.
 */
const REDACTED = [
  'authorization',
  'bank_account',
  'bankAccount',
  'card_cvv',
  'card_number',
  'cardCvv',
  'cardNumber',
  'connectionString',
  'gatewayToken',
  'password',
  'secret',
  'token',
]

export function openLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]) },
    serializers: { err: errorOf },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/**
 * What an error is, without the fields that libraries hang on it: a driver's error quotes the row
 * that it refused, and an HTTP client's carries its headers.
 */
function errorOf(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = Reflect.get(error, 'code')
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth > 3 ? {} : { cause: errorOf(error.cause, depth + 1) }),
  }
}
