// Reads the payment request of the page's script. It holds the gateway's token and no card number.

import { holdsCardNumber } from '../core/card-number.ts'
import { isOneAddress } from '../core/mail-address.ts'
import { type Cents, parseMoney } from '../core/money.ts'
import { textFault } from '../core/text.ts'
import { isNonce } from './page-payment.ts'
import { PayerRefusal } from './payment-refusals.ts'
import type { Texts } from './texts/en.ts'

export interface PagePaymentInput {
  readonly nonce: string
  readonly token: string
  readonly name: string
  /** The address for the receipt. */
  readonly email: string | undefined
  /** The amount on the button. */
  readonly amount: bigint
}

type Faults = Readonly<Record<string, string>>

const LONGEST_NAME = 120
const LONGEST_TOKEN = 255

/** Returns the input, or a message for payers for each field that is wrong. */
export function pagePaymentInput(
  body: unknown,
  { faults: texts }: Texts,
): { readonly input: PagePaymentInput } | { readonly faults: Faults } {
  const { nonce, token, name, email, amount } = fieldsOf(body)
  if (!isNonce(nonce) || token === '' || token.length > LONGEST_TOKEN || hasFault(token)) {
    throw new PayerRefusal(400, ({ refusals }) => refusals.incompletePage)
  }
  const typed = payerAmount(amount)
  const faults = {
    ...('fault' in typed ? { amount: texts[typed.fault] } : {}),
    ...faultOf('name', nameFault(name, texts)),
    ...faultOf('email', emailFault(email, texts)),
  }
  if ('fault' in typed || Object.keys(faults).length > 0) return { faults }
  const input = { nonce, token, name, email: email === '' ? undefined : email, amount: typed.cents }
  return { input }
}

/** A value that is not a string reads as empty. */
function fieldsOf(body: unknown) {
  const sent = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const known = new Map<string, unknown>(sent)
  const text = (field: string) => {
    const value = known.get(field)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    nonce: text('nonce'),
    token: text('token'),
    name: text('name'),
    email: text('email'),
    amount: text('amount'),
  }
}

type FaultTexts = Texts['faults']

function nameFault(name: string, texts: FaultTexts): string | undefined {
  if (name === '') return texts.nameMissing
  if (name.length > LONGEST_NAME) return texts.nameTooLong(LONGEST_NAME)
  if (holdsCardNumber(name)) return texts.nameIsCard
  const isOdd = hasFault(name) || UNSEEN.test(name) || WEB_ADDRESS.test(name)
  return isOdd ? texts.nameOdd : undefined
}

/** Line ends, and what turns the direction of the text around it. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** The receipt goes to any address that is typed, and must not carry a link to it. */
const WEB_ADDRESS = /:\/\/|\bwww\.|\.\p{L}{2,}\//iu

export function emailFault(email: string, texts: FaultTexts): string | undefined {
  if (email !== '' && !isOneAddress(email)) return texts.emailWrong
  return holdsCardNumber(email) ? texts.emailIsCard : undefined
}

function hasFault(text: string): boolean {
  return textFault(text) !== undefined
}

function faultOf(field: string, fault: string | undefined): Faults {
  return fault === undefined ? {} : { [field]: fault }
}

type AmountFault = Extract<keyof FaultTexts, `amount${string}`>

type TypedAmount = { readonly cents: Cents } | { readonly fault: AmountFault }

const SPACES = /[\s\u00a0\u202f'’$]/g

const WHOLE = String.raw`(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)`
const AMOUNT = new RegExp(`^(${WHOLE})(?:([.,])(\\d{1,2}))?$`)

/** One separator followed by three digits may be thousands or decimals. */
const AMBIGUOUS = /^\d{1,3}[.,]\d{3}$/

/** Between two digits such a character separates thousands or nothing: 12 50 is no 1250. */
const ODD_GAP = /\d[\s'’]+(?!\d{3}(?!\d))\d|\d[\s'’]*\$[\s'’$]*\d/

const LONGEST = 40

/**
 * Reads an amount as a payer enters it: 12.50, 12,50, 1,250.00, 1.250,00 or 1 250. Ambiguous input
 * is refused: 12.505 may be thousands or a typing error, and 12 50 or 12$50 may be 12.50. The
 * script of the page follows the same rule, so that its button shows the amount to be charged.
 */
export function payerAmount(text: string): TypedAmount {
  const shown = text.slice(0, LONGEST)
  const typed = shown.replace(SPACES, '')
  if (typed === '') return { fault: 'amountMissing' }
  if (AMBIGUOUS.test(typed) || ODD_GAP.test(shown)) return { fault: 'amountAmbiguous' }
  const [, whole, mark, decimals = ''] = AMOUNT.exec(typed) ?? []
  if (whole === undefined || (mark !== undefined && whole.includes(mark))) {
    return { fault: 'amountUnreadable' }
  }
  const digits = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  const parsed = parseMoney(decimals === '' ? digits : `${digits}.${decimals}`)
  if ('cents' in parsed) return parsed
  const isTooMuch = /at most 99/.test(parsed.fault)
  return { fault: isTooMuch ? 'amountTooLarge' : 'amountTooSmall' }
}
