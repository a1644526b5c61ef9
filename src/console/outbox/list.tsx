// The list of outbox messages.

import { MESSAGE_CHANNELS } from '../../core/delivery.ts'
import { type ListedMessage, OUTBOX } from '../../deliveries/list-outbox.ts'
import type { World } from '../../world.ts'
import type { ListPage } from '../parts/list-page.tsx'
import { newestOf, OWNED_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { CHANNEL_LABELS, LongText } from '../parts/shown.tsx'
import { messagePath } from '../paths.ts'
import { choiceOf } from '../query.ts'

export const OUTBOX_LIST: ListPage<ListedMessage> = {
  title: 'Outbox',
  place: 'outbox',
  intro: introOf,
  filters: [
    { kind: 'text', name: 'recipient', label: 'To', type: 'search', placeholder: 'ada@ or +1202' },
    {
      kind: 'choice',
      name: 'channel',
      label: 'Channel',
      choices: MESSAGE_CHANNELS.map((one) => [one, CHANNEL_LABELS[one]] as const),
    },
    TEAM_FILTER,
  ],
  rowsTitle: 'Kept messages',
  columns: [
    { head: 'When (UTC)', sort: 'created_at', cell: (row) => row.createdAt },
    {
      head: 'To',
      cell: (row) => <LongText text={row.recipient} />,
      below: (row) => CHANNEL_LABELS[row.channel],
    },
    {
      head: 'Message',
      isMain: true,
      class: 'says',
      cell: (row) => <a href={messagePath(row)}>{row.subject ?? row.beginning}</a>,
    },
    TEAM_COLUMN,
  ],
  whenEmpty: 'There are no messages.',
  file: [...OWNED_COLUMNS, 'channel', 'recipient', 'subject'],
  find: newestOf(OUTBOX, (query) => {
    const channel = choiceOf(query, 'channel', MESSAGE_CHANNELS)
    return { asked: { channel, recipient: query.recipient } }
  }),
}

/** Channels with a provider: their messages are sent, not kept here. */
function introOf({ config: { smtpUrl, twilio } }: World): string {
  const sent = [
    ...(smtpUrl === undefined ? [] : ['e-mails']),
    ...(twilio === undefined ? [] : ['text messages']),
  ]
  const now = sent.length === 0 ? '' : ` New ${sent.join(' and ')} are sent by a provider.`
  return `Messages not sent: no provider is configured.${now}`
}
