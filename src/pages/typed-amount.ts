// An amount as a payer types it: 12.50, 12,50, 1,250.00, 1.250,00 or 1 250. Nothing is guessed:
// 12.505 may be thousands, or a slip. The page's own script reads it by the same rule, to say on
// its button what will be paid.

import { type Cents, parseMoney } from '../core/money.ts'

export type TypedAmount = { readonly cents: Cents } | { readonly fault: string }

const SPACES = /[\s\u00a0\u202f'’$]/g

const WHOLE = String.raw`(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)`
const AMOUNT = new RegExp(`^(${WHOLE})(?:([.,])(\\d{1,2}))?$`)

/** One mark, and three digits behind it. */
const AMBIGUOUS = /^\d{1,3}[.,]\d{3}$/

const LONGEST = 40

export function typedAmount(text: string): TypedAmount {
  const typed = text.slice(0, LONGEST).replace(SPACES, '')
  if (typed === '') return { fault: 'Type the amount that you want to pay.' }
  if (AMBIGUOUS.test(typed)) return { fault: 'Type it without marks in thousands, as 1250.00.' }
  const [, whole, mark, decimals = ''] = AMOUNT.exec(typed) ?? []
  if (whole === undefined || (mark !== undefined && whole.includes(mark))) {
    return { fault: 'Type the amount as a number, such as 12.50.' }
  }
  const digits = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  const parsed = parseMoney(decimals === '' ? digits : `${digits}.${decimals}`)
  if ('cents' in parsed) return parsed
  const isTooMuch = /at most 99/.test(parsed.fault)
  return { fault: isTooMuch ? 'That is more than can be paid at once.' : 'Pay at least 0.01.' }
}
