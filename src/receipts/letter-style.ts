// What all letters of an account have in common.

import { contactOf, shownSize } from '../accounts/look.ts'
import { LOCALES } from '../core/language.ts'
import type { Cents } from '../core/money.ts'
import type { Letter } from './letter.ts'
import { localDateText, localMomentText, localMoneyText, shortDateText } from './local-formats.ts'
import type { Sender } from './sender.ts'
import { isolatedLine, oneLine, shortened } from './shown.ts'
import { LETTER_TEXTS } from './texts/letter-texts.ts'

/** The longest name in a sentence, so that the words after it are still read. */
const LONGEST_NAME = 60

/** The longest name on a line of its own. */
const LONGEST_SENDER = 120

export function isTest({ mode }: Sender): boolean {
  return mode === 'sandbox'
}

/** How an account writes: its texts, its amounts and its dates. */
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
  return shortened(oneLine(sender.team.name), LONGEST_NAME) || nameless
}

/** The team's name for the head of a letter. */
export function senderOf(sender: Sender): string {
  const { nameless } = writerOf(sender).texts.layout
  return isolatedLine(shortened(oneLine(sender.team.name), LONGEST_SENDER)) || nameless
}

/** What stands above the words of a letter, in the team's own look. */
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
  return isolatedLine(shortened(oneLine(sender.team.name), LONGEST_NAME)) || seller
}

/** The subject. The amount comes before any name, since lists cut long subjects. */
export function subjectOf(sender: Sender, words: string, name: string): string {
  const test = isTest(sender) ? `${writerOf(sender).texts.layout.test} ` : ''
  return oneLine(`${test}${words} ${shortened(oneLine(name), LONGEST_NAME)}`)
}

/** Where the answers to a letter go. Null: to the sender. */
export function replyAddress({ look, team }: Sender): string | null {
  return look.supportEmail ?? team.email
}

/** Whom the reader may ask. */
export function closingOf(sender: Sender): readonly string[] {
  const name = senderName(sender)
  const contact = contactOf(sender.look).map(({ text }) => isolatedLine(text))
  const { askSeller, answerReaches } = writerOf(sender).texts.layout
  const question = replyAddress(sender) === null ? askSeller(name) : answerReaches(name)
  return contact.length === 0 ? [question] : [question, contact.join(' · ')]
}
