// Describes payers and payment methods in words.

import type { Customer, PaymentMethod } from '../generated/client.ts'
import { isolatedLine, shownLine, unlinked } from './shown.ts'
import type { LetterTexts } from './texts/letter-en.ts'

/** Names of card-validator and of the gateways. */
const CARDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
  amex: 'American Express',
  discover: 'Discover',
  'diners-club': 'Diners Club',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  elo: 'Elo',
  mir: 'Mir',
  hiper: 'Hiper',
  hipercard: 'Hipercard',
}

const FOUR_DIGITS = /^\d{4}$/

type Named = Pick<Customer, 'firstname' | 'lastname' | 'company' | 'email'>
type Means = Pick<PaymentMethod, 'method' | 'cardType' | 'lastFour'>

/** All known parts: `Ada Lovelace, Analytical Engines`. */
export function customerName({ firstname, lastname, company, email }: Named): string {
  const person = shownLine(`${firstname ?? ''} ${lastname ?? ''}`)
  const names = [person, shownLine(company ?? '')].filter((name) => name !== '')
  return names.map(isolatedLine).map(unlinked).join(', ') || isolatedLine(email ?? '')
}

/** `Visa ending in 1111`. Never more of a number than that. */
export function meansText(means: Means, texts: LetterTexts): string {
  const [kind, ending] = [kindText(means, texts), endingOf(means)]
  return ending === undefined ? kind : texts.means.ending(kind, ending)
}

/** `Visa 1111` */
export function shortMeansText(means: Means, texts: LetterTexts): string {
  return [kindText(means, texts), endingOf(means)].filter((part) => part !== undefined).join(' ')
}

function endingOf({ lastFour }: Means): string | undefined {
  return lastFour !== null && FOUR_DIGITS.test(lastFour) ? lastFour : undefined
}

function kindText({ method, cardType }: Means, { means }: LetterTexts): string {
  return (method === 'card' ? CARDS[cardType ?? ''] : undefined) ?? means[method]
}
