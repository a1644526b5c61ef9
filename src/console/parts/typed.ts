// Reads what operators type into forms.

import { holdsCardNumber } from '../../core/card-number.ts'
import { Refusal } from '../../core/errors.ts'
import { type Cents, parseMoney } from '../../core/money.ts'
import { toE164 } from '../../core/phone-number.ts'
import { LONGEST_NOTE, noteFault } from '../../operators/note.ts'
import { type Form, lineOf } from '../../web/forms.ts'

/** Undefined unless it is an amount, as people write it: `12.5`, `$1,250.00`. */
export function typedAmount(text: string): Cents | undefined {
  const read = parseMoney(
    text
      .trim()
      .replace(/^\$\s*/, '')
      // Only as a thousands separator: 12,50 is not 1250.
      .replace(/,(?=\d{3}(?:[,.]|$))/g, ''),
  )
  return 'cents' in read ? read.cents : undefined
}

const PUNCTUATED = /[\s().-]/

/**
 * What is searched for: a phone number as it is stored, however it was written. Digits alone may be
 * a reference, and are found within a number anyway.
 */
export function searchedText(typed: string | undefined): string | undefined {
  const number = typed !== undefined && PUNCTUATED.test(typed) ? toE164(typed) : undefined
  return number ?? typed
}

/** Names and notes reach events, webhooks and receipts, so the API refuses such numbers too. */
export function cardNumberFault(text: string): string | undefined {
  return holdsCardNumber(text) ? 'Don’t enter the number of a card here.' : undefined
}

/** One character more than may be kept, so that `lengthFault` sees a text that is too long. */
export function wholeLine(text: string | undefined, longest: number): string {
  return lineOf(text, longest + 1)
}

/** Otherwise the text would be cut silently. */
export function lengthFault(line: string, longest: number): string | undefined {
  return [...line].length > longest ? `Use ${longest} characters at most.` : undefined
}

/** A line that is kept forever, as a reason in the audit log is. */
export function noteOf(text: string | undefined): string {
  const note = wholeLine(text, LONGEST_NOTE)
  const fault = noteFault(note)
  if (fault !== undefined) throw new Refusal('invalid_request', { message: fault })
  return note
}

/** The version of the row that the form showed; undefined for a form that shows none. */
export function seenVersionOf({ version }: Form): number | undefined {
  return version === undefined ? undefined : Number(version)
}

export function isFaulty(faults: Readonly<Record<string, string>>): boolean {
  return Object.keys(faults).length > 0
}

/** A fault for each field that has one. */
export function presentFaults(
  faults: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault]])),
  )
}
