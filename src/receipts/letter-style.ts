// What all letters of an account have in common.

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

/** The team's name for a sentence. */
export function senderName({ team }: Sender): string {
  return isolatedLine(shortened(oneLine(team.name), LONGEST_NAME)) || 'the seller'
}

/** The subject. The amount comes before any name, since lists cut long subjects. */
export function subjectOf(sender: Sender, words: string, name: string): string {
  const test = isTest(sender) ? '[Test] ' : ''
  return oneLine(`${test}${words} ${shortened(oneLine(name), LONGEST_NAME)}`)
}

export function closingOf(sender: Sender): string {
  const name = senderName(sender)
  return sender.team.email === null
    ? `Questions? ${name} will be glad to answer them.`
    : `Questions? Just answer this e-mail: it reaches ${name}.`
}
