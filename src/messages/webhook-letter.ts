// The letter to a team whose endpoint was disabled: since when it failed, why, and how to enable it
// again.

import { DEFAULT_LANGUAGE } from '../core/language.ts'
import { after, HOUR } from '../core/time-units.ts'
import { columnsOf } from '../db/columns.ts'
import { gatheredLookUp } from '../db/gathered.ts'
import type { Webhook } from '../generated/client.ts'
import { fact, type Letter } from './letter.ts'
import { isTest, senderName, senderOf, subjectOf, writerOf } from './letter-style.ts'
import { readSender, SENDER_COLUMNS, SENDER_JOINS, type Sender } from './sender.ts'
import { isolatedLine, sentences, shortened, shownLine } from './shown.ts'

const LONGEST_ADDRESS = 200

/**
 * An endpoint that said it is gone took all events until then; this covers those that were under
 * way.
 */
const ON_ITS_WAY = HOUR

/** The readers are people of the team, who read the API's language. */
export function webhookLetter(letterWebhook: LetterWebhook, disabledAt: Date): Letter {
  const about = { ...letterWebhook, look: { ...letterWebhook.look, language: DEFAULT_LANGUAGE } }
  const { webhook: w, timezone } = about
  const { moment } = writerOf(about)
  const since = w.failingSince ?? after(disabledAt, -ON_ITS_WAY)
  return {
    language: DEFAULT_LANGUAGE,
    subject: subjectOf(about, 'Webhook endpoint disabled:', hostOf(w.targetUrl)),
    sender: senderOf(about),
    // It is a letter of the service to the team.
    logo: undefined,
    colour: undefined,
    testNote: undefined,
    title: 'Webhook endpoint disabled',
    amount: undefined,
    isStruck: false,
    lead: sentences(
      'Your endpoint no longer took the events that we sent it, and we have stopped trying.',
      'What it missed is kept for 30 days. Once it answers again, enable it with the first of',
      'these requests, and have what it missed sent again with the second one.',
    ),
    button: undefined,
    commands: [
      `PUT /webhook/${w.id}\n{"status":"active"}`,
      `POST /webhook/${w.id}/replay\n{"since":"${since.toISOString()}"}`,
    ],
    items: [],
    sums: [],
    facts: [
      ...fact('Endpoint', isolatedLine(shortened(addressOf(w.targetUrl), LONGEST_ADDRESS))),
      ...fact('Reason', isolatedLine(w.disabledReason ?? '')),
      ...fact('Failing since', w.failingSince === null ? '' : moment(w.failingSince, timezone)),
      ...fact('Disabled', moment(disabledAt, timezone)),
      ...fact('Account', isTest(about) ? 'Sandbox' : 'Live'),
    ],
    closing: [`Sent to ${senderName(about)}, whose endpoint it is.`, `Endpoint ${w.id}`],
    optOut: undefined,
  }
}

/** Without parts that may be a password: the query, and the user. */
function addressOf(targetUrl: string): string {
  if (!URL.canParse(targetUrl)) return shownLine(targetUrl)
  const { origin, pathname } = new URL(targetUrl)
  return origin + pathname
}

function hostOf(targetUrl: string): string {
  return URL.canParse(targetUrl) ? new URL(targetUrl).host : shownLine(targetUrl)
}

export interface LetterWebhook extends Sender {
  readonly webhook: Webhook
}

const webhook = columnsOf<Webhook>('Webhook', 'w')

export const readLetterWebhook = gatheredLookUp({
  name: 'read-letter-webhook',
  table: 'webhook',
  alias: 'w',
  columns: `${webhook.list}, ${SENDER_COLUMNS}`,
  joins: SENDER_JOINS,
  read: (row): LetterWebhook => ({ ...readSender(row), webhook: webhook.read(row) }),
})
