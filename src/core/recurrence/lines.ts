// The lines of a rule as the client sent it: one rule, with or without `RRULE:`, and DTSTART,
// EXDATE and RDATE. Case does not matter.

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
  readonly parameters: string
  readonly value: string
}

const LINE = /^(?<name>[A-Z-]+)(?<parameters>(?:;[^:;=]+=[^:;]*)*):(?<value>.*)$/
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
  if (rule?.parameters) complain('must not have parameters at RRULE')
  return {
    rule: rule?.value,
    starts: times('DTSTART'),
    except: times('EXDATE'),
    extra: times('RDATE'),
  }
}

/** The zone that the start names, as the client wrote it. Undefined if it names none. */
export function zoneNamedIn(rule: string): string | undefined {
  return /^DTSTART(?:;[^:;\r\n]*)*;TZID="?([^":;\r\n]+)/im.exec(rule)?.[1]
}

/** Long lines may be folded: a line that begins with a blank continues the line before. */
function linesOf(text: string): readonly Line[] {
  return text
    .toUpperCase()
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readLine)
}

function readLine(text: string): Line {
  const { name, parameters = '', value = '' } = LINE.exec(text)?.groups ?? {}
  return name === undefined
    ? { name: 'RRULE', parameters: '', value: text }
    : { name, parameters, value }
}

function readTimes({ name, parameters, value }: Line, complain: Complain): WrittenTimes {
  let zone: string | undefined
  for (const parameter of parameters.split(';').slice(1)) {
    const [key, value = ''] = parameter.split('=')
    if (key === 'TZID') zone = value.replace(/^"(.*)"$/, '$1')
    else if (key !== 'VALUE') complain(`must not hold ${key} at ${name}`)
    else if (!VALUES.includes(value)) complain(`must not hold VALUE=${value} at ${name}`)
  }
  return { zone, texts: value.split(',') }
}
