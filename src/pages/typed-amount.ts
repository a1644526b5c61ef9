// Reads an amount as a payer enters it: 12.50, 12,50, 1,250.00, 1.250,00 or 1 250. Ambiguous input
// is refused: 12.505 may be thousands or a typing error. The page's script follows the same rule,
// so that its button shows the amount to be charged.

import { type Cents, parseMoney } from '../core/money.ts'

export type TypedAmount = { readonly cents: Cents } | { readonly fault: string }

const SPACES = /[\s\u00a0\u202f'’$]/g

const WHOLE = String.raw`(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)`
const AMOUNT = new RegExp(`^(${WHOLE})(?:([.,])(\\d{1,2}))?$`)

/** One separator followed by three digits may be thousands or decimals. */
const AMBIGUOUS = /^\d{1,3}[.,]\d{3}$/

const LONGEST = 40

export function typedAmount(text: string): TypedAmount {
  const typed = text.slice(0, LONGEST).replace(SPACES, '')
  if (typed === '') return { fault: 'Enter an amount.' }
  if (AMBIGUOUS.test(typed))
    return { fault: 'Enter the amount without thousands separators, such as 1250.00.' }
  const [, whole, mark, decimals = ''] = AMOUNT.exec(typed) ?? []
  if (whole === undefined || (mark !== undefined && whole.includes(mark))) {
    return { fault: 'Enter an amount such as 12.50.' }
  }
  const digits = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  const parsed = parseMoney(decimals === '' ? digits : `${digits}.${decimals}`)
  if ('cents' in parsed) return parsed
  const isTooMuch = /at most 99/.test(parsed.fault)
  return { fault: isTooMuch ? 'Enter a smaller amount.' : 'Enter at least 0.01.' }
}
