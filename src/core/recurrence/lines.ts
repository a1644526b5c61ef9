// The lines of a rule as the client sent it: one rule, with or without `RRULE:`, and DTSTART,
// EXDATE and RDATE. Case does not matter; only zones keep the client's spelling.

import { MOST_TEXT } from './steps.ts'

/** Receives a fault, in words that follow the name of the field. */
export type Complain = (fault: string) => void

/** Times as the client wrote them, with the zone that the line names. */
export interface WrittenTimes {
  readonly zone: string | undefined
  readonly texts: readonly string[]
}

export interface Lines {
  readonly rule: string | undefined
  readonly starts: readonly WrittenTimes[]
  readonly except: readonly WrittenTimes[]
  readonly extra: readonly WrittenTimes[]
}

interface Line {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly value: string
}

type Parameter = readonly [key: string, value: string]

const LINE = /^(?<name>[A-Z-]+)(?<parameters>(?:;[^:;=]+=[^:;]*)*):(?<value>.*)$/i
const KNOWN = ['RRULE', 'DTSTART', 'EXDATE', 'RDATE']

/** PERIOD is not supported, because an invoice has no duration. */
const VALUES = ['DATE', 'DATE-TIME']

export function readLines(text: string, complain: Complain): Lines {
  const lines = linesOf(text)
  const named = (name: string) => lines.filter((line) => line.name === name)
  const times = (name: string) => named(name).map((line) => readTimes(line, complain))
  const strange = lines.map(({ name }) => name).filter((name) => !KNOWN.includes(name))
  for (const name of new Set(strange)) complain(`must not hold ${name}`)
  const [rule, ...more] = named('RRULE')
  if (rule === undefined) complain('must hold an RRULE')
  if (more.length > 0) complain('must hold one RRULE only')
  if (rule !== undefined && rule.parameters.length > 0)
    complain('must not have parameters at RRULE')
  return {
    rule: rule?.value,
    starts: times('DTSTART'),
    except: times('EXDATE'),
    extra: times('RDATE'),
  }
}

/**
 * The zone that the start names, as the client wrote it. Undefined if it names none. A text that is
 * too long is refused whatever its zone, so its rest is not read.
 */
export function zoneNamedIn(rule: string): string | undefined {
  const start = linesOf(rule.slice(0, MOST_TEXT)).find(({ name }) => name === 'DTSTART')
  return start && zoneOf(start)
}

/** Long lines may be folded: a line that begins with a blank continues the line before. */
function linesOf(text: string): readonly Line[] {
  return text
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readLine)
}

function readLine(text: string): Line {
  const { name = 'RRULE', parameters = '', value = text } = LINE.exec(text)?.groups ?? {}
  return {
    name: name.toUpperCase(),
    parameters: parameters.split(';').slice(1).map(readParameter),
    value: value.toUpperCase(),
  }
}

function readParameter(text: string): Parameter {
  const [key = '', value = ''] = text.split('=')
  return [key.toUpperCase(), value]
}

function readTimes(line: Line, complain: Complain): WrittenTimes {
  for (const [key, value] of line.parameters) {
    if (key === 'TZID') continue
    if (key !== 'VALUE') complain(`must not hold ${key} at ${line.name}`)
    else if (!VALUES.includes(value.toUpperCase()))
      complain(`must not hold VALUE=${value} at ${line.name}`)
  }
  return { zone: zoneOf(line), texts: line.value.split(',') }
}

function zoneOf({ parameters }: Line): string | undefined {
  return parameters.findLast(([key]) => key === 'TZID')?.[1].replace(/^"(.*)"$/, '$1')
}
