// The log: JSON lines, one request id all along, and nothing in it that must not be there.

import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/**
 * The names under which secrets and card data travel. Nothing logs them; this is for the day when
 * something does.
 */
const SECRETS = [
  'authorization',
  'bank_?account',
  'card_?cvv',
  'card_?number',
  'connectionString',
  'gateway_?token',
  'password',
  'payment_method_token',
  'secret',
  'token',
]

/** A secret by its name, at any depth, as text or as a number; a merchant's key wherever it stands. */
const BY_NAME = new RegExp(`"(${SECRETS.join('|')})":("(?:[^"\\\\]|\\\\.)*"|[0-9.]+)`, 'gi')
const KEY = /\bsk_(sandbox|live)_[\w-]+/g

export function openLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // A look at the finished line costs 1 µs; pino's own redaction by paths costs 40.
    hooks: { streamWrite: redacted },
    serializers: { err: errorOf },
  }
  return pino(options, destination ?? pino.destination(GATHERED))
}

/** A write a line would cost as much as the line: lines go out by the page, and at least so often. */
const GATHERED = { sync: false, minLength: 4_096, periodicFlush: 100 }

/**
 * Writes out what is still gathered. To be awaited before the end: at the exit itself nothing would
 * notice that nobody reads any more, and the process would try for ever.
 */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()))
}

function redacted(line: string): string {
  return line.replace(BY_NAME, '"$1":"[redacted]"').replace(KEY, 'sk_$1_[redacted]')
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
