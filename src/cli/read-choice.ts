// Accounts and days as operators type them.

import { OperatorError } from '../accounts/operator-error.ts'
import { isId } from '../core/id.ts'
import { parseInstant } from '../core/instant.ts'

const DATE = /^\d{4}-\d\d-\d\d$/

export function readAccountId(text: string | undefined): string | undefined {
  if (text === undefined || isId(text)) return text?.toLowerCase()
  throw new OperatorError(`${text} is no account's id`)
}

/** A day of business, as YYYY-MM-DD. */
export function readDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (DATE.test(text) && parseInstant(text) !== undefined) return text
  throw new OperatorError(`${text} is no date: YYYY-MM-DD`)
}
