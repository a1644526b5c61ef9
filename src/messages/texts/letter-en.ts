// The texts of letters and text messages, in English. Its type is the list of texts that each other
// language must have, no more and no fewer. Payers' pages use some of them too.

import { capitalized } from '../../core/sentence.ts'
import { sentences } from '../shown.ts'
import {
  type BillParts,
  type LetterWords,
  type MethodPhrases,
  type Noun,
  type NounKey,
  type Origin,
  partOf,
  refundedPart,
  type TransactionParts,
} from './letter-parts.ts'

const GOES_AWAY = 'If a bank still shows it as pending, that goes away by itself.'

const TAKES_DAYS = 'It can take a few days until a bank shows it.'

const noun = (name: string): Noun => ({ name, the: `the ${name}`, of: `of the ${name}` })

export const LETTER_EN = {
  /** The kinds of payment methods. */
  means: {
    card: 'Card',
    bank: 'Bank account',
    cash: 'Cash',
    check: 'Check',
    ending: (kind: string, lastFour: string) => `${kind} ending in ${lastFour}`,
    yours: 'your payment method',
    yourCard: 'your card',
    byCash: { by: ' in cash', from: '', to: ' in cash', on: '' } as MethodPhrases,
    byCheck: { by: ' by check', from: '', to: ' by check', on: '' } as MethodPhrases,
    byCard: (name: string): MethodPhrases => ({
      by: ` with ${name}`,
      from: ` from ${name}`,
      to: ` to ${name}`,
      on: ` on ${name}`,
    }),
  },
  /** The labels of details that merchants bring. */
  details: {
    subtotal: 'Subtotal',
    tax: 'Tax',
    shipping: 'Shipping',
    poNumber: 'PO number',
    reference: 'Reference',
    memo: 'Memo',
  },
  layout: {
    item: 'Item',
    amount: 'Amount',
    optOut: 'Stop scheduled bills by e-mail',
    orOpen: 'Or open this address:',
    labelled: (label: string) => `${label}:`,
    about: (title: string, amount: string) => `${title}: ${amount}.`,
    test: '[Test]',
    noMoneyMoved: 'This is a test: no money has moved.',
    noMoneyMoves: 'This is a test: no money moves, whatever is paid.',
    nameless: 'Receipts',
    seller: 'the seller',
    answerReaches: (name: string) => `Questions? Just answer this e-mail: it reaches ${name}.`,
    askSeller: (name: string) => `Questions? ${name} will be glad to answer them.`,
    shortTest: 'TEST, no money moves.',
    shortNameless: 'Receipt',
    referenced: (reference: string) => `Ref ${reference}`,
  },
  labels: {
    date: 'Date',
    paidWith: 'Paid with',
    refundedTo: 'Refunded to',
    creditedTo: 'Credited to',
    method: 'Method',
    original: 'Original',
    originalOn: (amount: string, date: string) => `${amount} on ${date}`,
    taken: 'Taken',
    refunded: 'Refunded',
    customer: 'Customer',
    message: 'Message',
    receiptNumber: 'Receipt no.',
    authorization: 'Authorization',
    transaction: (id: string) => `Transaction ${id}`,
    total: 'Total',
    paidSoFar: 'Paid so far',
    leftToPay: 'Left to pay',
    pay: (amount: string) => `Pay ${amount}`,
    invoiceNumber: 'Invoice no.',
    invoice: (id: string) => `Invoice ${id}`,
    issued: 'Issued',
    due: 'Due',
    paid: 'Paid',
    nextTry: 'Next try',
    billedTo: 'Billed to',
  },
  nouns: {
    payment: noun('payment'),
    authorization: noun('authorization'),
    cancellation: noun('cancellation'),
    refund: noun('refund'),
    credit: noun('credit'),
  } as Readonly<Record<NounKey, Noun>>,
  origin: ({ the, of }: Noun, amount: string, date: string): Origin => ({
    the: `${the} of ${amount} on ${date}`,
    of: `${of} of ${amount} on ${date}`,
  }),
  transaction: {
    received: (p: TransactionParts): LetterWords => ({
      title: 'Payment received',
      subject: `Receipt for ${p.amount} from`,
      lead: p.refunded
        ? `Paid on ${p.date}${p.means.by}. ${p.refunded} of it has been refunded since.`
        : `Paid on ${p.date}${p.means.by}. Thank you.`,
      short: p.refunded
        ? `${p.amount} paid on ${p.day}${p.shortMeans.by}, ${p.refunded} of it refunded.`
        : `${p.amount} paid on ${p.day}${p.shortMeans.by}. Thank you.`,
    }),
    canceled: (p: TransactionParts): LetterWords => ({
      title: 'Payment canceled',
      subject: `Canceled: payment of ${p.amount} to`,
      lead: sentences(
        `${capitalized(p.origin?.the ?? 'this payment')} was canceled,`,
        `and nothing is taken${p.means.from}.`,
        GOES_AWAY,
      ),
      short: `payment of ${p.amount} canceled on ${p.day}, nothing is taken${p.shortMeans.from}.`,
    }),
    returned: (p: TransactionParts): LetterWords => ({
      title: 'Payment taken back',
      subject: `Taken back: payment of ${p.amount} to`,
      lead: sentences(
        `Paid on ${p.date}${p.means.by}. Your bank has taken back ${p.takenBack} of it since.`,
        'If you did not expect that, ask the bank or us.',
      ),
      short: `your bank has taken back ${p.takenBack} of ${p.amount} paid on ${p.day}.`,
    }),
    authorized: (p: TransactionParts): LetterWords => ({
      title: 'Payment authorized',
      subject: `Authorization of ${p.amount} for`,
      lead: p.captured
        ? `${p.amount} was set aside${p.means.on}, and ${p.captured} of it has been taken since.`
        : sentences(
            `${p.amount} is set aside${p.means.on}.`,
            'Nothing has been taken yet: this is no receipt of a payment.',
          ),
      short: p.captured
        ? `${p.amount} set aside on ${p.day}${p.shortMeans.on}, ${p.captured} of it taken.`
        : `${p.amount} set aside on ${p.day}${p.shortMeans.on}, nothing taken yet.`,
    }),
    released: (p: TransactionParts): LetterWords => ({
      title: 'Authorization canceled',
      subject: `Canceled: authorization of ${p.amount} for`,
      lead: sentences(
        `${capitalized(p.origin?.the ?? 'this authorization')} was canceled,`,
        `and nothing is taken${p.means.from}.`,
        GOES_AWAY,
      ),
      short: `authorization of ${p.amount} canceled on ${p.day}, nothing is taken${p.shortMeans.from}.`,
    }),
    refunded: (p: TransactionParts): LetterWords => ({
      title: 'Refund',
      subject: `Refund of ${p.amount} from`,
      lead: sentences(`${capitalized(refundedPart(p))} goes back${p.means.to}.`, TAKES_DAYS),
      short: `${partOf(p, 'of')} refunded on ${p.day}${p.shortMeans.to}.`,
    }),
    credited: (p: TransactionParts): LetterWords => ({
      title: 'Credit',
      subject: `Credit of ${p.amount} from`,
      lead: sentences(`Credited on ${p.date}${p.means.to}.`, TAKES_DAYS),
      short: `${p.amount} credited on ${p.day}${p.shortMeans.to}.`,
    }),
    'failed later': (p: TransactionParts): LetterWords => ({
      title: 'Refund failed',
      subject: `Failed: refund of ${p.amount} from`,
      lead: sentences(
        `${capitalized(refundedPart(p))} could not be paid back${p.means.to}.`,
        'Please ask us how you will get the money.',
      ),
      short: `refund of ${partOf(p, 'of')} on ${p.day}${p.shortMeans.to} failed. Please ask us.`,
    }),
    failed: (p: TransactionParts): LetterWords => ({
      title: `${capitalized(p.noun.name)} not made`,
      subject: `Not made: ${p.noun.name} of ${p.amount},`,
      lead: p.isTaking
        ? `It did not go through, and nothing was taken${p.means.from}.`
        : 'It did not go through.',
      short: sentences(
        `${p.noun.name} of ${p.amount} on ${p.day} did not go through.`,
        p.isTaking ? `Nothing was taken${p.shortMeans.from}.` : undefined,
      ),
    }),
    'under way': (p: TransactionParts): LetterWords => ({
      title: `${capitalized(p.noun.name)} under way`,
      subject: `Under way: ${p.noun.name} of ${p.amount},`,
      lead: 'What becomes of it is not known yet. There is nothing that you need to do.',
      short: `${p.noun.name} of ${p.amount} of ${p.day} is still under way.`,
    }),
  },
  bill: {
    'to pay': ({ amount, due, shortDue }: BillParts): LetterWords => ({
      title: 'Invoice',
      subject: due ? `Invoice for ${amount}, due ${due}, from` : `Invoice for ${amount} from`,
      lead: due ? `Please pay by ${due}.` : 'This is ready for you to pay.',
      short: shortDue
        ? `invoice for ${amount}, due ${shortDue}. Pay:`
        : `invoice for ${amount}. Pay:`,
    }),
    failed: ({ amount, means, shortMeans, retryOn }: BillParts): LetterWords => ({
      title: 'A payment did not go through',
      subject: `Payment of ${amount} did not go through:`,
      lead: sentences(
        `We tried to take this payment from ${means}, but it did not go through.`,
        'Nothing was taken. It happens, and is quickly put right: please pay another way.',
        retryOn && `Otherwise we will try again on ${retryOn}.`,
      ),
      short: `payment of ${amount} from ${shortMeans} failed. Pay another way:`,
    }),
    'under way': ({ amount }: BillParts): LetterWords => ({
      title: 'Payment under way',
      subject: `Payment of ${amount} under way:`,
      lead: 'This invoice is being paid. There is nothing that you need to do.',
      short: `payment of ${amount} is under way.`,
    }),
    paid: ({ amount, paidOn }: BillParts): LetterWords => ({
      title: 'Invoice paid',
      subject: `Paid: invoice for ${amount} from`,
      lead: sentences(
        paidOn ? `Paid on ${paidOn}.` : 'This invoice is paid.',
        'There is nothing left to pay. Thank you.',
      ),
      short: `invoice for ${amount} is paid. Thank you.`,
    }),
    returned: ({ amount, takenBack }: BillParts): LetterWords => ({
      title: 'Payment taken back',
      subject: `Payment taken back: invoice for ${amount} from`,
      lead: sentences(
        `This invoice was paid, but the bank has taken back ${takenBack} of the payment since.`,
        'Please ask us how to pay it.',
      ),
      short: `the bank has taken back ${takenBack} of ${amount}.`,
    }),
  },
}

export type LetterTexts = typeof LETTER_EN
