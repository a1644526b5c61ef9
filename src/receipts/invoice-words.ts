// The words about an invoice, in a long and a short form, in the language of its account.

import { referenceOf } from '../core/reference.ts'
import { writerOf } from './letter-style.ts'
import { zoneOfDay } from './local-formats.ts'
import { meansText, shortMeansText } from './people.ts'
import type { BillStory, ToldInvoice } from './read-invoice.ts'
import type { BillParts, LetterWords } from './texts/letter-parts.ts'

export function billWordsOf(told: ToldInvoice, story: BillStory): LetterWords {
  return writerOf(told).texts.bill[story](partsOf(told, story))
}

export function dueText(told: ToldInvoice): string | undefined {
  const { payBy } = told.invoice
  return payBy === null ? undefined : writerOf(told).day(payBy, zoneOfDay(payBy, told.timezone))
}

/** The amount that is left to pay, or that was paid. */
export function billAmount(told: ToldInvoice, story: BillStory): string {
  const { total, totalPaid, currency } = told.invoice
  return writerOf(told).money(story === 'paid' ? total : total - totalPaid, currency)
}

function partsOf(told: ToldInvoice, story: BillStory): BillParts {
  const { invoice: v, paymentMethod, timezone } = told
  const { texts, day, shortDay } = writerOf(told)
  const { yours, yourCard } = texts.means
  return {
    amount: billAmount(told, story),
    due: dueText(told),
    shortDue: v.payBy === null ? undefined : shortDay(v.payBy, zoneOfDay(v.payBy, timezone)),
    paidOn: v.paidAt === null ? undefined : day(v.paidAt, timezone),
    retryOn: v.retryAt === null ? undefined : day(v.retryAt, timezone),
    means: paymentMethod === undefined ? yours : meansText(paymentMethod, texts),
    shortMeans: paymentMethod === undefined ? yourCard : shortMeansText(paymentMethod, texts),
    reference: referenceOf(v.id),
  }
}
