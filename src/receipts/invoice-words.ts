// The words about an invoice, in a long and a short form.

import { referenceOf } from '../core/reference.ts'
import { localDateText, localMoneyText, shortDateText, zoneOfDay } from './local-formats.ts'
import { meansText, shortMeansText } from './people.ts'
import type { BillStory, ToldInvoice } from './read-invoice.ts'
import { sentences } from './shown.ts'
import { LETTER_EN } from './texts/letter-en.ts'

export interface BillWords {
  readonly title: string
  /** The part of the subject before the team's name. */
  readonly subject: string
  readonly lead: string
  /** The text message without the team's name and the payment address. */
  readonly short: string
}

interface Parts {
  readonly amount: string
  readonly due: string | undefined
  readonly shortDue: string | undefined
  readonly paidOn: string | undefined
  readonly retryOn: string | undefined
  readonly means: string
  readonly shortMeans: string
  readonly reference: string
}

const WORDS: Readonly<Record<BillStory, (parts: Parts) => BillWords>> = {
  'to pay': ({ amount, due, shortDue }) => ({
    title: 'Invoice',
    subject: due ? `Invoice for ${amount}, due ${due}, from` : `Invoice for ${amount} from`,
    lead: due ? `Please pay by ${due}.` : 'This is ready for you to pay.',
    short: shortDue
      ? `invoice for ${amount}, due ${shortDue}. Pay:`
      : `invoice for ${amount}. Pay:`,
  }),
  failed: ({ amount, means, shortMeans, retryOn }) => ({
    title: 'A payment did not go through',
    subject: `Payment of ${amount} did not go through:`,
    lead: sentences(
      `We tried to take this payment from ${means}, but it did not go through.`,
      'Nothing was taken. It happens, and is quickly put right: please pay another way.',
      retryOn && `Otherwise we will try again on ${retryOn}.`,
    ),
    short: `payment of ${amount} from ${shortMeans} failed. Pay another way:`,
  }),
  'under way': ({ amount, reference }) => ({
    title: 'Payment under way',
    subject: `Payment of ${amount} under way:`,
    lead: 'This invoice is being paid. There is nothing that you need to do.',
    short: `payment of ${amount} is under way. Ref ${reference}`,
  }),
  paid: ({ amount, paidOn, reference }) => ({
    title: 'Invoice paid',
    subject: `Paid: invoice for ${amount} from`,
    lead: sentences(
      paidOn ? `Paid on ${paidOn}.` : 'This invoice is paid.',
      'There is nothing left to pay. Thank you.',
    ),
    short: `invoice for ${amount} is paid. Thank you. Ref ${reference}`,
  }),
}

export function billWordsOf(told: ToldInvoice, story: BillStory): BillWords {
  return WORDS[story](partsOf(told, story))
}

export function dueText({ invoice: { payBy }, timezone }: ToldInvoice): string | undefined {
  return payBy === null ? undefined : localDateText(payBy, zoneOfDay(payBy, timezone))
}

/** The amount that is left to pay, or that was paid. */
export function billAmount({ invoice: v }: ToldInvoice, story: BillStory): string {
  return localMoneyText(story === 'paid' ? v.total : v.total - v.totalPaid, v.currency)
}

function partsOf(told: ToldInvoice, story: BillStory): Parts {
  const { invoice: v, paymentMethod, timezone } = told
  return {
    amount: billAmount(told, story),
    due: dueText(told),
    shortDue: v.payBy === null ? undefined : shortDateText(v.payBy, zoneOfDay(v.payBy, timezone)),
    paidOn: v.paidAt === null ? undefined : localDateText(v.paidAt, timezone),
    retryOn: v.retryAt === null ? undefined : localDateText(v.retryAt, timezone),
    means:
      paymentMethod === undefined ? 'your payment method' : meansText(paymentMethod, LETTER_EN),
    shortMeans:
      paymentMethod === undefined ? 'your card' : shortMeansText(paymentMethod, LETTER_EN),
    reference: referenceOf(v.id),
  }
}
