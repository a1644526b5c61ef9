// The common parts of all letters of an account.

import { contactOf, shownSize } from '../accounts/look.ts'
import { LOCALES } from '../core/language.ts'
import type { Cents } from '../core/money.ts'
import type { Letter } from './letter.ts'
import { localDateText, localMomentText, localMoneyText, shortDateText } from './local-formats.ts'
import type { Sender } from './sender.ts'
import { isolatedLine, shortened, shownLine } from './shown.ts'
import { LETTER_TEXTS } from './texts/letter-texts.ts'

/** The longest name in a sentence, so that the words after it are still read. */
const LONGEST_NAME = 60

/** The longest name on a line of its own. */
const LONGEST_SENDER = 120

export function isTest({ mode }: Sender): boolean {
  return mode === 'sandbox'
}

/** The texts, amounts and dates in the language of an account. */
export function writerOf({ look: { language } }: Pick<Sender, 'look'>) {
  const locale = LOCALES[language]
  return {
    language,
    locale,
    texts: LETTER_TEXTS[language],
    money: (cents: Cents, currency: string) => localMoneyText(cents, currency, locale),
    moment: (at: Date, zone: string) => localMomentText(at, zone, locale),
    day: (at: Date, zone: string) => localDateText(at, zone, locale),
    shortDay: (at: Date, zone: string) => shortDateText(at, zone, locale),
  }
}

/** The team's name for a header, also where it has no printable characters. */
export function headerName(sender: Sender): string {
  const { nameless } = writerOf(sender).texts.layout
  return shortened(shownLine(sender.team.name), LONGEST_NAME) || nameless
}

/** The team's name for the head of a letter. */
export function senderOf(sender: Sender): string {
  const { nameless } = writerOf(sender).texts.layout
  return isolatedLine(shortened(shownLine(sender.team.name), LONGEST_SENDER)) || nameless
}

/** The head of a letter, in the team's own look. */
export function letterHead(
  sender: Sender,
): Pick<Letter, 'language' | 'sender' | 'logo' | 'colour'> {
  const { language, logo, colour } = sender.look
  return {
    language,
    sender: senderOf(sender),
    logo: logo && shownSize(logo),
    colour: colour ?? undefined,
  }
}

/** The team's name for a sentence. */
export function senderName(sender: Sender): string {
  const { seller } = writerOf(sender).texts.layout
  return isolatedLine(shortened(shownLine(sender.team.name), LONGEST_NAME)) || seller
}

/** The subject. The amount comes before any name, since lists cut long subjects. */
export function subjectOf(sender: Sender, words: string, name: string): string {
  const test = isTest(sender) ? `${writerOf(sender).texts.layout.test} ` : ''
  return shownLine(`${test}${words} ${shortened(shownLine(name), LONGEST_NAME)}`)
}

/** The reply address of a letter. Null: the sender's. */
export function replyAddress({ look, team }: Sender): string | null {
  return look.supportEmail ?? team.email
}

/** The merchant's contacts. */
export function closingOf(sender: Sender): readonly string[] {
  const name = senderName(sender)
  const contact = contactOf(sender.look).map(({ text }) => isolatedLine(text))
  const { askSeller, answerReaches } = writerOf(sender).texts.layout
  const question = replyAddress(sender) === null ? askSeller(name) : answerReaches(name)
  return contact.length === 0 ? [question] : [question, contact.join(' · ')]
}
