// The words about an invoice, in a long and a short form, in the language of its account.

import { referenceOf } from '../core/reference.ts'
import { DAY } from '../core/time-units.ts'
import { writerOf } from './letter-style.ts'
import { dueDayOf } from './local-formats.ts'
import { meansText, shortMeansText } from './people.ts'
import { type BillStory, hasBeenPaid, isPayable, type LetterInvoice } from './read-invoice.ts'
import type { BillParts, LetterWords } from './texts/letter-parts.ts'

/** Without its year, a day later than this would be read as that of another year. */
const FAR_MS = 180 * DAY

/** The address of the bill follows the words about one that can be paid. */
export function billWordsOf(about: LetterInvoice, story: BillStory): LetterWords {
  const { bill, layout } = writerOf(about).texts
  const words = bill[story](partsOf(about, story))
  if (isPayable(story)) return words
  return { ...words, short: `${words.short} ${layout.referenced(referenceOf(about.invoice.id))}` }
}

export function dueText(about: LetterInvoice): string | undefined {
  return dueBy(about, writerOf(about).day)
}

function dueBy(
  { invoice, runDay, timezone }: LetterInvoice,
  write: (at: Date, zone: string) => string,
): string | undefined {
  const day = dueDayOf(invoice, runDay, timezone)
  return day && write(day.at, day.zone)
}

/** The amount that is left to pay, or that was paid. */
export function billAmount(about: LetterInvoice, story: BillStory): string {
  const { total, totalPaid, currency } = about.invoice
  return writerOf(about).money(hasBeenPaid(story) ? total : total - totalPaid, currency)
}

function partsOf(about: LetterInvoice, story: BillStory): BillParts {
  const { invoice: v, paymentMethod, timezone } = about
  const { texts, money, day, shortDay } = writerOf(about)
  const { yours, yourCard } = texts.means
  return {
    amount: billAmount(about, story),
    due: dueText(about),
    shortDue: dueBy(about, isFar(v) ? day : shortDay),
    paidOn: v.paidAt === null ? undefined : day(v.paidAt, timezone),
    retryOn: v.retryAt === null ? undefined : day(v.retryAt, timezone),
    takenBack: money(about.takenBack, v.currency),
    means: paymentMethod === undefined ? yours : meansText(paymentMethod, texts),
    shortMeans: paymentMethod === undefined ? yourCard : shortMeansText(paymentMethod, texts),
  }
}

function isFar({ payBy, createdAt }: LetterInvoice['invoice']): boolean {
  return payBy !== null && Math.abs(payBy.getTime() - createdAt.getTime()) > FAR_MS
}
