// The parts of a rule, `FREQ=MONTHLY;COUNT=12`, by name.

import { nearestName } from '../spelling.ts'
import type { Complain } from './lines.ts'

const KNOWN = [
  ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'DTSTART', 'WKST'],
  ...['BYMONTH', 'BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY', 'BYDAY'],
  ...['BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYSETPOS'],
]

/** A rule may have thousands of parts, and each is compared with every known one. */
const MOST_EXPLAINED = 3

export type RuleParts = ReadonlyMap<string, string>

export function partsOf(rule: string, complain: Complain): RuleParts {
  const parts = new Map<string, string>()
  let unknown = 0
  for (const text of rule.split(';').map((part) => part.trim())) {
    const [name = '', ...values] = text.split('=')
    if (text === '') continue
    if (values.length !== 1) complain(`must hold parts such as FREQ=DAILY, not ${excerpt(text)}`)
    else if (!KNOWN.includes(name)) {
      unknown += 1
      complain(`must not hold ${excerpt(name)}${unknown > MOST_EXPLAINED ? '' : hintAt(name)}`)
    } else if (parts.has(name)) complain(`must hold ${name} only once`)
    else parts.set(name, values.join(''))
  }
  return parts
}

function hintAt(name: string): string {
  const nearest = nearestName(name, KNOWN)
  return nearest === undefined ? '' : `: did you mean ${nearest}?`
}

/** The numbers of a list in order, each once; NaN for those that are refused. */
export function numberList(name: string, bounds: Bounds, complain: Complain): readonly number[] {
  const { parts, least, most, isSigned } = bounds
  const numbers = (parts.get(name)?.split(',') ?? []).map((text) => numberWithin(text, bounds))
  if (numbers.some(Number.isNaN)) {
    const signed = isSigned ? `, or from -${most} to -${least}` : ''
    complain(`must have a ${name} from ${least} to ${most}${signed}`)
  }
  return ascending(numbers)
}

export interface Bounds {
  readonly parts: RuleParts
  readonly least: number
  readonly most: number
  /** True if negative numbers count from the end. */
  readonly isSigned?: boolean
}

/** NaN if it is refused: then no other check finds a fault in it. */
export function numberOf(name: string, bounds: Bounds, complain: Complain): number | undefined {
  const text = bounds.parts.get(name)
  const number = text === undefined ? undefined : numberWithin(text, bounds)
  const { least, most } = bounds
  if (Number.isNaN(number)) complain(`must have ${name} from ${least} to ${most}`)
  return number
}

function numberWithin(text: string, { least, most, isSigned = false }: Bounds): number {
  const number = wholeOf(text, isSigned)
  const size = isSigned ? Math.abs(number) : number
  return size >= least && size <= most ? number : Number.NaN
}

export function ascending(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((one, other) => one - other)
}

/** Shortens the client's text so that it fits into a fault. */
export function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export function wholeOf(text: string, isSigned: boolean): number {
  return (isSigned ? /^[+-]?\d{1,15}$/ : /^\d{1,15}$/).test(text.trim()) ? Number(text) : Number.NaN
}
