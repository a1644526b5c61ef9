// The letter about an invoice: the amount due, where to pay it, and until when.

import { LOCALES } from '../core/language.ts'
import { referenceOf } from '../core/reference.ts'
import { billAmount, billWordsOf, dueText } from './invoice-words.ts'
import { type Fact, fact, type Letter } from './letter.ts'
import { closingOf, isTest, letterHead, subjectOf } from './letter-style.ts'
import { localDateText, localMoneyText } from './local-formats.ts'
import { detailsOf } from './meta-details.ts'
import { customerName, meansText } from './people.ts'
import type { BillStory, ToldInvoice } from './read-invoice.ts'
import { LETTER_EN } from './texts/letter-en.ts'

export function invoiceLetter(
  told: ToldInvoice,
  story: BillStory,
  billUrl: string,
  optOutUrl?: string,
): Letter {
  const { invoice: v, team } = told
  const { title, subject, lead } = billWordsOf(told, story)
  const amount = billAmount(told, story)
  const isPayable = story === 'to pay' || story === 'failed'
  const details = detailsOf(v.meta, v.currency, LOCALES.en, LETTER_EN)
  const isPart = v.totalPaid > 0n && story !== 'paid'
  const hasSums = details.items.length > 0 || details.sums.length > 0 || isPart
  const sums = [
    ...details.sums,
    ...fact('Total', localMoneyText(v.total, v.currency)),
    ...(isPart ? fact('Paid so far', localMoneyText(v.totalPaid, v.currency)) : []),
    ...(isPart ? fact('Left to pay', amount) : []),
  ]
  return {
    subject: subjectOf(told, subject, team.name),
    ...letterHead(told),
    testNote: testNoteOf(told, story),
    title,
    amount,
    isStruck: false,
    lead,
    button: isPayable ? { label: `Pay ${amount}`, url: billUrl } : undefined,
    commands: [],
    items: details.items,
    sums: hasSums ? sums : [],
    facts: [...factsOf(told, story), ...details.facts, ...fact('Invoice no.', referenceOf(v.id))],
    closing: [...closingOf(told), `Invoice ${v.id}`],
    optOut: optOutUrl === undefined ? undefined : { label: OPT_OUT, url: optOutUrl },
  }
}

const OPT_OUT = 'Stop scheduled bills by e-mail'

function testNoteOf(told: ToldInvoice, story: BillStory): string | undefined {
  if (!isTest(told)) return undefined
  return story === 'paid'
    ? 'This is a test: no money has moved.'
    : 'This is a test: no money moves, whatever is paid.'
}

function factsOf(told: ToldInvoice, story: BillStory): readonly Fact[] {
  const { invoice: v, customer, paymentMethod, timezone } = told
  const isOfMeans = paymentMethod !== undefined && story !== 'to pay'
  return [
    ...fact('Issued', localDateText(v.createdAt, timezone)),
    ...fact('Due', dueText(told)),
    ...fact('Paid', v.paidAt === null ? undefined : localDateText(v.paidAt, timezone)),
    ...fact('Method', isOfMeans ? meansText(paymentMethod, LETTER_EN) : undefined),
    ...fact('Next try', v.retryAt === null ? undefined : localDateText(v.retryAt, timezone)),
    ...fact('Billed to', customerName(customer)),
  ]
}
