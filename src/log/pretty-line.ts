// A log line as a person at a terminal reads it. It is made from the finished JSON line, from which
// secrets are removed already.

import type { Paint } from '../core/paint.ts'
import { oneLine, plainLines } from '../core/terminal-text.ts'

const COLOURS: Readonly<Record<string, Parameters<Paint>[0]>> = {
  fatal: 'bad',
  error: 'bad',
  warn: 'odd',
  info: 'good',
}

/** The position of the time of day in ISO 8601. A person knows the date. */
const TIME = 'YYYY-MM-DDT'.length

export function prettyLine(line: string, paint: Paint): string {
  const fields = fieldsOf(line)
  if (fields === undefined) return `${oneLine(line)}\n`
  const { level, time, pid: _pid, msg, err, ...rest } = fields
  const name = String(level)
  const begin = [
    paint('dim', oneLine(String(time)).slice(TIME)),
    paint(COLOURS[name] ?? 'dim', oneLine(name).toUpperCase().padEnd('ERROR'.length)),
    oneLine(String(msg ?? '')),
  ]
  const shown = Object.entries(rest).map(
    ([field, value]) => `${paint('dim', `${oneLine(field)}=`)}${valueText(value)}`,
  )
  return `${[...begin, ...shown].join(' ').trimEnd()}\n${errorText(err)}`
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"]+$/.test(value)) return oneLine(value)
  return oneLine(JSON.stringify(value))
}

/** The stack begins with the error's name and message. Causes follow, with their messages alone. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { type, message, stack, cause } = error as Readonly<Record<string, unknown>>
  const text = typeof stack === 'string' ? stack : `${type}: ${message}`
  const lines = plainLines(text).split('\n')
  return `${lines.map((one) => `    ${one}\n`).join('')}${causeText(cause)}`
}

function causeText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { type, message, cause } = error as Readonly<Record<string, unknown>>
  return `    caused by ${oneLine(`${type}: ${message}`)}\n${causeText(cause)}`
}
