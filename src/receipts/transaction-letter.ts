// The letter about a transaction: the receipt of a payment, an authorization or a refund.

import { LOCALES } from '../core/language.ts'
import { referenceOf } from '../core/reference.ts'
import { type Fact, fact, type Letter } from './letter.ts'
import { closingOf, isTest, letterHead, subjectOf } from './letter-style.ts'
import { localDateText, localMomentText, localMoneyText } from './local-formats.ts'
import { type Details, detailsOf } from './meta-details.ts'
import { customerName, meansText } from './people.ts'
import type { ToldTransaction } from './read-transaction.ts'
import { isolatedLine } from './shown.ts'
import { LETTER_EN } from './texts/letter-en.ts'
import { letterStoryOf, type Story, transactionWords } from './transaction-words.ts'

/** Gateways say this about every success. */
const SAYS_NOTHING = 'Approved'

export function transactionLetter(told: ToldTransaction): Letter {
  const { transaction: t, team } = told
  const story = letterStoryOf(told)
  const { title, subject, lead } = transactionWords(told)
  const total = localMoneyText(t.total, t.currency)
  const details = detailsToShow(told)
  const hasSums = details.items.length > 0 || details.sums.length > 0
  return {
    subject: subjectOf(told, subject, team.name),
    ...letterHead(told),
    testNote: isTest(told) ? 'This is a test: no money has moved.' : undefined,
    title,
    amount: total,
    isStruck: story === 'canceled' || story === 'released' || story === 'failed',
    lead,
    button: undefined,
    commands: [],
    items: details.items,
    sums: hasSums ? [...details.sums, ...fact('Total', total)] : [],
    facts: [...factsOf(told, story), ...details.facts, ...factsOfRow(told)],
    closing: [...closingOf(told), `Transaction ${t.id}`],
    optOut: undefined,
  }
}

/**
 * A capture or a refund without details of its own shows its parent's reference fields. Only a full
 * capture also shows its line items and sums.
 */
function detailsToShow({ transaction: t, parent }: ToldTransaction): Details {
  const own = detailsOf(t.meta, t.currency, LOCALES.en, LETTER_EN)
  if (parent === undefined) return own
  const inherited = detailsOf(parent.meta, t.currency, LOCALES.en, LETTER_EN)
  const isSame = t.type === 'capture' && t.total === parent.total
  return {
    items: own.items.length > 0 || !isSame ? own.items : inherited.items,
    sums: own.sums.length > 0 || !isSame ? own.sums : inherited.sums,
    facts: own.facts.length > 0 ? own.facts : inherited.facts,
  }
}

function factsOf(told: ToldTransaction, story: Story): readonly Fact[] {
  const { transaction: t, parent, timezone } = told
  const money = (cents: bigint) => localMoneyText(cents, t.currency)
  const means = { method: t.method, cardType: t.paymentMethod.cardType, lastFour: t.lastFour }
  const origin = parent && `${money(parent.total)} on ${localDateText(parent.createdAt, timezone)}`
  return [
    ...fact('Date', localMomentText(t.createdAt, timezone)),
    ...fact(meansLabel(story), meansText(means, LETTER_EN)),
    ...fact('Original', origin),
    ...fact('Taken', t.type === 'pre_auth' && t.captured > 0n ? money(t.captured) : ''),
    ...fact('Refunded', t.refunded > 0n ? money(t.refunded) : ''),
    ...fact('Customer', customerName(t.customer)),
  ]
}

function factsOfRow({ transaction: t }: ToldTransaction): readonly Fact[] {
  const message = t.message === SAYS_NOTHING ? '' : isolatedLine(t.message ?? '')
  return [
    ...fact('Message', message),
    ...fact('Receipt no.', referenceOf(t.id)),
    ...fact('Authorization', isolatedLine(t.authId ?? '')),
  ]
}

function meansLabel(story: Story): string {
  switch (story) {
    case 'received':
      return 'Paid with'
    case 'refunded':
      return 'Refunded to'
    case 'credited':
      return 'Credited to'
    case 'authorized':
    case 'canceled':
    case 'released':
    case 'failed':
    case 'under way':
      return 'Method'
  }
}
