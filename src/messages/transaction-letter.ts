// The letter about a transaction: the receipt of a payment, an authorization or a refund.

import { referenceOf } from '../core/reference.ts'
import { type Fact, fact, type Letter } from './letter.ts'
import { closingOf, isTest, letterHead, subjectOf, writerOf } from './letter-style.ts'
import { type Details, detailsOf } from './meta-details.ts'
import { customerName, meansText } from './people.ts'
import type { LetterTransaction } from './read-transaction.ts'
import { isolatedLine } from './shown.ts'
import type { LetterTexts } from './texts/letter-en.ts'
import { letterStoryOf, type Story, transactionWords } from './transaction-words.ts'

/** The amount is not, or will not be, where it was to go. */
const STRUCK: ReadonlySet<Story> = new Set(['canceled', 'released', 'failed', 'failed later'])

/** Gateways say this about every success. */
const SAYS_NOTHING = 'Approved'

export function transactionLetter(about: LetterTransaction): Letter {
  const { transaction: t, team } = about
  const story = letterStoryOf(about)
  const { title, subject, lead } = transactionWords(about)
  const { texts, money } = writerOf(about)
  const total = money(t.total, t.currency)
  const details = detailsToShow(about)
  const hasSums = details.items.length > 0 || details.sums.length > 0
  return {
    subject: subjectOf(about, subject, team.name),
    ...letterHead(about),
    testNote: isTest(about) ? texts.layout.noMoneyMoved : undefined,
    title,
    amount: total,
    isStruck: STRUCK.has(story),
    lead,
    button: undefined,
    commands: [],
    items: details.items,
    sums: hasSums ? [...details.sums, ...fact(texts.labels.total, total)] : [],
    facts: [...factsOf(about, story), ...details.facts, ...factsOfRow(about)],
    closing: [...closingOf(about), texts.labels.transaction(t.id)],
    optOut: undefined,
  }
}

/**
 * A capture or a refund without details of its own shows its parent's reference fields. Only a full
 * capture also shows its line items and sums.
 */
function detailsToShow(about: LetterTransaction): Details {
  const { transaction: t, parent } = about
  const { locale, texts } = writerOf(about)
  const own = detailsOf(t.meta, t.currency, locale, texts)
  if (parent === undefined) return own
  const inherited = detailsOf(parent.meta, t.currency, locale, texts)
  const isSame = t.type === 'capture' && t.total === parent.total
  return {
    items: own.items.length > 0 || !isSame ? own.items : inherited.items,
    sums: own.sums.length > 0 || !isSame ? own.sums : inherited.sums,
    facts: own.facts.length > 0 ? own.facts : inherited.facts,
  }
}

function factsOf(about: LetterTransaction, story: Story): readonly Fact[] {
  const { transaction: t, parent, timezone } = about
  const { texts, money: moneyIn, moment, day } = writerOf(about)
  const { labels } = texts
  const money = (cents: bigint) => moneyIn(cents, t.currency)
  const means = { method: t.method, cardType: t.paymentMethod.cardType, lastFour: t.lastFour }
  const origin = parent && labels.originalOn(money(parent.total), day(parent.createdAt, timezone))
  return [
    ...fact(labels.date, moment(t.createdAt, timezone)),
    ...fact(meansLabel(story, labels), meansText(means, texts)),
    ...fact(labels.original, origin),
    ...fact(labels.taken, t.type === 'pre_auth' && t.captured > 0n ? money(t.captured) : ''),
    ...fact(labels.refunded, t.refunded > 0n ? money(t.refunded) : ''),
    ...fact(labels.customer, customerName(t.customer)),
  ]
}

function factsOfRow(about: LetterTransaction): readonly Fact[] {
  const { transaction: t } = about
  const { labels } = writerOf(about).texts
  const message = t.message === SAYS_NOTHING ? '' : isolatedLine(t.message ?? '')
  return [
    ...fact(labels.message, message),
    ...fact(labels.receiptNumber, referenceOf(t.id)),
    ...fact(labels.authorization, isolatedLine(t.authId ?? '')),
  ]
}

function meansLabel(story: Story, labels: LetterTexts['labels']): string {
  switch (story) {
    case 'received':
    case 'returned':
      return labels.paidWith
    case 'refunded':
      return labels.refundedTo
    case 'credited':
      return labels.creditedTo
    case 'authorized':
    case 'canceled':
    case 'released':
    case 'failed':
    case 'failed later':
    case 'under way':
      return labels.method
  }
}
