// The letter about an invoice: the amount due, where to pay it, and until when.

import { referenceOf } from '../core/reference.ts'
import { billAmount, billWordsOf, dueText } from './invoice-words.ts'
import { type Fact, fact, type Letter } from './letter.ts'
import { closingOf, isTest, letterHead, subjectOf, writerOf } from './letter-style.ts'
import { detailsOf } from './meta-details.ts'
import { customerName, meansText } from './people.ts'
import { type BillStory, hasBeenPaid, isPayable, type LetterInvoice } from './read-invoice.ts'

export function invoiceLetter(
  about: LetterInvoice,
  story: BillStory,
  billUrl: string,
  optOutUrl?: string,
): Letter {
  const { invoice: v, team } = about
  const { locale, texts, money } = writerOf(about)
  const { labels } = texts
  const { title, subject, lead } = billWordsOf(about, story)
  const amount = billAmount(about, story)
  const details = detailsOf(v.meta, v.currency, locale, texts)
  const isPart = v.totalPaid > 0n && v.totalPaid < v.total
  const hasSums = details.items.length > 0 || details.sums.length > 0 || isPart
  const sums = [
    ...details.sums,
    ...fact(labels.total, money(v.total, v.currency)),
    ...(isPart ? fact(labels.paidSoFar, money(v.totalPaid, v.currency)) : []),
    ...(isPart ? fact(labels.leftToPay, amount) : []),
  ]
  return {
    subject: subjectOf(about, subject, team.name),
    ...letterHead(about),
    testNote: testNoteOf(about, story),
    title,
    amount,
    isStruck: false,
    lead,
    button: isPayable(story) ? { label: labels.pay(amount), url: billUrl } : undefined,
    commands: [],
    items: details.items,
    sums: hasSums ? sums : [],
    facts: [
      ...factsOf(about, story),
      ...details.facts,
      ...fact(labels.invoiceNumber, referenceOf(v.id)),
    ],
    closing: [...closingOf(about), labels.invoice(v.id)],
    optOut: optOutUrl === undefined ? undefined : { label: texts.layout.optOut, url: optOutUrl },
  }
}

function testNoteOf(about: LetterInvoice, story: BillStory): string | undefined {
  if (!isTest(about)) return undefined
  const { noMoneyMoved, noMoneyMoves } = writerOf(about).texts.layout
  return hasBeenPaid(story) ? noMoneyMoved : noMoneyMoves
}

function factsOf(about: LetterInvoice, story: BillStory): readonly Fact[] {
  const { invoice: v, customer, paymentMethod, timezone } = about
  const { texts, day } = writerOf(about)
  const { labels } = texts
  const isOfMeans = paymentMethod !== undefined && story !== 'to pay'
  return [
    ...fact(labels.issued, day(v.createdAt, timezone)),
    ...fact(labels.due, dueText(about)),
    ...fact(labels.paid, v.paidAt === null ? undefined : day(v.paidAt, timezone)),
    ...fact(labels.method, isOfMeans ? meansText(paymentMethod, texts) : undefined),
    ...fact(labels.nextTry, v.retryAt === null ? undefined : day(v.retryAt, timezone)),
    ...fact(labels.billedTo, customerName(customer)),
  ]
}
