// What all letters of an account have in common.

import { contactOf, shownSize } from '../accounts/look.ts'
import type { Letter } from './letter.ts'
import type { Sender } from './sender.ts'
import { isolatedLine, oneLine, shortened } from './shown.ts'

/** The longest name in a sentence, so that the words after it are still read. */
const LONGEST_NAME = 60

/** The longest name on a line of its own. */
const LONGEST_SENDER = 120

/** For a team whose name has no printable characters. */
const NAMELESS = 'Receipts'

export function isTest({ mode }: Sender): boolean {
  return mode === 'sandbox'
}

/** The team's name for a header. */
export function headerName({ team }: Sender): string {
  return shortened(oneLine(team.name), LONGEST_NAME) || NAMELESS
}

/** The team's name for the head of a letter. */
export function senderOf({ team }: Sender): string {
  return isolatedLine(shortened(oneLine(team.name), LONGEST_SENDER)) || NAMELESS
}

/** What stands above the words of a letter, in the team's own look. */
export function letterHead(sender: Sender): Pick<Letter, 'sender' | 'logo' | 'colour'> {
  const { logo, colour } = sender.look
  return {
    sender: senderOf(sender),
    logo: logo && shownSize(logo),
    colour: colour ?? undefined,
  }
}

/** The team's name for a sentence. */
export function senderName({ team }: Sender): string {
  return isolatedLine(shortened(oneLine(team.name), LONGEST_NAME)) || 'the seller'
}

/** The subject. The amount comes before any name, since lists cut long subjects. */
export function subjectOf(sender: Sender, words: string, name: string): string {
  const test = isTest(sender) ? '[Test] ' : ''
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
  const question =
    replyAddress(sender) === null
      ? `Questions? ${name} will be glad to answer them.`
      : `Questions? Just answer this e-mail: it reaches ${name}.`
  return contact.length === 0 ? [question] : [question, contact.join(' · ')]
}
