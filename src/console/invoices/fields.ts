// The fields of the form for an invoice: their typed values, their faults, and the invoice that
// they make.

import { type Cents, toDecimal } from '../../core/money.ts'
import { wholeNumber } from '../../core/text.ts'
import type { NewInvoice } from '../../invoices/create-invoice.ts'
import { readDueTime } from '../../invoices/read-due-time.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import type { FormFaults } from '../parts/fields.tsx'
import { dollarText } from '../parts/shown.tsx'
import {
  cardNumberFault,
  isFaulty,
  lengthFault,
  presentFaults,
  typedAmount,
  wholeLine,
} from '../parts/typed.ts'
import { AMOUNT_FAULT } from '../transactions/search.ts'

export const LINES = [1, 2, 3, 4, 5] as const

export const LONGEST_TEXT = 255

const LONGEST_MEMO = 1_000
const LONGEST_NUMBER = 40

const MOST_PIECES = 9_999

/** The amounts of the database have an upper limit. */
const MOST_TOTAL: Cents = 99_999_999_99n

export function typedInvoice(form: Form): Form {
  const lines = LINES.flatMap((n) => [
    [`item_${n}`, wholeLine(form[`item_${n}`], LONGEST_TEXT)],
    [`quantity_${n}`, lineOf(form[`quantity_${n}`], LONGEST_NUMBER)],
    [`price_${n}`, lineOf(form[`price_${n}`], LONGEST_NUMBER)],
  ])
  return {
    ...Object.fromEntries(lines),
    total: lineOf(form.total, LONGEST_NUMBER),
    due: lineOf(form.due, LONGEST_NUMBER),
    memo: wholeLine(form.memo, LONGEST_MEMO),
  }
}

interface Line {
  readonly item: string
  readonly quantity: number
  readonly price: Cents
}

interface ReadInvoice {
  readonly faults: FormFaults
  readonly input: Omit<NewInvoice, 'customerId'>
}

export const DATE_FAULT = 'Enter a date such as 2026-03-07.'

export function readInvoiceForm(typed: Form): ReadInvoice {
  const { total = '', due = '', memo = '' } = typed
  const read = LINES.map((n) => readLine(typed, n))
  const lines = read.flatMap(({ line }) => line ?? [])
  const sum = lines.reduce((cents, { quantity, price }) => cents + BigInt(quantity) * price, 0n)
  const lineFaults = Object.assign({}, ...read.map(({ faults }) => faults)) as FormFaults
  const isOfLines = lines.length > 0 && !isFaulty(lineFaults)
  const cents = isOfLines && total === '' ? sum : typedAmount(total)
  const dueTime = readDueTime(due)
  const faults = presentFaults({
    ...lineFaults,
    // A wrong line leaves open what an empty total comes to.
    total:
      isFaulty(lineFaults) && total === ''
        ? undefined
        : totalFault(cents, isOfLines ? sum : undefined),
    due: dueTime === undefined ? DATE_FAULT : undefined,
    memo: lengthFault(memo, LONGEST_MEMO) ?? cardNumberFault(memo),
  })
  const meta = {
    ...(lines.length === 0 ? {} : { lineItems: lines.map(shownLine) }),
    ...(memo === '' ? {} : { memo }),
  }
  const fixed = { currency: 'USD', paymentMethodId: null, payBy: null, isPayByExact: null }
  return { faults, input: { ...fixed, ...dueTime, total: cents ?? 0n, meta } }
}

function totalFault(cents: Cents | undefined, sum: Cents | undefined): string | undefined {
  if (cents === undefined || cents <= 0n || cents > MOST_TOTAL) return AMOUNT_FAULT
  if (sum === undefined || sum === cents) return undefined
  return `The lines come to ${dollarText(sum)}. Leave the total empty, or correct a line.`
}

interface LineRead {
  /** Undefined for an empty line, and for one with a fault. */
  readonly line?: Line
  readonly faults: FormFaults
}

function readLine(typed: Form, n: number): LineRead {
  const [item = '', quantity = '', price = ''] = ['item', 'quantity', 'price'].map(
    (name) => typed[`${name}_${n}`],
  )
  if (item === '' && quantity === '' && price === '') return { faults: {} }
  const pieces = quantity === '' ? 1 : wholeNumber(quantity)
  const cents = typedAmount(price)
  const faults = presentFaults({
    [`item_${n}`]:
      item === ''
        ? 'Enter what is billed.'
        : (lengthFault(item, LONGEST_TEXT) ?? cardNumberFault(item)),
    [`quantity_${n}`]:
      pieces >= 1 && pieces <= MOST_PIECES ? undefined : 'Enter a whole number from 1 to 9,999.',
    [`price_${n}`]: cents === undefined ? AMOUNT_FAULT : undefined,
  })
  if (cents === undefined || isFaulty(faults)) return { faults }
  return { line: { item, quantity: pieces, price: cents }, faults }
}

/** The line in the form of receipts and bills. */
function shownLine({ item, quantity, price }: Line) {
  return { item, quantity, price: toDecimal(price) }
}
