// What all letters of an account have in common.

import type { Sender } from './sender.ts'
import { isolatedLine, oneLine, shortened } from './shown.ts'

/** Of a name, so that what stands behind it is still read. */
const LONGEST_NAME = 60

/** Of a name that has its line to itself. */
const LONGEST_SENDER = 120

/** A team may be named nothing that can be shown. */
const NAMELESS = 'Receipts'

export function isTest({ mode }: Sender): boolean {
  return mode === 'sandbox'
}

/** As it stands in a header. */
export function headerName({ team }: Sender): string {
  return shortened(oneLine(team.name), LONGEST_NAME) || NAMELESS
}

/** As it stands at the head of a letter. */
export function senderOf({ team }: Sender): string {
  return isolatedLine(shortened(oneLine(team.name), LONGEST_SENDER)) || NAMELESS
}

/** As it stands in a sentence. */
export function senderName({ team }: Sender): string {
  return isolatedLine(shortened(oneLine(team.name), LONGEST_NAME)) || 'the seller'
}

/** What a list of messages shows: the amount goes before any name. */
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
