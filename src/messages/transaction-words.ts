// The words about a transaction, in a long and a short form, in the language of its account.

import { referenceOf } from '../core/reference.ts'
import { writerOf } from './letter-style.ts'
import { meansText, shortMeansText } from './people.ts'
import type { LetterTransaction } from './read-transaction.ts'
import type { LetterTexts } from './texts/letter-en.ts'
import type { LetterWords, MethodPhrases, NounKey, TransactionParts } from './texts/letter-parts.ts'

export function transactionWords(about: LetterTransaction): LetterWords {
  const { transaction, layout } = writerOf(about).texts
  const words = transaction[letterStoryOf(about)](partsOf(about))
  const reference = layout.referenced(referenceOf(about.transaction.id))
  return { ...words, short: `${words.short} ${reference}` }
}

function partsOf(about: LetterTransaction): TransactionParts {
  const { transaction: t, parent, timezone } = about
  const { texts, money: moneyIn, day, shortDay } = writerOf(about)
  const money = (cents: bigint) => moneyIn(cents, t.currency)
  const means = { method: t.method, cardType: t.paymentMethod.cardType, lastFour: t.lastFour }
  const nounKey = nounOf(t.type)
  const parentNoun = texts.nouns[nounOf(parent?.type ?? t.type)]
  return {
    amount: money(t.total),
    date: day(t.createdAt, timezone),
    day: shortDay(t.createdAt, timezone),
    means: inPlaces(t.method, meansText(means, texts), texts),
    shortMeans: inPlaces(t.method, shortMeansText(means, texts), texts),
    noun: texts.nouns[nounKey],
    isTaking: nounKey === 'payment' || nounKey === 'authorization',
    origin:
      parent && texts.origin(parentNoun, money(parent.total), day(parent.createdAt, timezone)),
    whole: parent && parent.total !== t.total ? money(parent.total) : undefined,
    captured: t.type === 'pre_auth' && t.captured > 0n ? money(t.captured) : undefined,
    refunded: t.refunded > 0n ? money(t.refunded) : undefined,
    takenBack: money(about.takenBack),
  }
}

function inPlaces(
  method: LetterTransaction['transaction']['method'],
  name: string,
  { means }: LetterTexts,
): MethodPhrases {
  switch (method) {
    case 'cash':
      return means.byCash
    case 'check':
      return means.byCheck
    case 'card':
    case 'bank':
      return means.byCard(name)
  }
}

function nounOf(type: LetterTransaction['transaction']['type']): NounKey {
  switch (type) {
    case 'charge':
    case 'capture':
      return 'payment'
    case 'pre_auth':
      return 'authorization'
    case 'void':
      return 'cancellation'
    case 'refund':
      return 'refund'
    case 'credit':
      return 'credit'
  }
}

export type Story =
  | 'received'
  /** It was voided before settlement. */
  | 'canceled'
  /** The payer's bank has taken it back, or a part of it. */
  | 'returned'
  /** It is authorized, and no money was taken yet. */
  | 'authorized'
  | 'released'
  | 'refunded'
  | 'credited'
  | 'failed'
  /** A refund was made, and its money did not reach the payer. */
  | 'failed later'
  | 'under way'

/**
 * The meaning of a transaction for a reader of its letter.
 *
 * It is that of the current row, not of the row at the time of the request.
 */
export function letterStoryOf(about: LetterTransaction): Story {
  const { transaction, parent, takenBack } = about
  const { type, status, isVoided } = transaction
  if (status !== 'SUCCESS') return status === 'FAILED' ? 'failed' : 'under way'
  if (about.failedLater) return 'failed later'
  switch (type) {
    case 'charge':
    case 'capture':
      if (isVoided) return 'canceled'
      return takenBack > 0n ? 'returned' : 'received'
    case 'pre_auth':
      return isVoided ? 'released' : 'authorized'
    case 'void':
      return parent?.type === 'pre_auth' ? 'released' : 'canceled'
    case 'refund':
      return 'refunded'
    case 'credit':
      return 'credited'
  }
}
