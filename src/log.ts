// The log: JSON lines with one request id throughout, and without secrets or personal data. A
// terminal shows them in a form for people.

import { type DestinationStream, type Logger, pino } from 'pino'
import { hasColour, type TextOutput } from './config/colour.ts'
import type { Config } from './config.ts'
import { colourPaint, type Paint, plainPaint } from './core/paint.ts'
import { redacted } from './core/redact.ts'
import { prettyLine } from './log/pretty-line.ts'

/** Without `pretty` the lines are JSON. */
export function openLog(
  level: Config['logLevel'],
  destination?: DestinationStream,
  pretty?: Paint,
): Logger {
  const gathered = destination === undefined ? openOutput() : undefined
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Checking the finished line costs 1 µs; pino's own redaction by paths costs 40.
    hooks: { streamWrite: flushed(gathered, writtenAs(pretty)) },
    serializers: { err: errorOf },
  }
  return pino(options, destination ?? gathered)
}

/**
 * On a full disk lines are kept, and those beyond are lost, until there is room again: the service
 * goes on without them. pino itself lets go of a pipe whose reader has gone.
 */
function openOutput() {
  const output = pino.destination(GATHERED)
  output.once('error', ({ message }: Error) => {
    // At the exit it would try without end.
    output.flushSync = () => {}
    process.stderr.write(`lamplighter: the log cannot be written: ${message}\n`)
  })
  output.on('error', () => {}) // it tries again at the next line
  return output
}

/** The lines are written a moment after the first of them. A quiet process has no timer. */
function flushed(
  stream: { flush(): void } | undefined,
  write: (line: string) => string,
): (line: string) => string {
  if (stream === undefined) return write
  let isDue = false
  function flush(): void {
    isDue = false
    stream?.flush()
  }
  return (line) => {
    if (!isDue) setTimeout(flush, FLUSH_MS).unref()
    isDue = true
    return write(line)
  }
}

/** In both forms secrets are removed from the whole line. */
function writtenAs(pretty: Paint | undefined): (line: string) => string {
  return pretty === undefined ? redacted : (line) => prettyLine(redacted(line), pretty)
}

/** Undefined if the lines are JSON: by the setting, or because the output is no terminal. */
export function logPaint(
  { logFormat }: Pick<Config, 'logFormat'>,
  output: TextOutput,
): Paint | undefined {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && output.isTTY === true)
  if (!isPretty) return undefined
  return hasColour(output) ? colourPaint : plainPaint
}

/** Writing each line separately would double its cost, so lines are written in blocks. */
const GATHERED = { sync: false, minLength: 4_096, maxLength: 1_000_000 }

/** A line is written at the latest after this. */
const FLUSH_MS = 100

/**
 * Writes the buffered lines. Await it before the end: at the exit itself the process would try
 * forever if the reader is gone.
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
