// The log: JSON lines with one request id throughout, and without secrets or personal data.

import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { redacted } from './core/redact.ts'

export function openLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Checking the finished line costs 1 µs; pino's own redaction by paths costs 40.
    hooks: { streamWrite: redacted },
    serializers: { err: errorOf },
  }
  return pino(options, destination ?? pino.destination(GATHERED))
}

/**
 * Writing each line separately would double its cost, so lines are written in blocks, at least this
 * often.
 */
const GATHERED = { sync: false, minLength: 4_096, periodicFlush: 100 }

/**
 * Writes the buffered lines. Await it before the end: at the exit itself, if nobody reads any more,
 * the process would try forever.
 */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()))
}

/**
 * Logs an error without the extra fields of libraries: a driver's error quotes the row that it
 * refused, and an HTTP client's carries headers.
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
