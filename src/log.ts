// The log: JSON lines, one request id all along, and nothing in it that must not be there.

import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { redacted } from './log/redact.ts'

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
